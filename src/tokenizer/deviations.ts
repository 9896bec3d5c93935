/**
 * What the engine `xenova` (`@xenova/transformers` 2.17) is known to tokenize otherwise than the Python
 * reference: the kind of text, and the reason. The contract suite has a text of each kind, and fails
 * for any other text that deviates.
 */
export const KNOWN_DEVIATIONS = {
  'kana with voicing marks':
    'of combining marks it strips only those of Latin, so that the voicing mark of が or パ stays',
  'Devanagari, Tamil, Tibetan and Thai':
    'of combining marks it strips only those of Latin, so that vowel signs stay',
  'pointed Hebrew, and Arabic with points or hamza':
    'of combining marks it strips only those of Latin, so that points and hamza stay',
  'Greek in capitals':
    'it lower-cases a whole text, so that Σ at the end of a word becomes ς instead of σ',
  'CJK beyond the Basic Multilingual Plane':
    'it reads UTF-16 units, and so does not take such a character for a word of its own',
  'emoji with Unigram vocabularies':
    'it reads UTF-16 units, and so does not find a character of two units in the vocabulary',
  'compatibility characters before combining marks with Unigram vocabularies':
    'it applies NFKC instead of the table in the tokenizer.json',
} as const satisfies Readonly<Record<string, string>>;

/** A key of {@link KNOWN_DEVIATIONS}. */
export type KnownDeviation = keyof typeof KNOWN_DEVIATIONS;
