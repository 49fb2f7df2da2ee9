import { describe, expect, it } from 'vitest'
import type { PuppetError } from '../../../src/base/issue.ts'
import { worthOf } from '../../support/host.ts'
import { treeOf } from '../../support/map-tree.ts'
import { hieraHost, puppetFunction, said } from './hiera-of.ts'

const files = {
  'hiera.yaml': `
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: mapped
    mapped_paths: [facts.many, item, "many/%{item}.yaml"]
  - name: globs
    globs: ["g/*.yaml", "g2/**/{x,y}.yaml"]
  - name: json
    path: j.json
    data_hash: json_data
  - name: hocon
    path: h.conf
    data_hash: hocon_data
  - name: fn key
    lookup_key: f::key_fn
    options: {one: "%{facts.os.family}"}
  - name: fn hash
    data_hash: f::hash_fn
    paths: [p1.txt, p2.txt]
  - name: fn dig
    data_dig: f::dig_fn
  - name: nofile
    path: nofile.yaml
  - name: common
    paths: [common.yaml]
`,
  'data/many/a.yaml': 'mm: from-a\nma: 1',
  'data/many/b.yaml': 'mm: from-b\nmb: 2',
  'data/g/1.yaml': 'gg: g1',
  'data/g/2.yaml': 'gg: g2',
  'data/g2/deep/x.yaml': 'gx: [x]',
  'data/g2/y.yaml': 'gx: [y]',
  'data/g2/z.yaml': 'gx: [z]',
  'data/j.json': '{"jj": [1, 1.0, 1e3, null, true, "%{facts.os.name}", {"a": 12345678901234567890123}]}',
  'data/h.conf': 'hh { a = [1, 2.5], b = ${hh.a} }',
  'data/p1.txt': 'x\n',
  'data/p2.txt': 'y\n',
  'data/common.yaml': `
m::over: env
lookup_options:
  gx: {merge: unique}
  hl: {merge: unique}
  'm::mm': {merge: {strategy: deep}}
m::mm: {a: env}
`,
  'modules/m/hiera.yaml': `
version: 5
hierarchy:
  - {name: c, path: common.yaml}
default_hierarchy:
  - {name: d, path: defaults.yaml}
`,
  'modules/m/data/common.yaml': `
m::a: module
m::over: module
other: nope
m::mm: {b: module}
m::un: [1]
lookup_options:
  m::un: {merge: unique}
`,
  'modules/m/data/defaults.yaml': 'm::d: default\nm::a: default\nm::deep: {x: [1]}\n',
  'modules/n/hiera.yaml': 'version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n',
  'modules/n/data/common.yaml': 'lookup_options: {other: {merge: unique}}',
  'modules/bad/hiera.yaml': 'version: 3\n',
}

const functions = [
  puppetFunction(
    'f::key_fn',
    ['key', 'options', 'context'],
    `if $context.cache_has_key($key) { $context.cached_value($key) } else {
      case $key {
        'kk': { $context.cache($key, "\${options['one']}-\${context.environment_name}-\${context.module_name}") }
        'ki': { $context.interpolate('<%{facts.os.name}>') }
        'kn': { undef }
        'kf': { $context.cached_file_data('/code/production/data/p1.txt') }
        default: { $context.not_found() }
      }
    }`,
  ),
  puppetFunction(
    'f::hash_fn',
    ['options', 'context'],
    `{ 'hp' => $options['path'][-6, 6], 'hi' => '%{facts.os.name}', 'hl' => [$options['path'][-6, 6]] }`,
  ),
  puppetFunction(
    'f::dig_fn',
    ['segments', 'options', 'context'],
    `if $segments[0] == 'dd' { "dug \${segments}" } else { $context.not_found }`,
  ),
]

/** Asked of real Puppet 7.23 with these very files, but for HOCON, which Debian's has not. */
const cases: readonly (readonly [code: string, worth: string])[] = [
  [`lookup('mm')`, `'from-a'`],
  [`lookup('mb')`, '2'],
  [`lookup('mm', Any, unique)`, `['from-a', 'from-b']`],
  [`lookup('gg')`, `'g1'`],
  [`lookup('gx')`, `['x', 'y']`],
  [`lookup('jj')`, `[1, 1.0, 1000.0, undef, true, 'Debian', {'a' => 12345678901234567890123}]`],
  [`lookup('hh')`, `{'a' => [1, 2.5], 'b' => [1, 2.5]}`],
  [`lookup('kk')`, `'Debian-production-'`],
  [`lookup('ki')`, `'<Debian>'`],
  [`lookup('kn')`, 'undef'],
  [`lookup('kf')`, `"x\\n"`],
  [`lookup('hp')`, `'p1.txt'`],
  [`lookup('hi')`, `'Debian'`],
  [`lookup('hl')`, `['p1.txt', 'p2.txt']`],
  [`lookup('dd.x.1')`, `'dug [dd, x, 1]'`],
  [`lookup('dd')`, `'dug [dd]'`],
  [`lookup('nope')`, `! Function lookup() did not find a value for the name 'nope'`],
  [`lookup('m::a')`, `'module'`],
  [`lookup('m::over')`, `'env'`],
  [`lookup('m::d')`, `'default'`],
  [`lookup('m::deep.x.0')`, '1'],
  [`lookup('m::mm')`, `{'b' => 'module', 'a' => 'env'}`],
  [`lookup('m::un')`, '[1]'],
  [`lookup('other')`, `! Function lookup() did not find a value for the name 'other'`],
  [`lookup('n::x')`, `! all lookup_options keys must start with module name 'n'`],
  [
    `lookup('bad::x')`,
    '! hiera.yaml version 3 cannot be used in a module (file: /code/production/modules/bad/hiera.yaml)',
  ],
  [`lookup('nomod::x')`, `! Function lookup() did not find a value for the name 'nomod::x'`],
]

