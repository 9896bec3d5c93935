/** Largest request body, in bytes after decompression. Source: OVMS, embeddings endpoint. */
export const MAX_BODY_BYTES = 2_000_000;

/** Deepest nesting of arrays and objects in a request body. */
export const MAX_JSON_DEPTH = 100;

/** Largest padded tensor of token ids that a request may ask for, in bytes: 1 GiB. */
export const MAX_PADDED_BYTES = 1_073_741_824;

/** Size of a token id in a model's input, in bytes: int64. */
export const TOKEN_ID_BYTES = 8;

/** Inputs of one request, unless configured. */
export const DEFAULT_MAX_BATCH_SIZE = 1024;

/** Largest value that `max_batch_size` takes. Source: OVMS reads it as an unsigned 32-bit number. */
export const MAX_BATCH_SIZE_BOUND = 4_294_967_295;

/** Tokens of a row where a model's config.json names no limit. */
export const DEFAULT_CONTEXT_LENGTH = 1024;
