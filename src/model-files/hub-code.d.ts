// The library's declarations are in another folder than its code.
declare module '@xenova/transformers/src/utils/hub.js' {
  /**
   * Asks for a whole file, on huggingface.co with the token of the environment.
   *
   * @param url - As http or https, with the revision in it.
   * @returns The answer, whatever its status; its body is a stream.
   */
  export function getFile(url: string): Promise<Response>;
}
