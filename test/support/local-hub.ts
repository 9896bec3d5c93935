import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file of the hub. */
export interface LocalFile {
  readonly content: Buffer;
  /** Whether it is named by its SHA-256, and bytes come from another host, as large files on a hub do. */
  readonly isLarge: boolean;
}

/** A request as the hub has got it. */
export interface HubRequest {
  readonly method: string;
  /** Name of the file, behind the revision. */
  readonly file: string;
  readonly revision: string;
  readonly range: string | null;
  readonly authorization: string | null;
  /** Whether it came to the host that large files are taken from. */
  readonly isStorage: boolean;
}

/** How the hub behaves; may be changed between requests. */
export interface HubBehaviour {
  /** Bytes of a large file after which nothing comes any more; null: never. */
  stallAfter: number | null;
  /** What the hub says that large files have; null: what they have. */
  sha256: string | null;
  /** Bearer token that is asked for; null: none. */
  token: string | null;
  /** Answer to everything; null: the files. */
  status: number | null;
  /** Whether parts of files are given. */
  hasRanges: boolean;
}

/** A hub on loopback. */
export interface LocalHub {
  readonly url: string;
  readonly requests: HubRequest[];
  readonly behaviour: HubBehaviour;
  /** Closes the connections over which large files come. */
  readonly cut: () => void;
  readonly stop: () => Promise<void>;
}

/** The commit that all files are of. */
export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/**
 * Starts a hub with one model, in the manner of those that models are published on: a large file is answered by a
 * redirect to another host, whose headers name size and SHA-256 of the file.
 *
 * @param model - As `ORG/NAME`.
 * @param files - By name.
 * @returns The hub; the caller stops it.
 */
export async function startLocalHub(
  model: string,
  files: ReadonlyMap<string, LocalFile>,
): Promise<LocalHub> {
  const requests: HubRequest[] = [];
  const behaviour: HubBehaviour = {
    stallAfter: null,
    sha256: null,
    token: null,
    status: null,
    hasRanges: true,
  };
  const storage = createServer((request, response) => {
    const { file } = note(request, true);
    sendPart(request, response, files.get(file)?.content ?? Buffer.alloc(0));
  });
  const hub = createServer((request, response) => {
    const { file, authorization } = note(request, false);
    const { status, token } = behaviour;
    response.setHeader('X-Repo-Commit', COMMIT);
    const found = request.url?.startsWith(`/${model}/resolve/`) ? files.get(file) : undefined;
    if (status !== null) response.writeHead(status).end('no');
    else if (token !== null && authorization !== `Bearer ${token}`) response.writeHead(401).end();
    else if (found === undefined) response.writeHead(404).end('Entry not found');
    else if (found.isLarge) redirect(response, file, found.content);
    else
      response.setHeader('ETag', '"8b137891791fe96927ad78e64b0aad7bded08bdc"').end(found.content);
  });

  function note(request: IncomingMessage, isStorage: boolean): HubRequest {
    const [, revision = '', file = ''] = /\/resolve\/([^/]+)\/(.*)$/.exec(request.url ?? '') ?? [];
    const { range = null, authorization = null } = request.headers;
    const noted = { method: request.method ?? '', file, revision, range, authorization, isStorage };
    requests.push(noted);
    return noted;
  }
  function redirect(response: ServerResponse, file: string, content: Buffer): void {
    const sha256 = behaviour.sha256 ?? createHash('sha256').update(content).digest('hex');
    response.writeHead(302, {
      Location: `${urlOf(storage)}/${model}/resolve/${COMMIT}/${file}`,
      'X-Linked-Etag': `"${sha256}"`,
      'X-Linked-Size': content.length,
    });
    response.end();
  }
  function sendPart(request: IncomingMessage, response: ServerResponse, content: Buffer): void {
    const start = behaviour.hasRanges
      ? Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0)
      : 0;
    if (start >= content.length) {
      response.writeHead(416).end();
      return;
    }
    const part = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'Content-Length': part.length,
      ...(start > 0 && {
        'Content-Range': `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    });
    sendBytes(response, part);
  }
  function sendBytes(response: ServerResponse, part: Buffer): void {
    const { stallAfter } = behaviour;
    if (stallAfter === null) response.end(part);
    else response.write(part.subarray(0, stallAfter));
  }

  for (const server of [storage, hub]) {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  }
  return {
    url: urlOf(hub),
    requests,
    behaviour,
    cut: () => {
      storage.closeAllConnections();
    },
    stop: async () => {
      for (const server of [storage, hub]) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}

function urlOf(server: ReturnType<typeof createServer>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
