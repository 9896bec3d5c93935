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

/** Largest token matrices of one answer, in bytes of their numbers: 256 MiB. */
export const MAX_ANSWER_BYTES = 268_435_456;

/** Size of a number of an embedding, in bytes. */
export const FLOAT32_BYTES = 4;

/**
 * Tokens of one text on the tokenize routes, unless the model's context is longer. Ours: it bounds
 * the memory of the tokenizer, which takes about 600 bytes for each token of a text at work.
 */
export const MAX_TOKENIZED_TOKENS = 32_768;

/**
 * UTF-16 units that pairs of one text and many may have, where the one is much longer than a model
 * reads. Ours: else a small body would make hours of work for the tokenizer.
 */
export const MAX_PAIRED_CHARACTERS = 8_000_000;

/** A text is taken for much longer than a model reads if it has more UTF-16 units for each token. */
export const CHARACTERS_PER_TOKEN = 8;
