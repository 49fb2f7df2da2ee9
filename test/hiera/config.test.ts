import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import { configFrom } from '../../src/hiera/config.ts'
import { isLookupError } from '../../src/hiera/issues.ts'

/** What is said of the text of a hiera.yaml that is refused. */
function refusal(text: string) {
  try {
    configFrom(text, '/hiera.yaml', 'environment')
  } catch (error) {
    return (error as PuppetError).diagnostic
  }
  throw new Error('it is not refused')
}

describe('a hiera.yaml that is no YAML', () => {
  it('is said as data that are wrong, with a hint at tabs', () => {
    const { code, message, hint } = refusal('version: 5\nhierarchy:\n\t- name: a\n')
    expect(message).toMatch(/^\(\/hiera\.yaml\): found character that cannot start any token/)
    expect(hint).toMatch(/indented by spaces/)
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
    const { version, hierarchy } = configFrom(text, '/hiera.yaml', 'module')
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
