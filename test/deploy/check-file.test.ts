import { describe, expect, it } from 'vitest'
import { inOneLine } from '../../src/base/issue.ts'
import { checkFile, isChecked } from '../../src/deploy/check-file.ts'
import { testSettings } from '../environments/settings.ts'

const context = {
  settings: testSettings(),
  moduleFile: (path: string) => (path.startsWith('modules/') ? path.slice('modules/'.length) : undefined),
}
const problems = (file: string, text: string) => checkFile({ file, text }, context).map(inOneLine)

describe('what a push is checked for', () => {
  it.each([
    ['manifests/site.pp', true],
    ['modules/a/templates/x.epp', true],
    ['data/common.yaml', true],
    ['hiera.yaml', true],
    ['environment.conf', true],
    ['modules/a/metadata.json', true],
    ['modules/a/files/broken.yaml', false],
    ['modules/a/spec/fixtures/x.pp', false],
    ['.github/workflows/ci.yml', false],
    ['README.md', false],
    ['modules/a/environment.conf', false],
  ])('%s: %s', (path, checked) => {
    expect(isChecked(path)).toBe(checked)
  })
})

describe('checking a file', () => {
  it.each([
    ['good manifest', 'a.pp', 'class a { }\n'],
    ['good plan', 'plans/init.pp', 'plan a() { }\n'],
    ['good template', 'a.epp', '<%- | $x | -%>\n<%= $x %>\n'],
    ['good data', 'data/a.yaml', '---\na: "%{facts.x}"\na: again\n'],
    ['empty data', 'data/a.yaml', ''],
    ['good hiera.yaml', 'hiera.yaml', 'version: 5\nhierarchy: []\n'],
    ['good data of several documents', 'data/a.yaml', '---\na: 1\n---\nb: 2\n'],
    ['good module', 'modules/a/manifests/b.pp', 'class a::b { }\n'],
    ['good json', 'a.json', '{"a": [1]}'],
    ['good environment.conf', 'environment.conf', 'manifest = site.pp\n'],
  ])('finds nothing wrong with a %s', (_, file, text) => {
    expect(problems(file, text)).toEqual([])
  })

  it.each([
    ['a.pp', 'class a {\n  file { x:\n    ensure => ,\n  }\n}\n', /\(file: a\.pp, line: 3, column: 15\)$/],
    ['a.epp', 'x\n<%= if %>\n', /\(file: a\.epp, line: 2, column: \d+\)$/],
    ['data/a.yaml', 'a: 1\nb: [1,\nc: 2\n', /^Could not parse YAML: .*\(file: data\/a\.yaml, line: \d, column: \d+\)$/],
    [
      'hiera.yaml',
      'version: 3\n',
      /^hiera\.yaml version 3 cannot be used in an environment \(file: hiera\.yaml, line: 1/,
    ],
    ['hiera.yaml', 'version: 5\nhierarchy: 1\n', /The Lookup Configuration at 'hiera\.yaml'/],
    ['modules/a/manifests/b.pp', 'class c { }\n', /\(file: modules\/a\/manifests\/b\.pp, line: 1, column: 1\)$/],
    ['a.pp', '$x = {a => 1, a => 2}\n', /The key 'a' is declared more than once/],
    ['a.json', '{"a": 1,\n  b}', /^Could not parse JSON: .*\(file: a\.json, line: 2, column: 3\)$/],
    ['a.json', '{"a": 1', /^Could not parse JSON: .*\(file: a\.json, line: 1, column: 8\)$/],
    ['metadata.json', '[]', /^metadata\.json must be an object/],
    ['environment.conf', 'manifest\n', /\(file: environment\.conf, line: 1, column: 1\)$/],
    ['environment.conf', 'rich_data = perhaps\n', /^Invalid value 'perhaps' for parameter: rich_data/],
  ])('%s: %j', (file, text, message) => {
    expect(problems(file, text)).toEqual([expect.stringMatching(message)])
  })
})