describe('the layers and levels of data', () => {
  it.each(cases)('%s', (code, worth) => {
    expect(said(code, hieraHost(files, {}, functions))).toBe(worth)
  })

  it('warns of data that a module has for others', () => {
    const host = hieraHost(files, {}, functions)
    said(`lookup('m::a')`, host)
    expect(host.warnings.map(({ message }) => message)).toEqual([
      "Module 'm': Value returned from data_hash function 'yaml_data', when using location " +
        "'/code/production/modules/m/data/common.yaml', must use keys qualified with the name of the module",
    ])
  })

  it('asks the global layer first, which may have its data in the environment', () => {
    const tree = treeOf(
      {
        'hiera.yaml':
          'version: 5\nhierarchy:\n  - {name: own, path: own.yaml}\n' +
          '  - {name: theirs, datadir: "/code/%{environment}/global", path: a.yaml}\n' +
          '  - {name: outside, path: /etc/passwd}\n',
        'data/own.yaml': 'mm: global',
      },
      '/etc/plumb',
    )
    const host = hieraHost(
      { ...files, 'global/a.yaml': 'gl: found' },
      { globalHiera: { tree, path: 'hiera.yaml' } },
      functions,
    )
    expect(said(`[lookup('mm'), lookup('gl'), lookup('mb')]`, host)).toBe(`['global', 'found', 2]`)
  })
})

const refused: readonly (readonly [config: string, message: string])[] = [
  ['version: 6', 'This runtime does not support hiera.yaml version 6 (file: F)'],
  ['version: 3', 'hiera.yaml version 3 cannot be used in an environment (file: F)'],
  ['[1]', 'hiera.yaml version 3 cannot be used in an environment (file: F)'],
  [
    'version: 5\ndefaults: {datadir: x}\nhierarchy:\n  - {name: a}',
    "One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in hierarchy 'a' (file: F)",
  ],
  [
    'version: 5\nhierarchy:\n  - {name: a, path: x, glob: y}',
    "Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'a' (file: F)",
  ],
  [
    'version: 5\nhierarchy:\n  - {name: a, data_hash: a, lookup_key: b}',
    "Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in hierarchy 'a' (file: F)",
  ],
  ['version: 5\nhierarchy:\n  - {name: a}\n  - {name: a}', "Hierarchy name 'a' defined more than once. (file: F)"],
  ['version: 5\ndefault_hierarchy: []', "'default_hierarchy' is only allowed in the module layer (file: F)"],
  [
    'version: 5\nfoo: 1',
    "Evaluation Error: Error while evaluating a Function Call, The Lookup Configuration at 'F' has wrong type, " +
      "unrecognized key 'foo' (line: 2, column: 1)",
  ],
  [
    'version: 5\nhierarchy: 3',
    "Evaluation Error: Error while evaluating a Function Call, The Lookup Configuration at 'F' has wrong type, " +
      "entry 'hierarchy' expects an Array value, got Integer (line: 2, column: 1)",
  ],
  [
    'version: 5\nhierarchy:\n  - {name: a, options: {path: x}}',
    "Option key 'path' used in hierarchy 'a' is reserved by Puppet (file: F)",
  ],
  [
    'version: 5\nhierarchy:\n  - {name: a, lookup_key: nofn}',
    "Unable to find 'lookup_key' function named 'nofn' (file: F)",
  ],
  [
    `version: 5\nhierarchy:\n  - {name: a, path: "%{lookup('x')}"}`,
    'Interpolation using method syntax is not allowed in this context (file: F)',
  ],
  ['version: 5\nhierarchy:\n  - {name: a, path: "%{nope}"}', "Undefined variable 'nope' (file: F)"],
  [
    'version: 5\nhierarchy:\n  - {name: a, data_hash: yaml_data}',
    "Evaluation Error: Error while evaluating a Function Call, 'yaml_data' one of 'path', 'paths' 'glob', 'globs' or " +
      "'mapped_paths' must be declared in hiera.yaml when using this data_hash function (line: 2, column: 1)",
  ],
]

describe('a hiera.yaml that makes no sense is refused', () => {
  it.each(refused)('%s', (config, message) => {
    const expected = message.replaceAll(/\bF\b/g, '/code/production/hiera.yaml')
    expect(said(`lookup('a')`, hieraHost({ 'hiera.yaml': config }))).toBe(`! ${expected}`)
  })
})

it('a function that is not there has a hint at the nearest', () => {
  const host = hieraHost({
    'hiera.yaml': 'version: 5\nhierarchy:\n  - {name: a, lookup_key: eyaml_lookup_kee, path: x}',
    'data/x': '',
  })
  try {
    worthOf(`lookup('a')`, host)
  } catch (error) {
    expect((error as PuppetError).diagnostic).toMatchObject({
      message: expect.stringMatching(/^Unable to find 'lookup_key' function named 'eyaml_lookup_kee'/),
      hint: "Did you mean 'eyaml_lookup_key'?",
    })
    return
  }
  throw new Error('accepted')
})
