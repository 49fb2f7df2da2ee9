import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatDiagnosticLine } from '../../src/base/issue.ts'
import type { Role } from '../../src/deploy/code-file-roles.ts'
import { checkFile } from '../../src/deploy/file-check.ts'
import { createRubySyntaxCheck } from '../../src/deploy/ruby-syntax.ts'
import { testSettings } from '../code/environments/settings.ts'

const context = {
  settings: testSettings(),
  ruby: createRubySyntaxCheck(),
  moduleFile: (path: string) => (path.startsWith('modules/') ? path.slice('modules/'.length) : undefined),
}
const problems = (role: Role, file: string, text: string) =>
  checkFile({ file, text }, role, context).map(formatDiagnosticLine)

const recordedSops = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, '../compiler/hiera/sops/recorded', name), 'utf8')

describe('checking a file', () => {
  it.each<[string, Role, string, string]>([
    ['good manifest', 'manifest', 'a.pp', 'class a { }\n'],
    ['good plan', 'plan', 'plans/init.pp', 'plan a() { }\n'],
    ['good template', 'template', 'a.epp', '<%- | $x | -%>\n<%= $x %>\n'],
    ['good data', 'yaml', 'data/a.yaml', '---\na: "%{facts.x}"\na: again\n'],
    ['good ERB', 'erb', 'a.erb', '<% @a.each do |x| -%>\n<%= x %>\n<%- end -%>\n<%# no code %>'],
    ['good Ruby', 'ruby', 'a.rb', "require 'gone'\nPuppet::Functions.create_function(:x) { def x = 1 }\n"],
    ['empty data', 'yaml', 'data/a.yaml', ''],
    ['good hiera.yaml', 'hiera.yaml', 'hiera.yaml', 'version: 5\nhierarchy: []\n'],
    ['good data of several documents', 'yaml', 'data/a.yaml', '---\na: 1\n---\nb: 2\n'],
    ['good module', 'manifest', 'modules/a/manifests/b.pp', 'class a::b { }\n'],
    [
      'good file of policies',
      'policies',
      'policies/a.yaml',
      'rules: { a: { message: m, type: Exec, resource: false } }\n',
    ],
    [
      'file of attributes without conversions',
      'attributes',
      '.gitattributes',
      '* text=auto\n*.sh text eol=lf\n# * eol=crlf\n*.exe -text\n',
    ],
    ['good rollout', 'rollout', 'rollout.yaml', 'waves: [ { name: all } ]\n'],
    ['good json', 'json', 'a.json', '{"a": [1]}'],
    ['good HOCON', 'hocon', 'a.conf', 'a = [1]\nb { c = ${a} }\n'],
    ['good file of SOPS', 'sops', 'data/a.yaml', recordedSops('flux/age.yaml')],
    ['good dotenv file of SOPS', 'sops', 'data/a.env', recordedSops('flux/env.env')],
    ['good fact', 'ruby', 'lib/facter/a.rb', 'Facter.add(:a) { setcode { 1 } }\n'],
    ['good environment.conf', 'environment.conf', 'environment.conf', 'manifest = site.pp\n'],
  ])('finds nothing wrong with a %s', (_, role, file, text) => {
    expect(problems(role, file, text)).toEqual([])
  })

  it.each<[Role, string, string, RegExp]>([
    [
      'attributes',
      '.gitattributes',
      '* text=auto\n*.ps1 text eol=crlf\r\n',
      /^The attribute eol=crlf of \*\.ps1 is ignored: nodes receive the bytes in the commit \(file: \.gitattributes, line: 2, column: 1\)$/,
    ],
    [
      'attributes',
      '.gitattributes',
      '*.reg working-tree-encoding=UTF-16LE-BOM\n',
      /^The attribute working-tree-encoding=/,
    ],
    [
      'attributes',
      '.gitattributes',
      '*.msi filter=lfs diff=lfs merge=lfs -text\n',
      /^The attribute filter=lfs of \*\.msi /,
    ],
    [
      'rollout',
      'rollout.yaml',
      'waves:\n  - { name: all, wiat: 10m }\n',
      /^Unknown key 'wiat' in waves\[0\] \(file: rollout\.yaml, line: 2, column: 18\)$/,
    ],
    ['manifest', 'a.pp', 'class a {\n  file { x:\n    ensure => ,\n  }\n}\n', /\(file: a\.pp, line: 3, column: 15\)$/],
    ['template', 'a.epp', 'x\n<%= if %>\n', /\(file: a\.epp, line: 2, column: \d+\)$/],
    ['erb', 'a.erb', 'x\n\n<%= 1 + %>\n', /^Could not parse template: .+ \(file: a\.erb, line: 3, column: 1\)$/],
    [
      'erb',
      'a.erb',
      '<% if true %>\n',
      /^Could not parse template: expected an `end` to close .+ \(file: a\.erb, line: 2,/,
    ],
    ['ruby', 'a.rb', 'x = 1\ndef y(\n', /^Could not parse Ruby: .+ \(file: a\.rb, line: 2, column: 7\)$/],
    [
      'yaml',
      'data/a.yaml',
      'a: 1\nb: [1,\nc: 2\n',
      /^Could not parse YAML: .*\(file: data\/a\.yaml, line: \d, column: \d+\)$/,
    ],
    [
      'hiera.yaml',
      'hiera.yaml',
      'version: 3\n',
      /^hiera\.yaml version 3 cannot be used in an environment \(file: hiera\.yaml, line: 1/,
    ],
    [
      'hiera.yaml',
      'hiera.yaml',
      'version: 5\ndefaults: {}\nhierarchy:\n  - name: a\n',
      /^One of data_hash, .* must be defined in hierarchy 'a' \(file: hiera\.yaml, line: 4, column: 3\)$/,
    ],
    ['hiera.yaml', 'hiera.yaml', 'version: 5\nhierarchy: 1\n', /The Lookup Configuration at 'hiera\.yaml'/],
    [
      'manifest',
      'modules/a/manifests/b.pp',
      'class c { }\n',
      /\(file: modules\/a\/manifests\/b\.pp, line: 1, column: 1\)$/,
    ],
    [
      'policies',
      'policies/a.yaml',
      'rules: { a: { message: m } }',
      /^The rule 'a' in policies\/a\.yaml has no test \(file: policies\/a\.yaml, line: 1/,
    ],
    ['manifest', 'a.pp', '$x = {a => 1, a => 2}\n', /The key 'a' is declared more than once/],
    ['json', 'a.json', '{"a": 1,\n  b}', /^Could not parse JSON: .*\(file: a\.json, line: 2, column: 3\)$/],
    ['json', 'a.json', '{"a": 1', /^Could not parse JSON: .*\(file: a\.json, line: 1, column: 8\)$/],
    ['metadata.json', 'metadata.json', '[]', /^metadata\.json must be an object/],
    ['metadata.json', 'metadata.json', '{"name": ', /^Could not parse JSON: .*\(file: metadata\.json, line: 1/],
    ['json', 'a.json', '[1]', /^A data file must be an object \(file: a\.json, line: 1/],
    [
      'sops',
      'data/a.yaml',
      'password: in plain text\n',
      /^Could not parse a file of SOPS: sops metadata not found \(file: data\/a\.yaml, line: 1, column: 1\)$/,
    ],
    ['sops', 'data/a.json', '{', /^Could not parse a file of SOPS: it is not valid JSON: /],
    ['sops', 'data/a.bin', '', /^Could not parse a file of SOPS: the format of data\/a\.bin is not supported/],
    ['hocon', 'a.conf', 'a = 1\nb {\n', /\(file: a\.conf, line: \d, column: \d+\)$/],
    [
      'ruby',
      'lib/facter/a.rb',
      'Facter.add(:a) do\n',
      /^Could not parse Ruby: .+ \(file: lib\/facter\/a\.rb, line: \d/,
    ],
    ['environment.conf', 'environment.conf', 'manifest\n', /\(file: environment\.conf, line: 1, column: 1\)$/],
    [
      'environment.conf',
      'environment.conf',
      'rich_data = perhaps\n',
      /^Invalid value '"perhaps"' for boolean parameter: rich_data/,
    ],
  ])('%s %s: %j', (role, file, text, message) => {
    expect(problems(role, file, text)).toEqual([expect.stringMatching(message)])
  })
})
