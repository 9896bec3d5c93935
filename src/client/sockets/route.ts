import { hostOf, portOf, type ProxyAddress, type ProxyChoice } from './proxy.ts';

/** How the connections for one origin are made. */
export interface Route {
  readonly host: string;
  readonly port: number;
  /** Whether the origin speaks TLS. */
  readonly secure: boolean;
  /** Proxy to go through, or `null`. */
  readonly proxy: ProxyAddress | null;
  /** Whether the proxy is asked for a tunnel (CONNECT) rather than for each request. */
  readonly tunnel: boolean;
}

/**
 * @param url - Absolute, http or https.
 * @param proxies - What knows the proxies.
 * @param alwaysTunnel - Whether plain requests go through a tunnel, too.
 * @returns The route to the origin of a URL; `alwaysTunnel` is for HTTP/2.
 */
export function routeTo(url: URL, proxies: ProxyChoice, alwaysTunnel: boolean): Route {
  const proxy = proxies.proxyFor(url);
  const secure = url.protocol === 'https:';
  const tunnel = proxy !== null && (secure || alwaysTunnel);
  return { host: hostOf(url), port: portOf(url), secure, proxy, tunnel };
}
