import { invalid } from '../errors.ts';

/** A forward proxy. */
export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
  /** Whether the proxy itself is reached over TLS. */
  readonly secure: boolean;
  /** Value of `proxy-authorization`, or `null`. */
  readonly authorization: string | null;
}

/** Reads an environment variable. */
export type ReadEnv = (name: string) => string | undefined;

/**
 * Reads a proxy URL, with credentials if it has them.
 *
 * @param text - Characters to read.
 * @returns Its parts.
 * @throws {@link PerformanceClientError} if it isn't an http or https URL.
 */
export function parseProxy(text: string): ProxyAddress {
  const proxy = readProxy(text);
  if (!proxy) throw invalid('Invalid proxy URL: it must be an absolute http or https URL');
  return proxy;
}

/** Chooses the proxy for a URL: the explicit one for all, else what the environment says. */
export class ProxyChoice {
  readonly #explicit: ProxyAddress | null;
  readonly #env: ReadEnv;

  constructor(explicit: string | null, env: ReadEnv) {
    this.#explicit = explicit === null ? null : parseProxy(explicit);
    this.#env = env;
  }

  /**
   * @param url - Absolute, http or https.
   * @returns The proxy for a URL, or `null` to go there directly.
   */
  proxyFor(url: URL): ProxyAddress | null {
    if (this.#explicit) return this.#explicit;
    const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const text = this.#either(name) ?? this.#either('ALL_PROXY');
    if (text === undefined || bypasses(this.#either('NO_PROXY') ?? '', url)) return null;
    return readProxy(text.includes('://') ? text : `http://${text}`);
  }

  #either(name: string): string | undefined {
    const value = this.#env(name.toLowerCase()) ?? this.#env(name);
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  }
}

/**
 * @param url - Absolute, http or https.
 * @returns Host of a URL as sockets take it: an IPv6 address without brackets.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * @param url - Absolute, http or https.
 * @returns Port of a URL, the scheme's own where it names none.
 */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function readProxy(text: string): ProxyAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  const user = `${decode(url.username)}:${decode(url.password)}`;
  const basic = Buffer.from(user).toString('base64');
  return {
    host: hostOf(url),
    port: portOf(url),
    secure: url.protocol === 'https:',
    authorization: user === ':' ? null : `Basic ${basic}`,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bypasses(list: string, url: URL): boolean {
  const host = hostOf(url).toLowerCase();
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && covers(entry, host, portOf(url)));
}

function covers(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return inNetwork(entry, host);
  const match = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry);
  const exact = entry === host;
  if (exact || !match) return exact;
  if (match[2] !== undefined && Number(match[2]) !== port) return false;
  const domain = (match[1] ?? '').replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

// Whether an IPv4 address is in a network such as 10.0.0.0/8.
function inNetwork(network: string, host: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const [from, address] = [ipv4(base), ipv4(host)];
  if (from === null || address === null || !/^\d{1,2}$/.test(bits)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(from / size) === Math.floor(address / size);
}

function ipv4(text: string): number | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
