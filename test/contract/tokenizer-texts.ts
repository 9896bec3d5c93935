import type { KnownDeviation } from '../../src/tokenizer/deviations.ts';

/** A text with the ids that an engine must give it. */
export interface ExpectedInput {
  readonly text: string;
  readonly ids: readonly number[];
}

/**
 * Texts that other servers get wrong. Their ids, or the number and ends of them, are those of Python's
 * `tokenizers`; where only the number was given, npm's `tokenizers` 0.23.2 filled in the rest.
 */
export const CASES: readonly ExpectedInput[] = [
  { text: 'hello world', ids: [101, 7592, 2088, 102] },
  { text: 'hello', ids: [101, 7592, 102] },
  { text: 'hello '.repeat(200), ids: [101, ...new Array<number>(200).fill(7592), 102] },
  { text: 'This is a test', ids: [101, 2023, 2003, 1037, 3231, 102] },
  { text: 'ΟΔΥΣΣΕΥΣ', ids: [101, 1169, 29722, 29735, 29733, 29733, 29723, 29735, 29733, 102] },
  {
    text: 'ΟΔΟΣ ΟΔΟΣ.',
    ids: [101, 1169, 29722, 29730, 29733, 1169, 29722, 29730, 29733, 1012, 102],
  },
  { text: 'caf\u00e9 na\u00efve', ids: [101, 7668, 15743, 102] },
  { text: 'cafe\u0301 nai\u0308ve', ids: [101, 7668, 15743, 102] },
  { text: 'price$5+tax=6', ids: [101, 3976, 1002, 1019, 1009, 4171, 1027, 1020, 102] },
  { text: 'one\nline', ids: [101, 2028, 2240, 102] },
  { text: 'x'.repeat(101), ids: [101, 100, 102] },
  { text: '', ids: [101, 102] },
  { text: '   ', ids: [101, 102] },
  { text: '\n\n\n', ids: [101, 102] },
  { text: '\u00a0', ids: [101, 102] },
  { text: '\u0000', ids: [101, 102] },
  { text: '\u200b', ids: [101, 102] },
  { text: 'volcano', ids: [101, 12779, 102] },
  { text: 'foo [PAD] bar', ids: [101, 29379, 0, 3347, 102] },
  { text: 'foo [SEP] bar', ids: [101, 29379, 102, 3347, 102] },
  { text: '[CLS]', ids: [101, 101, 102] },
  { text: '[UNK]', ids: [101, 100, 102] },
  { text: '[MASK]', ids: [101, 103, 102] },
  { text: '<|endoftext|>', ids: [101, 1026, 1064, 2203, 15794, 10288, 2102, 1064, 1028, 102] },
  { text: '[pad] lower case', ids: [101, 1031, 11687, 1033, 2896, 2553, 102] },
  {
    text: 'constructor toString __proto__ hasOwnProperty',
    ids: [
      101, 9570, 2953, 2000, 3367, 4892, 1035, 1035, 15053, 1035, 1035, 2038, 12384, 21572, 4842,
      3723, 102,
    ],
  },
  { text: '𠀀𠀁 漢', ids: [101, 100, 100, 1904, 102] },
  { text: 'x\ud800y \udc00', ids: [101, 1060, 2100, 102] },
];

const MIXED_CJK: Readonly<Record<string, KnownDeviation>> = {
  '今天天气很好 がぎぐ 한국어': 'kana with voicing marks',
};

/** Texts that `xenova` is known to get wrong, by model and in NFC: it depends on the vocabulary. */
export const DEVIATING: Readonly<Record<string, Readonly<Record<string, KnownDeviation>>>> = {
  'all-MiniLM-L6-v2': {
    '東京の春は桜がきれいです。': 'kana with voicing marks',
    'がぎぐげご ぱぴぷぺぽ ヴァ ガギグ': 'kana with voicing marks',
    'がぎぐ ぱぴ ヴ パ': 'kana with voicing marks',
    'नमस्ते, आज का खाना बहुत अच्छा है।': 'Devanagari, Tamil, Tibetan and Thai',
    'क़िला और ख़ुर्मा': 'Devanagari, Tamil, Tibetan and Thai',
    'བོད་སྐད་ལ་དཔེ་མང་པོ་ཡོད།': 'Devanagari, Tamil, Tibetan and Thai',
    'தமிழ் மொழி மிகவும் பழையது.': 'Devanagari, Tamil, Tibetan and Thai',
    'كِتَابٌ جَدِيدٌ عَلَى الطَّاوِلَةِ': 'pointed Hebrew, and Arabic with points or hamza',
    'قطار الليل يصل متأخرا دائما.': 'pointed Hebrew, and Arabic with points or hamza',
    'שָׁלוֹם עֲלֵיכֶם, הַיֶּלֶד יָשֵׁן': 'pointed Hebrew, and Arabic with points or hamza',
    ΟΔΥΣΣΕΥΣ: 'Greek in capitals',
    'ΟΔΟΣ ΟΔΟΣ.': 'Greek in capitals',
    '𠀀𠀁 漢': 'CJK beyond the Basic Multilingual Plane',
  },
  'tiny-bert-embeddings': MIXED_CJK,
  'tiny-classifier': MIXED_CJK,
  'tiny-long-context': MIXED_CJK,
  'tiny-pooled': MIXED_CJK,
  'tiny-xlmr-unigram': {
    '👨‍👩‍👧 emoji ❤️': 'emoji with Unigram vocabularies',
    'ガ ｶﾞ ำ ẛ̣': 'compatibility characters before combining marks with Unigram vocabularies',
  },
};
