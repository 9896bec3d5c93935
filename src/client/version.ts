/** Version that the client names in `User-Agent`; equal to the package's. */
export const VERSION = '0.1.0';
