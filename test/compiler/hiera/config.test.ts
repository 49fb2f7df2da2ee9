import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { getLineAndColumn } from '../../../src/base/source.ts'
import { defaultConfig, parseHieraConfig } from '../../../src/compiler/hiera/config.ts'
import { isLookupError } from '../../../src/compiler/hiera/issues.ts'

/** What is said of the text of a hiera.yaml that is refused. */
function refusal(text: string) {
  try {
    parseHieraConfig(text, '/hiera.yaml', 'environment')
  } catch (error) {
    return (error as PuppetError).diagnostic
  }
  throw new Error('it is not refused')
}

describe('a hiera.yaml that is no YAML', () => {
  it('is said as data that are wrong, with a hint at tabs', () => {
    const { code, message, hint } = refusal('version: 5\nhierarchy:\n\t- name: a\n')
    expect(message).toMatch(/^\(\/hiera\.yaml\): found character that cannot start any token/)
    expect(hint).toMatch(/Indent with spaces/)
    expect(isLookupError(new PuppetError({ code, severity: 'error', message, span: undefined, hint }))).toBe(true)
  })
})

describe('a hiera.yaml of another version', () => {
  it.each([
    ['version: 3', 'hiera.yaml version 3 cannot be used in an environment', /'data_hash: yaml_data'.*':datadir:'/],
    [':backends: [yaml]', 'hiera.yaml version 3 cannot be used in an environment', /'version: 5'/],
  ])('%j is refused, and told how it is written now', (text, message, hint) => {
    expect(refusal(text)).toMatchObject({ message, hint: expect.stringMatching(hint) })
  })

  it('is refused without advice where there is none', () => {
    expect(refusal('version: 9').hint).toBeUndefined()
  })
})

describe('a hiera.yaml of version 4', () => {
  const text = `version: 4
hierarchy:
  - {name: common, backend: yaml}
  - {name: more, backend: json, datadir: other, paths: [a, b.json]}`

  it('has levels with the endings of their backends', () => {
    const { version, hierarchy } = parseHieraConfig(text, '/hiera.yaml', 'module')
    expect(version).toBe(4)
    expect(hierarchy.map(({ functionName, datadir, locations }) => [functionName, datadir, locations])).toEqual([
      ['yaml_data', 'data', { kind: 'paths', values: ['common'], ending: '.yaml' }],
      ['json_data', 'other', { kind: 'paths', values: ['a', 'b.json'], ending: '.json' }],
    ])
  })

  it.each([
    ['version: 4\nhierarchy: [{name: a, backend: xml}]', "No data provider is registered for backend 'xml'"],
    [
      'version: 4\nhierarchy: [{name: a, backend: yaml}, {name: a, backend: json}]',
      "Hierarchy name 'a' defined more than once.",
    ],
    [
      'version: 4\nhierarchy: [{name: a}]',
      "The Lookup Configuration at '/hiera.yaml' has wrong type, entry 'hierarchy' index 0 expects a value for key 'backend'",
    ],
  ])('%j is refused', (given, message) => expect(refusal(given)).toMatchObject({ message }))
})

/** Accepted by Puppet 7.23: `config[KEY] ||= DEFAULT` in hiera_config.rb replaces null and false. */
describe('a key of hiera.yaml without a value', () => {
  const level = 'hierarchy: [{name: a, path: a.yaml}]'

  it.each([
    ...['defaults:', 'defaults: ~', 'defaults: false', 'defaults:\n  # datadir: data'].map(
      (text) => `${text}\n${level}`,
    ),
  ])('%j has the standard defaults', (text) => {
    const { hierarchy } = parseHieraConfig(`version: 5\n${text}\n`, '/hiera.yaml', 'environment')
    expect(hierarchy).toMatchObject([{ name: 'a', functionName: 'yaml_data', datadir: 'data' }])
  })

  it.each(['hierarchy:', 'hierarchy: ~', 'hierarchy: false'])('%j is the standard hierarchy', (text) => {
    expect(parseHieraConfig(`version: 5\n${text}\n`, '/hiera.yaml', 'environment').hierarchy).toEqual(
      defaultConfig.hierarchy,
    )
  })

  it.each([
    ['datadir:', 'datadir: false'],
    ['hierarchy:', 'hierarchy: false'],
  ])('of version 4: %j is the default', (...texts) => {
    for (const text of texts)
      expect(parseHieraConfig(`version: 4\n${text}\n`, '/hiera.yaml', 'module').hierarchy).toMatchObject([
        { name: 'common', functionName: 'yaml_data', datadir: 'data' },
      ])
  })

  it.each([
    [`defaults: {}\n${level}`, /^One of data_hash, .* must be defined in hierarchy 'a'$/],
    [`defaults: ''\n${level}`, /entry 'defaults' expects a Struct value, got String$/],
    [`defaults: {options: }\n${level}`, /entry 'defaults' entry 'options' expects a Hash value, got Undef$/],
    [`defaults: {datadir: }\n${level}`, /entry 'defaults' entry 'datadir' expects a String value, got Undef$/],
    ["hierarchy: ''", /entry 'hierarchy' expects an Array value, got String$/],
    ['hierarchy:\n  -', /entry 'hierarchy' index 0 expects a Struct value, got Undef$/],
    ['hierarchy: [{name: a, options: }]', /index 0 entry 'options' expects a Hash value, got Undef$/],
    ['hierarchy: [{name: a, path: }]', /index 0 entry 'path' expects a String value, got Undef$/],
    ['plan_hierarchy:', /entry 'plan_hierarchy' expects an Array value, got Undef$/],
    ['default_hierarchy:', /entry 'default_hierarchy' expects an Array value, got Undef$/],
  ])('%j is rejected', (text, message) => {
    expect(refusal(`version: 5\n${text}\n`).message).toMatch(message)
  })
})

