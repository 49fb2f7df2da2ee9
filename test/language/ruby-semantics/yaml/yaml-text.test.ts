import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { convertYamlToJson } from '../../../../src/language/ruby-semantics/yaml/yaml-data.ts'
import { formatYaml } from '../../../../src/language/ruby-semantics/yaml/yaml-text.ts'
import { fc } from '../../../support/properties.ts'

describe('yamlText', () => {
  it('is read back as what it was, whatever the data', () => {
    const data = fc.jsonValue({ maxDepth: 4, noUnicodeString: false })
    fc.assert(
      fc.property(data, (value) => {
        expect(parse(formatYaml(value), { version: '1.1' })).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  const texts = [
    'no',
    'NULL',
    '~',
    '1e3',
    '0644',
    '2026-01-01',
    ':checked',
    '- a',
    'a: b',
    'a #b',
    '',
    ' a',
    'a\nb',
    '\x7f',
  ]
  it.each(texts)('keeps the text %j a text', (text) => {
    expect(parse(formatYaml({ [text]: text }), { version: '1.1' })).toEqual({ [text]: text })
  })

  it('writes what is not UTF-8 as Psych does, as keys and values, and reads it back', () => {
    const value = { 'k\udcad': ['\udcff', { a: 'é\udc80' }], '\ud800': 'half' }
    const written = formatYaml(value)
    expect(written).toBe('---\n!binary "a60=":\n  - !binary "/w=="\n  -\n    a: !binary "w6mA"\n"\ufffd": half\n')
    expect(convertYamlToJson(written, {})).toEqual({ 'k\udcad': ['\udcff', { a: 'é\udc80' }], '\ufffd': 'half' })
  })

  it('reads back keys as long as scripts', () => {
    const value = { a: { [`Exec[${'true\n'.repeat(400)}]`]: { failed: false } } }
    expect(parse(formatYaml(value))).toEqual(value)
  })

  it('writes block style, and leaves out what is undefined', () => {
    expect(formatYaml({ a: [1, { b: 'c d' }], none: undefined, empty: [], at: '2026-01-01T00:00:00Z' })).toBe(
      '---\na:\n  - 1\n  -\n    b: c d\nempty: []\nat: "2026-01-01T00:00:00Z"\n',
    )
  })
})
