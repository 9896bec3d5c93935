import { CHANNELS } from '../../../src/ops/channels.ts';

describe('a channel', () => {
  test('has subscribers only while someone listens', () => {
    expect(CHANNELS.restart.hasSubscribers).toBe(false);
    const end = CHANNELS.restart.subscribe(() => undefined);
    expect(CHANNELS.restart.hasSubscribers).toBe(true);
    end();
    expect(CHANNELS.restart.hasSubscribers).toBe(false);
  });

  test('hands an event to all listeners at once, and to those of no other channel', () => {
    const heard: unknown[] = [];
    const ends = [
      CHANNELS.restart.subscribe((event) => heard.push(['one', event])),
      CHANNELS.restart.subscribe((event) => heard.push(['other', event])),
      CHANNELS.reload.subscribe((event) => heard.push(['reload', event])),
    ];
    const event = { model: 'm' };
    CHANNELS.restart.publish(event);
    for (const end of ends) end();
    CHANNELS.restart.publish(event);
    expect(heard).toEqual([
      ['one', event],
      ['other', event],
    ]);
  });
});
