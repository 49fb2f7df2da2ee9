import { describe, expect, it } from 'vitest'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { formatPublicSettings } from '../../../src/machine/settings/public-settings.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import type { StoredCatalog } from '../../../src/store/commands/command.ts'
import { listExportedResources } from '../../../src/store/commands/exports.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { buildCatalogPayloadV1, encodeCatalogPayload } from '../../../src/store/commands/writing/catalog.ts'
import { received } from './command-cases.ts'

const code = `
@@notify { 'a': message => 'hi', tag => ['y', 'x'], require => File['/tmp/a'], alias => 'other' }
@@file { '/tmp/a': ensure => file, content => Sensitive('secret'), mode => '0600' }
@@file { 'named': path => '/tmp/b', content => 'x' }
@@notify { 'nested': message => { 'a' => [1.0, undef, Sensitive('secret')] }, withpath => true }
@@notify { 'rich': message => [/x/, default, { 1 => 2 }] }
File <<| title == 'named' |>>
notify { 'own': }
`

describe('exports of a stored catalog', () => {
  const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
  const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest: { text: code } })
  const { full, exports } = compile({
    node: { name: 'web1', environment: 'production', parameters: {}, classes: [] },
    facts: {},
    trusted: buildTrustedFacts({ authenticated: 'local', certname: 'web1' }),
    serverFacts: {},
    environment,
    staticChecksum: undefined,
    settings: formatPublicSettings(settings),
    strict: 'error',
    strictVariables: true,
    searchExports: () => [],
    wantsFull: true,
  })
  const sending = { transactionUuid: null, jobId: null, producer: 'puppet', producerTimestamp: received }
  const payload = new TextDecoder().decode(encodeCatalogPayload(full!, sending))
  const stored = (version: number, payload: unknown) =>
    readCommand({ name: 'replace catalog', version, payload: Buffer.from(formatExactJson(payload)), received })
      .payload as StoredCatalog

  it('are those that the compiler tells of', () => {
    const byTags = exports.map((each) => ({ ...each, tags: [...each.tags].sort() }))
    expect(exports.length).toBe(5)
    expect(listExportedResources(stored(9, parseJson(payload)))).toEqual(byTags)
  })

  it('hold no secret', () => {
    expect(payload).not.toContain('secret')
    expect(formatExactJson(buildCatalogPayloadV1(full!, sending))).not.toContain('secret')
  })

  it('have their aliases in every version', () => {
    const [first] = listExportedResources(stored(3, buildCatalogPayloadV1(full!, sending)))
    expect(first!.parameters).toMatchObject({ message: 'hi', alias: 'other' })
    const named = listExportedResources(stored(3, buildCatalogPayloadV1(full!, sending))).find(
      ({ title }) => title === 'named',
    )
    expect(named!.parameters).toMatchObject({ alias: ['/tmp/b'] })
  })
})
