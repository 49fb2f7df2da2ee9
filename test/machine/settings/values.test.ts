import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingDefinitions } from '../../../src/machine/settings/definitions/index.ts'
import { parseSetting, type SettingDefinition } from '../../../src/machine/settings/kinds.ts'
import { checkSettings, loadSettings, resolveSettingName } from '../../../src/machine/settings/settings.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { catalog } from '../../../src/server/termini/catalog/index.ts'
import { facts } from '../../../src/server/termini/facts/index.ts'
import { node } from '../../../src/server/termini/node/index.ts'
import { extensibleSettings, findUnknownNames } from '../../../src/server/termini/plug-ins/unknown-plug-ins.ts'
import { findProcessor } from '../../../src/server/termini/report/processor.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { settingsNewInPuppet8, settingsOfPuppet } from './of-puppet.ts'

const all = Object.entries(settingDefinitions) as [keyof typeof settingDefinitions, SettingDefinition<unknown>][]

/** No word, number, path, address or fingerprint. */
const nonsense = ' no?such=value '

/** Settings whose misspelled words were accepted once, with Puppet's message where Puppet has one. */
const misspelled: readonly (readonly [name: string, value: string, message: string])[] = [
  ['gate', 'refuze', "Invalid value 'refuze' for parameter: gate"],
  ['gate', 'warn, production=refuze', "Invalid value 'warn, production=refuze' for parameter: gate"],
  ['gate_nodes', '0', "Invalid value '0' for parameter: gate_nodes"],
  ['autosign', 'yess', "Invalid autosign value yess: must be 'true'/'false' or an absolute path"],
  ['autosign', 'yes', "Invalid autosign value yes: must be 'true'/'false' or an absolute path"],
  ['store', 'sqllite', "Invalid value 'sqllite' for parameter: store"],
  ['store', 'mysql://user:secret@host/db', 'Invalid value for parameter: store'],
  ['storeconfigs_backend', 'jsonn', /^Invalid value 'jsonn' for parameter storeconfigs_backend. Allowed/],
  ['noop', 'yes', `Invalid value '"yes"' for boolean parameter: noop`],
  ['noop', 'no', `Invalid value '"no"' for boolean parameter: noop`],
  ['serverport', '99999999', "Value '99999999' is not a valid port number for parameter: serverport"],
  ['serverport', '-1', "Value '-1' is not a valid port number for parameter: serverport"],
  ['serverport', '80a', `Cannot convert '"80a"' to an integer for parameter: serverport`],
  ['compile_workers', '-1', "Invalid value '-1' for parameter: compile_workers"],
  ['runinterval', '30 # x', `Invalid duration format '"30 # x"' for parameter: runinterval`],
  ['strict', 'eror', "Invalid value 'eror' for parameter strict. Allowed values are 'off', 'warning', 'error'"],
  ['certname', 'Foo', 'Certificate names must be lower case'],
  ['certname', 'a b', "Certname 'a b' is invalid: no certificate authority signs it"],
  ['certname', '../x', "Certname '../x' is invalid: no certificate authority signs it"],
  ['certname', 'é', 'Certname "é" must not contain unprintable or non-ASCII characters'],
  ['named_curve', 'prime256v2', "Invalid value 'prime256v2' for parameter: named_curve"],
  ['logdest', 'sislog', "Invalid value 'sislog' for parameter: logdest"],
  [
    'external_lookups',
    'dns,htp',
    "Invalid value 'htp' for parameter external_lookups. Allowed values are 'dns', 'http', 'aws', 'azure', 'google'",
  ],
  ['supported_checksum_types', 'sha3', /^Invalid value 'sha3' for parameter supported_checksum_types. Allowed/],
  ['environment_timeout', 'never', `Invalid duration format '"never"' for parameter: environment_timeout`],
  ['sourceaddress', '10.0.0', "Invalid value '10.0.0' for parameter: sourceaddress"],
  ['server_list', 'a.test:99999', "Invalid value 'a.test:99999' for parameter: server_list"],
  ['http_extra_headers', 'X-Token:a,secret', 'Invalid value for parameter: http_extra_headers'],
  ['reporturl', 'ftp://x', 'Invalid value for parameter: reporturl'],
  ['ca_fingerprint', 'AB:CD', "Invalid value 'AB:CD' for parameter: ca_fingerprint"],
  [
    'http_proxy_password',
    'p@ss',
    'Passwords set in the http_proxy_password setting must be valid as part of a URL, and any reserved characters must be URL-encoded',
  ],
].map((row) => row as unknown as readonly [string, string, string])

