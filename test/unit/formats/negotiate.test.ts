import { negotiate } from '../../../src/formats/negotiate.ts';
import { json } from '../../../src/formats/wires/json.ts';
import { msgpack } from '../../../src/formats/wires/msgpack.ts';

const JSON_TYPE = 'application/json';
const MSGPACK = 'application/msgpack';
const X_MSGPACK = 'application/x-msgpack';

function check(accept: string | undefined, mediaType: string): void {
  const found = negotiate(accept);
  expect(found.mediaType).toBe(mediaType);
  expect(found.wire).toBe(mediaType === JSON_TYPE ? json : msgpack);
}

describe('negotiate()', () => {
  test.each([
    ['no header', undefined, JSON_TYPE],
    ['curl, wget, requests, the npm Baseten client', '*/*', JSON_TYPE],
    ['the OpenAI SDKs', 'application/json', JSON_TYPE],
    ['axios', 'application/json, text/plain, */*', JSON_TYPE],
    [
      'a browser',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      JSON_TYPE,
    ],
    ['an old Java', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE],
    ['the Python Baseten client', 'application/json, application/msgpack', MSGPACK],
    ['requests with the older type', 'application/x-msgpack', X_MSGPACK],
  ])('answers %s', (_client, accept, mediaType) => {
    check(accept, mediaType);
  });

  test.each([
    ['', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['text/plain', JSON_TYPE],
    ['application/msgpack', MSGPACK],
    ['application/msgpack,application/json', MSGPACK],
    ['Application/MsgPack ; Q=0.5', MSGPACK],
    ['APPLICATION/X-MSGPACK', X_MSGPACK],
    ['application/msgpack; version=5', MSGPACK],
    ['application/x-msgpack, application/msgpack', MSGPACK],
    ['application/x-msgpack, application/msgpack;q=0.9', X_MSGPACK],
    ['application/json, application/x-msgpack', X_MSGPACK],
    ['application/vnd.msgpack', JSON_TYPE],
    ['application/msgpack+zstd', JSON_TYPE],
  ])('answers %j with %s', check);

  test.each([
    ['application/json;q=0.5, application/msgpack;q=0.5', MSGPACK],
    ['application/msgpack;q=0.8, application/json', JSON_TYPE],
    ['application/msgpack;q=0.8, application/json;q=0.5', MSGPACK],
    ['application/msgpack;q=0.8, application/json;q=0.801', JSON_TYPE],
    ['application/msgpack;q=1.000;x=y', MSGPACK],
    ['application/msgpack;q=0.1, application/msgpack', MSGPACK],
    ['application/json;q=0.1, application/json, application/msgpack;q=0.9', JSON_TYPE],
  ])('weighs %j: %s', check);

  test.each([
    ['application/msgpack, */*', MSGPACK],
    ['application/msgpack;q=0.8, */*', JSON_TYPE],
    ['application/msgpack;q=0.8, */*;q=0.8', MSGPACK],
    ['application/msgpack;q=0.8, application/*;q=0.9, */*;q=0.1', JSON_TYPE],
    ['application/json;q=0.2, */*;q=0.9, application/msgpack;q=0.5', MSGPACK],
  ])('counts the most specific range of %j: %s', check);

  test.each([
    ['application/msgpack;q=0', JSON_TYPE],
    ['application/msgpack;q=0.000, */*', JSON_TYPE],
    ['application/msgpack;q=0, application/x-msgpack', X_MSGPACK],
    ['application/json;q=0, application/msgpack;q=0.1', MSGPACK],
    ['application/json;q=0, */*', MSGPACK],
    ['application/json;q=0, application/*;q=0.5', MSGPACK],
    ['application/json;q=0, application/msgpack;q=0, */*;q=0.1', X_MSGPACK],
    ['application/json;q=0', JSON_TYPE],
    ['*/*;q=0', JSON_TYPE],
  ])('excludes by a weight of 0 in %j: %s', check);

  test.each([
    ['application/msgpack;q=nonsense, text/html'],
    ['application/msgpack;q=1.5'],
    ['application/msgpack;q=-1'],
    ['application/msgpack;q='],
    ['application/msgpack;q="0.5"'],
    ['application/json;q=nonsense, */*'],
    [',,;q=1,'],
    [';;;'],
    ['msgpack'],
    ['application/msgpack/x'],
    ['\u0000\u00ff'],
  ])('answers the nonsense %j with JSON', (accept) => {
    check(accept, JSON_TYPE);
  });

  test('chooses among the wires it is given', () => {
    expect(negotiate('application/msgpack', [json]).wire).toBe(json);
  });

  test('cuts a header that is too long', () => {
    check(`${'text/x,'.repeat(300_000)}application/msgpack`, JSON_TYPE);
  });
});