/** The lines that matter of what packages and tools install. */
describe('a hiera.yaml as it is installed', () => {
  it.each([
    [
      'production of puppet-agent 5 to 8',
      'environment',
      'version: 5\ndefaults:\n  # datadir: data\n  # data_hash: yaml_data\nhierarchy:\n' +
        '  - name: Nodes\n    path: "nodes/%{::trusted.certname}.yaml"\n  - name: Others\n    paths:\n      - "common.yaml"\n',
      ['data/nodes/%{::trusted.certname}.yaml', 'data/common.yaml'],
    ],
    [
      'confdir of puppet-agent 5 to 8',
      'global',
      '---\nversion: 5\n\n# defaults:\n#   data_hash: yaml_data\n# hierarchy:\n#  - name: Common\nhierarchy: []\n',
      [],
    ],
    [
      'a module of PDK',
      'module',
      'version: 5\n\ndefaults:\n  datadir: data\n  data_hash: yaml_data\n\nhierarchy:\n  - name: os/release\n    paths:\n' +
        '      - "os/%{facts.os.name}.yaml"\n      # Solaris\n      - "os/%{facts.kernelrelease}.yaml"\n' +
        "  - name: 'common'\n    path: 'common.yaml'\n",
      ['data/os/%{facts.os.name}.yaml', 'data/os/%{facts.kernelrelease}.yaml', 'data/common.yaml'],
    ],
  ] as const)('%s is read', (_, layer, text, paths) => {
    const { hierarchy } = parseHieraConfig(text, '/hiera.yaml', layer)
    const files = hierarchy.flatMap(({ datadir, locations }) =>
      'values' in locations ? locations.values.map((path) => `${datadir}/${path}`) : [],
    )
    expect(files).toEqual(paths)
  })
})

describe('an error in a hiera.yaml', () => {
  const wrong: readonly (readonly [text: string, line: number, column: number, hint?: RegExp])[] = [
    [
      'version: 5\ndefaults: {}\nhierarchy:\n  - name: a\n    data_hash: yaml_data\n  - name: b\n',
      6,
      3,
      /data_hash: yaml_data/,
    ],
    ['version: 5\nhierarchy:\n- name: a\n  path: x\n  paths: [y]\n', 5, 3],
    ['version: 5\nhierarchy:\n- name: a\n- name: a\n', 4, 1],
    ['version: 5\nhierarchy: [{name: a}, {name: b, globs: []}]\n', 2, 34],
    ['version: 5\nhierarchy:\n  - name: a\n    options:\n      path: x\n', 5, 7],
    ['version: 5\nhierarchy:\n  - name: a\n    pth: x\n', 4, 5],
    ['version: 5\nplan_hierarchy:\n  - name: a\n    data_hash: x\n    data_dig: y\n', 5, 5],
    ['version: 5\ndefault_hierarchy: []\n', 2, 1],
    ['version: 5\ndefaults:\n  lookup_key: x\n  data_dig: y\n', 4, 3],
    ['# words\nversion: 3\n', 2, 1, /version: 5/],
  ]

  for (const [text, line, column, hint] of wrong)
    it(`${JSON.stringify(text)} is at its entry`, () => {
      const { span, hint: given } = refusal(text)
      expect(getLineAndColumn(span!.source, span!.start)).toEqual({ line, column })
      if (hint) expect(given).toMatch(hint)
    })
})
