import { StartError } from '../../../src/errors.ts';
import { describeModel } from '../../../src/model-files/describe.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  folder.remove();
});

describe('describeModel()', () => {
  test.each([
    ['{"a": ', /config\.json: not valid JSON: /],
    ['', /config\.json: not valid JSON: /],
    ['{\n\n"a"\n', /^[^\n]*config\.json: not valid JSON: [^\n]+$/],
    [
      Buffer.from('{"a": "\u00e9"}', 'latin1'),
      /config\.json: cannot read the file: the text is not UTF-8$/,
    ],
    ['5', /config\.json: must hold a JSON object$/],
    ['null', /config\.json: must hold a JSON object$/],
    ['[]', /config\.json: must hold a JSON object$/],
  ])('refuses %j as a file', (content, message) => {
    folder.write('config.json', content);
    expect(() => describeModel(folder.path)).toThrow(message);
    expect(() => describeModel(folder.path)).toThrow(StartError);
  });

  test('refuses a file that cannot be read', () => {
    folder.write('config.json/file', '');
    expect(() => describeModel(folder.path)).toThrow(
      /config\.json: cannot read the file: it is a folder$/,
    );
  });

  test('refuses a folder without config.json', () => {
    folder.write('tokenizer_config.json', '{}');
    expect(() => describeModel(folder.path)).toThrow(StartError);
    expect(() => describeModel(folder.path)).toThrow(
      /config\.json: cannot read the file: no such file or folder$/,
    );
  });

  test.each([
    ['modules.json', '{}', 'list'],
    ['1_Pooling/config.json', '[]', 'object'],
    ['tokenizer_config.json', '[]', 'object'],
    ['special_tokens_map.json', '"<pad>"', 'object'],
  ])('refuses a %s that holds %s', (file, content, kind) => {
    folder.write('config.json', '{}');
    folder.write(file, content);
    expect(() => describeModel(folder.path)).toThrow(StartError);
    expect(() => describeModel(folder.path)).toThrow(
      new RegExp(`${file.replaceAll('.', String.raw`\.`)}: must hold a JSON ${kind}$`),
    );
  });
});
