import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatPublicSettings } from '../../../../src/machine/settings/public-settings.ts'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { parseFactValues, toFactsDocument } from '../../../../src/model/facts.ts'
import { createIndirection } from '../../../../src/model/indirector/indirection.ts'
import { readModelText } from '../../../../src/model/model-readers.ts'
import { node } from '../../../../src/server/termini/node/index.ts'
import { administrator, type LdapServer, ldapServer } from '../../../support/ldap-server.ts'
import { without } from '../../../support/needs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const missing = without('OpenLDAP')

/** An entry of a node below `ou=Hosts`. */
const host = (name: string, ...lines: string[]) =>
  [
    `dn: cn=${name},ou=Hosts,dc=example,dc=test`,
    'objectClass: device',
    'objectClass: puppetClient',
    `cn: ${name}`,
    ...lines,
    '',
    '',
  ].join('\n')

const entries = [
  'dn: dc=example,dc=test\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n',
  'dn: ou=Hosts,dc=example,dc=test\nobjectClass: organizationalUnit\nou: Hosts\n\n',
  host('web1.example.test', 'puppetClass: apache', 'puppetClass: ntp', 'environment: staging', 'parentNode: web'),
  host('web', 'puppetClass: ntp', 'puppetClass: base', 'puppetVar: role=web', 'puppetVar: tls=true', 'parentNode: all'),
  host('all', 'puppetClass: users', 'puppetVar: role=none', 'puppetVar: note=a=b', 'environment: production'),
  host('db2', 'puppetClass: postgresql', 'description: first', 'description: second', 'l: false'),
  host('default', 'puppetClass: unknown'),
  host('round1', 'parentNode: round2'),
  host('round2', 'parentNode: round1'),
  host('orphan', 'parentNode: nobody'),
  host('heir', 'parentNode: web', 'parentNode: all'),
].join('')

describe.skipIf(missing)(`nodes of an LDAP directory${missing}`, () => {
  const folder = scratchFolder('ldap')
  let server: LdapServer
  beforeAll(async () => {
    server = await ldapServer(folder, entries)
  })
  afterAll(() => server?.stop())

  function indirection(given: Record<string, string> = {}) {
    const settings = loadSettings({
      given: {
        ...{ ldapserver: 'localhost', ldapport: String(server.port), ldapbase: 'ou=Hosts,dc=example,dc=test' },
        ...{
          ldapuser: administrator,
          ldappassword: 'secret',
          certname: 'server.test',
          confdir: folder,
          vardir: folder,
        },
        ...given,
      },
    })
    const facts = {
      find: async () =>
        toFactsDocument({ name: 'x', values: { os: 'Debian' }, timestamp: undefined, expiration: undefined }),
    }
    return createIndirection(
      node,
      { facts, system: localSystem, readText: readModelText, settings },
      { terminus: 'ldap' },
    )
  }
  const find = (key: string, given?: Record<string, string>) => indirection(given).find({ key, environment: 'asked' })
  /** The hint of a failure, which says what the directory said. */
  const why = (work: Promise<unknown>) =>
    work.then(
      () => 'found',
      (error) => [error.message, error.diagnostic.hint].join(': '),
    )

  it('have classes, variables and an environment, and inherit what they do not say', async () => {
    const found = await find('web1.example.test')
    expect(found).toMatchObject({ name: 'web1.example.test', environment: 'staging' })
    expect(found!.classes).toEqual(['apache', 'ntp', 'base', 'users'])
    expect(found!.parameters).toMatchObject({ cn: 'web1.example.test', role: 'web', tls: true, note: 'a=b' })
    expect(found!.parameters).not.toHaveProperty('puppetVar')
    expect(parseFactValues(found!.facts!)).toEqual({ os: 'Debian' })
  })

  it('are sought by the whole name, by its first part, and as default', async () => {
    expect((await find('db2.example.test'))!.classes).toEqual(['postgresql'])
    expect(await find('other.example.test')).toMatchObject({ classes: ['unknown'], environment: 'asked' })
    expect(await find('other.example.test', { ldapstring: '(&(cn=%s)(description=first))' })).toBeUndefined()
  })

  it('have lists of several values, and true and false as such', async () => {
    expect((await find('db2'))!.parameters).toMatchObject({ description: ['first', 'second'], l: false })
  })

  it('have the attributes that are asked for alone', async () => {
    const { parameters, classes } = (await find('web1.example.test', { ldapattrs: 'cn' }))!
    expect(classes).toEqual(['apache', 'ntp', 'base', 'users'])
    expect(parameters).not.toHaveProperty('objectClass')
    expect(parameters).toMatchObject({ cn: 'web1.example.test', role: 'web' })
  })

  it.each([
    ['round1', 'Found loop in LDAP node parents; round2 appears twice: '],
    ['orphan', "Could not find parent node 'nobody': "],
    ['heir', 'Node entry specifies more than one parent: ["web","all"]: '],
  ])('and %s is refused in words', async (key, message) => {
    expect(await why(find(key))).toBe(message)
  })

  it.each(['*', 'web*', 'a)(cn=*', 'x\\2a', '../web'])('are not found by the pattern %j', async (key) => {
    expect(await why(find(key))).toMatch(/^Invalid key for node/)
  })

  it.each<[string, (server: LdapServer) => Record<string, string>]>([
    [
      'TLS from the first byte',
      ({ tlsPort, ca }) => ({ ldapssl: 'true', ldapport: String(tlsPort), ldap_ca_file: ca }),
    ],
    ['TLS that begins later', ({ ca }) => ({ ldaptls: 'true', ldap_ca_file: ca })],
  ])('come over %s, of a server that can prove itself alone', async (_, settings) => {
    const given = settings(server)
    expect((await find('db2', given))!.classes).toEqual(['postgresql'])
    expect(await why(find('db2', { ...given, ldap_ca_file: '' }))).toMatch(/^LDAP Search failed: .*self-signed/)
    expect(await why(find('db2', { ...given, ldapserver: '127.0.0.1' }))).toMatch(
      /^LDAP Search failed: .*(IP|altnames)/,
    )
  })

  it('need the right password, which stands in a file for the server alone, and in no message', async () => {
    const path = join(folder, 'password')
    writeFileSync(path, 'secret\n', { mode: 0o600 })
    expect((await find('db2', { ldappassword: '', ldap_password_file: path }))!.classes).toEqual(['postgresql'])
    chmodSync(path, 0o644)
    expect(await why(find('db2', { ldap_password_file: path }))).toContain('Other users can read the password')
    const wrong = await why(find('db2', { ldappassword: 'not this' }))
    expect(wrong).toMatch(/^LDAP Search failed: /)
    expect(wrong).not.toContain('not this')
    const settings = loadSettings({
      given: { certname: 'a.test', confdir: folder, vardir: folder, ldappassword: 'secret' },
    })
    expect(Object.values(formatPublicSettings(settings))).not.toContain('secret')
  })

  it('are an error where the directory is away, and where settings make no sense', async () => {
    expect(await why(find('db2', { ldapport: '1' }))).toMatch(/^LDAP Search failed: .*ECONNREFUSED/)
    expect(() => indirection({ ldapbase: '' })).toThrow('requires the setting ldapbase')
    expect(() => indirection({ ldapssl: 'true', ldaptls: 'true' })).toThrow('cannot both be true')
  })
})
