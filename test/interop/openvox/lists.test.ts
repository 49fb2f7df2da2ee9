import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtinFunctions } from '../../../src/language/functions/table.ts'
import type { Compatibility } from '../../../src/machine/settings/compatibility.ts'
import { settingDefinitions } from '../../../src/machine/settings/definitions/index.ts'
import type { SettingDefinition } from '../../../src/machine/settings/kinds.ts'
import { buildTypeOutlines } from '../../../src/node/resources/type-outline.ts'
import { checksumTypes } from '../../../src/node/resources/types/file.ts'
import { openvoxAnswers } from '../../support/openvox.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

interface Lists {
  readonly settings: Readonly<Record<string, string | null>>
  readonly functions: readonly string[]
  readonly types: Readonly<
    Record<string, { readonly attributes: readonly string[]; readonly features: readonly string[] }>
  >
  readonly checksums: readonly string[]
}

const recorded = recordedAnswers(import.meta.filename, 'OpenVox 8.28.1 and 9.0.0-beta2')
const own = settingDefinitions as Readonly<Record<string, SettingDefinition<unknown>>>
const outlines = await buildTypeOutlines()

/** Settings whose default is another one here, with the reason. */
const otherDefaults: Readonly<Record<string, string>> = {
  ciphers: 'Node selects the ciphers',
  facts_terminus: 'facts of nodes, not of this machine',
  http_user_agent: 'computed',
  name: 'the program',
  storeconfigs_backend: 'the store is built in',
  certname: 'computed',
}

/** Functions that are not in the table of built-in functions: templates, and backends of Hiera. */
const ofCompiler: ReadonlySet<string> = new Set([
  ...['eyaml_lookup_key', 'hocon_data', 'inline_template', 'json_data', 'template', 'yaml_data'],
])

/** Values that mean the same. */
const plain = (text: string) =>
  text
    .replace(/^\[(.*)\]$/, '$1')
    .replaceAll('"', '')
    .replaceAll(', ', ',')
    .replace(/^Infinity$/, 'unlimited')

describe.each([
  ['OpenVox 8.28.1', 'openvox8'],
  ['OpenVox 9.0.0-beta2', 'openvox9'],
] as const)('%s', (version, compatibility: Compatibility) => {
  const lists = openvoxAnswers(import.meta.filename, version, recorded).one(version, 'lists', (): Lists => {
    const { stdout, stderr } = spawnSync('ruby', [resolve(import.meta.dirname, '../../oracle/lists.rb')], {
      encoding: 'utf8',
    })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as Lists
  })

  it('has no setting that is missing here', () => {
    // A former name of `serverport`.
    expect(Object.keys(lists.settings).filter((name) => name !== 'masterport' && !Object.hasOwn(own, name))).toEqual([])
  })

  it('has the defaults of `compatibility`', () => {
    const different = Object.entries(lists.settings).flatMap(([name, value]) => {
      const definition = own[name]
      if (value === null || definition === undefined || Object.hasOwn(otherDefaults, name)) return []
      const text = definition.inVersion?.[compatibility] ?? definition.default
      if (text.includes('$') || plain(text) === plain(value)) return []
      const parsed = definition.kind.parse(text)
      return parsed !== undefined && definition.kind.print(parsed) === plain(value) ? [] : [[name, text, value]]
    })
    expect(different).toEqual([])
  })

  it('has no attribute or feature of a type that is missing here', () => {
    const missing = outlines.flatMap(({ name, attributes, features }) => {
      const theirs = lists.types[name]
      if (theirs === undefined) return []
      const ours = new Set([...attributes, ...features].map((each) => each.name))
      return [...theirs.attributes, ...theirs.features]
        .filter((each) => !ours.has(each))
        .map((each) => `${name}.${each}`)
    })
    expect(missing).toEqual([])
  })

  it('has no type that is missing here', () => {
    const ours = new Set(outlines.map(({ name }) => name))
    // Types of Puppet's own graph, which no manifest declares.
    const inner = new Set(['component', 'whit'])
    expect(Object.keys(lists.types).filter((name) => !ours.has(name) && !inner.has(name))).toEqual([])
  })

  it('has no function that is missing here', () => {
    expect(lists.functions.filter((name) => !builtinFunctions.has(name) && !ofCompiler.has(name))).toEqual([])
  })

  it('has the same checksum types', () => {
    expect([...checksumTypes].sort()).toEqual([...lists.checksums].sort())
  })
})
