import { downloadProgress, progressBar, sizeText } from '../../../src/cli/progress.ts';
import type { HubFile } from '../../../src/model-files/hub.ts';
import { recordingHost } from '../../support/recording-host.ts';

function file(size: number | null, sha256: string | null = null): HubFile {
  return { name: 'm.onnx', url: 'http://hub/m.onnx', size, sha256, commit: null };
}

describe('progressBar()', () => {
  test.each([
    [0, 'm.onnx [                        ]   0 % of 90.4 MB'],
    [45_200_000, 'm.onnx [############            ]  50 % of 90.4 MB'],
    [90_400_000, 'm.onnx [########################] 100 % of 90.4 MB'],
    [99_000_000, 'm.onnx [########################] 100 % of 90.4 MB'],
  ])('shows %d bytes of a file', (bytes, bar) => {
    expect(progressBar('m.onnx', bytes, 90_400_000)).toBe(bar);
  });

  test('shows the bytes of a file whose size is not known', () => {
    expect(progressBar('m.onnx', 1234, null)).toBe('m.onnx 1.2 kB');
  });
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [1_000_000, '1.0 MB'],
])('sizeText(%d) is %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

describe('downloadProgress()', () => {
  test('writes a bar over itself on a terminal, only when it changes', () => {
    const host = recordingHost({ isTerminal: true });
    const { onBytes, onFile } = downloadProgress(host);
    for (const bytes of [0, 1, 2, 500, 501]) onBytes(file(1000), bytes);
    onFile(file(1000, 'ab'), { bytes: 1000, sha256: 'ab' });
    const bar = progressBar('m.onnx', 500, 1000);
    const erase = '\u001B[K';
    expect(host.stderr()).toBe(
      `\r${progressBar('m.onnx', 0, 1000)}${erase}\r${bar}${erase}\r${erase}`,
    );
    expect(host.stdout()).toBe('m.onnx: 1.0 kB, sha256 ab, as the hub says\n');
  });

  test('writes plain lines elsewhere, a few for a large file and none for a small one', () => {
    const host = recordingHost();
    const { onBytes, onFile } = downloadProgress(host);
    onBytes(file(1000), 500);
    onBytes(file(null), 500);
    for (let bytes = 0; bytes <= 10_000_000; bytes += 500_000) onBytes(file(10_000_000), bytes);
    const percents = Array.from({ length: 11 }, (_, at) => `m.onnx: ${at * 10} % of 10.0 MB\n`);
    expect(host.stderr()).toBe(percents.join(''));
    onFile(file(1000), { bytes: 1000, sha256: 'ab' });
    expect(host.stdout()).toBe('m.onnx: 1.0 kB, sha256 ab\n');
  });
});
