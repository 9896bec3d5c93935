const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The address of an embeddings route on this machine; `/v1/embeddings` where it has no path.
 *
 * @param {string} text
 */
export function loopbackUrl(text) {
  if (!URL.canParse(text)) throw new Error(`Not a URL: "${text}"`);
  const url = new URL(text);
  if (url.protocol !== 'http:' || !LOOPBACK.test(url.hostname)) {
    throw new Error(`Only http:// on this machine is measured, not "${text}"`);
  }
  if (url.pathname === '/') url.pathname = '/v1/embeddings';
  return url;
}