describe('the value of a setting', () => {
  it.each(all)('%s is open or checked', (_, { kind }) => {
    expect(kind.parse(nonsense) === undefined).toBe(kind.open !== true)
    expect(kind.expects).not.toBe('')
  })

  it.each(all)('%s has a default that is valid', (name, { kind }) => {
    const settings = loadSettings({ given: { certname: 'a.test', confdir: scratchFolder('values') } })
    expect(kind.parse(kind.print(settings[name]))).toEqual(settings[name])
  })

  it.each(misspelled)('%s = %s is rejected', (name, value, message) => {
    const definition = settingDefinitions[name as keyof typeof settingDefinitions] as SettingDefinition<unknown>
    const parse = () => parseSetting({ name, text: value }, definition)
    expect(parse).toThrow(typeof message === 'string' ? new RegExp(`^${escaped(message)}$`) : message)
  })

  it('is rejected at the start of a command with its place', () => {
    const confdir = scratchFolder('values')
    writeFileSync(join(confdir, 'puppet.conf'), '[server]\ngate = refuze\n[main]\ncertname = Foo\nnoop = yes\n')
    const source = { env: { PLUMB_CONFDIR: confdir } }
    expect(() => loadSettings(source)).toThrow(
      'Could not initialize global default settings: Certificate names must be lower case',
    )
    const { settings, errors } = checkSettings({ ...source, runMode: 'server' })
    expect(errors.map(({ message, hint }) => [message, hint])).toEqual([
      [
        'Could not initialize global default settings: Certificate names must be lower case',
        `Set certname to a name of lower-case letters, digits, '.', '_' and '-'. It is set in [main] of ${confdir}/puppet.conf.`,
      ],
      [
        `Invalid value '"yes"' for boolean parameter: noop`,
        `Set noop to true or false. It is set in [main] of ${confdir}/puppet.conf.`,
      ],
      [
        "Invalid value 'refuze' for parameter: gate",
        `Did you mean 'refuse'? Set gate to refuse, warn or off, with NAME=MODE for single environments, such as warn,production=refuse. It is set in [server] of ${confdir}/puppet.conf.`,
      ],
    ])
    expect([settings.noop, settings.gate]).toEqual([false, [{ environments: '*', mode: 'refuse' }]])
  })
})

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

describe('the name of a terminus or a report processor', () => {
  const tables = { node, facts, catalog }

  it.each(extensibleSettings.filter((name) => name !== 'reports'))('of %s is in the table', (setting) => {
    const [indirection = ''] = setting.split('_')
    const termini = Object.keys(tables[indirection as keyof typeof tables].termini)
    expect([...settingDefinitions[setting].kind.known!].sort()).toEqual(termini.sort())
  })

  it('of reports is a processor', () => {
    const known = settingDefinitions.reports.kind.known!.filter((name) => name !== 'none')
    expect(known.filter((name) => !findProcessor(name))).toEqual([])
  })

  it('belongs to this program or to a plug-in', async () => {
    const plugIns = scratchFolder('values')
    mkdirSync(join(plugIns, 'termini/node'), { recursive: true })
    mkdirSync(join(plugIns, 'puppet/reports'), { recursive: true })
    writeFileSync(join(plugIns, 'termini/node/cmdb.js'), '')
    writeFileSync(join(plugIns, 'puppet/reports/chat.rb'), '')
    const given = { node_terminus: 'cmdb', reports: ['store', 'chat'], facts_terminus: 'jsn' }
    const messages = async (folder: string) =>
      (await findUnknownNames(given, folder, localFiles)).map(({ message, hint }) => `${message}: ${hint}`)
    const facts = "Unknown name 'jsn' in the value of setting facts_terminus: Did you mean 'json'?"
    expect(await messages(plugIns)).toEqual([facts])
    expect(await messages('')).toEqual([
      expect.stringMatching(/^Unknown name 'cmdb' in the value of setting node_terminus: Known names: plain, exec/),
      facts,
      expect.stringMatching(/^Unknown name 'chat' in the value of setting reports: Known names: store/),
    ])
  })
})

describe("Puppet's settings", () => {
  it.each([...settingsOfPuppet, ...settingsNewInPuppet8])('%s is known', (name) => {
    expect(resolveSettingName(name)).toBeDefined()
  })
})
