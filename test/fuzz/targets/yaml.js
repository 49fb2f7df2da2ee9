import fc from 'fast-check'
import { stringify } from 'yaml'
import { PuppetError } from '../../../dist/base/issue.js'
import { formatExactJson } from '../../../dist/base/json/json-text.js'
import { convertYamlToJson, readPlainYaml } from '../../../dist/language/ruby-semantics/yaml/yaml-data.js'
import { YamlError } from '../../../dist/language/ruby-semantics/yaml/yaml-error.js'
import { parseYaml } from '../../../dist/language/values/yaml.js'
import { allowing, textOf } from '../target.js'

const same = (/** @type {string} */ text) => text
const permitted = { Symbol: same, Date: same, Time: same }

/** YAML of Hiera, as Psych reads it: read to the end, or refused. @type {import('../target.js').Target} */
export default {
  name: 'yaml',
  seeds: [
    '---\na: 1\nb: [x, "y\\n", \'z\']\nc: {d: ~, ? e : f}\n',
    'base: &base\n  - 0o17\n  - 0644\n  - 1_000\n  - 12:30:45\nmore:\n  <<: {k: v}\n  again: *base\n',
    'text: |+\n  lines\n   of it\n\nfolded: >-2\n   a\n   b\nt: !!float 1\n',
    '%YAML 1.1\n%TAG !e! tag:e.com,2000:\n---\n!e!x &a [1.5e+3, .inf, -.nan, yes, 2001-01-01]\n...\n',
    '- - a\n  - ? complex\n    : value\n- :symbol\n- !binary aGVsbG8=\n- !!omap [a: 1]\n',
  ],
  dictionary: [
    '---',
    '...',
    ': ',
    '- ',
    '? ',
    '&a',
    '*a',
    '<<',
    '|',
    '>',
    '|2-',
    '!!str',
    '!ruby/sym',
    '!',
    '!<tag>',
    '%YAML 1.1',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '\\x',
    '\\u',
    '#',
    '\n',
    '\n  ',
    '\t',
    '~',
    'null',
    'yes',
    '.inf',
    '0x',
    '1_',
    ':',
    '0b1',
    '2001-01-01 00:00:00',
  ],
  grammar: fc.jsonValue({ maxDepth: 5 }).map((value) => stringify(value)),
  run(bytes) {
    const text = textOf(bytes)
    allowing([YamlError, PuppetError], () => parseYaml(text))
    const json = allowing([YamlError, PuppetError], () => convertYamlToJson(text, permitted))
    allowing([YamlError], () => readPlainYaml(text))
    if (json !== undefined) allowing([PuppetError], () => formatExactJson(json))
  },
}
