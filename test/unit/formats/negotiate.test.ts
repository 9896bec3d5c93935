import { negotiate } from '../../../src/formats/negotiate.ts';
import type { Wire } from '../../../src/formats/wire.ts';
import { json } from '../../../src/formats/wires/json.ts';

/** A second wire, as MessagePack will be. */
const packed: Wire = {
  mediaTypes: ['application/msgpack', 'application/x-msgpack'],
  dataEncoding: 'binary',
  bytes: (data) => data,
  serialize: json.serialize,
};

describe('negotiate()', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/plain', 'application/json'],
    ['application/json, application/msgpack', 'application/msgpack'],
    ['application/msgpack', 'application/msgpack'],
    ['Application/MsgPack ; Q=0.5', 'application/msgpack'],
    ['application/x-msgpack', 'application/x-msgpack'],
    ['application/x-msgpack, application/msgpack', 'application/msgpack'],
    ['application/x-msgpack, application/msgpack;q=0.9', 'application/x-msgpack'],
    ['application/msgpack;q=0', 'application/json'],
    ['application/msgpack;q=0.8, application/json', 'application/json'],
    ['application/msgpack;q=0.8, application/json;q=0.5', 'application/msgpack'],
    ['application/msgpack;q=0.8, */*', 'application/json'],
    ['application/msgpack, */*', 'application/msgpack'],
    ['application/msgpack;q=0.8, application/*;q=0.9, */*;q=0.1', 'application/json'],
    ['application/msgpack;q=nonsense, text/html', 'application/json'],
    ['application/msgpack;q=1.5', 'application/json'],
    ['application/msgpack;q=1.000;x=y', 'application/msgpack'],
    ['application/msgpack;q=0.1, application/msgpack', 'application/msgpack'],
    [',,;q=1,', 'application/json'],
  ])('answers %j with %s', (accept, mediaType) => {
    const found = negotiate(accept, [json, packed]);
    expect(found.mediaType).toBe(mediaType);
    expect(found.wire).toBe(mediaType === 'application/json' ? json : packed);
  });

  test('has JSON alone by itself', () => {
    expect(negotiate('application/msgpack').wire).toBe(json);
  });

  test('cuts a header that is too long', () => {
    const accept = `${'text/x,'.repeat(300_000)}application/msgpack`;
    expect(negotiate(accept, [json, packed]).wire).toBe(json);
  });
});
