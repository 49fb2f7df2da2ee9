import { expect, it } from 'vitest'
import { parseNetUser } from '../../../../src/node/resources/providers/windows/net-accounts.ts'
import { fc } from '../../../support/properties.ts'
import { saysOf } from '../says-of.ts'
import { type FakeAccounts, netAccounts, powerShell, windowsFacts, windowsSystem } from '../windows-tools.ts'

const accounts = (): FakeAccounts => ({
  users: {
    Administrator: { comment: 'Built-in account', home: '', password: 'secret', sid: 'S-1-5-21-1-2-3-500' },
    ann: { comment: '', home: 'C:\\Users\\ann', password: 'old', sid: 'S-1-5-21-1-2-3-1001' },
  },
  groups: {
    Administrators: ['Administrator', 'CORP\\Domain Admins'],
    'Remote Desktop Users': ['ann'],
    Users: ['ann', 'NT AUTHORITY\\Authenticated Users'],
    web: [],
  },
})

interface Case {
  readonly manifest: string
  readonly runs: readonly string[]
  readonly says: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'a new user': {
    manifest: `user { 'bob': comment => 'Bob "B" 100%', home => 'C:\\\\Users\\\\bob', groups => ['web', 'S-1-5-32-545'] }`,
    runs: [
      'user bob /add',
      'user bob /comment:Bob "B" 100%',
      'user bob /homedir:C:\\Users\\bob',
      'localgroup web bob /add',
      'localgroup users bob /add',
    ],
    says: ['User[bob]/ensure: created'],
  },
  'a new user with a password': {
    manifest: "user { 'bob': password => Sensitive('/p\"w d%') }",
    runs: ['create bob /p"w d%'],
    says: ['User[bob]/ensure: created'],
  },
  'a user who is right': {
    manifest: `user { 'VM\\\\ANN': password => Sensitive('old'), groups => ['BUILTIN\\\\users', 'remote desktop users'],
      membership => inclusive, home => 'C:\\\\Users\\\\ann' }`,
    runs: [],
    says: [],
  },
  'a user who changes': {
    manifest: `user { 'ann': comment => 'Ann', password => Sensitive('new'), groups => ['web', 'Users'],
      membership => inclusive }`,
    runs: [
      'user ann /comment:Ann',
      'set ann new',
      'localgroup web ann /add',
      'localgroup Remote Desktop Users ann /delete',
    ],
    says: [
      "User[ann]/comment: comment changed '' to 'Ann'",
      'User[ann]/password: changed [redacted] to [redacted]',
      'User[ann]/groups: groups changed VM\\Remote Desktop Users,VM\\Users to VM\\web,VM\\Users',
    ],
  },
  'users to remove': {
    manifest: "user { 'ann': ensure => absent, managehome => true } user { 'none': ensure => absent }",
    runs: ['user ann /delete', 'profile S-1-5-21-1-2-3-1001'],
    says: ['User[ann]/ensure: removed'],
  },
  'users that are not in the catalog': {
    manifest: "resources { 'user': purge => true, unless_system_user => true }",
    runs: ['user ann /delete'],
    says: ['User[ann]/ensure: removed', 'User[ann]/uid: audit change: newly-recorded value S-1-5-21-1-2-3-1001'],
  },
  'names and properties that Windows does not have': {
    manifest: `user { 'CORP\\\\bob': } user { 'web': } user { 'ann': gid => 5 }
      user { '/delete': } group { 'ann': } group { 'g:h': }`,
    runs: [],
    says: [],
  },
  'a new group': {
    manifest: "group { 'new group': members => ['ann', 'CORP\\\\bob'] }",
    runs: ['localgroup new group /add', 'localgroup new group ann /add', 'localgroup new group CORP\\bob /add'],
    says: ['Group[new group]/ensure: created'],
  },
  'members to add': {
    manifest: `group { 'administrators': members => ['VM\\\\administrator', 'ann'] } group { 'Users': members => 'ANN' }`,
    runs: ['localgroup administrators ann /add'],
    says: [
      'Group[administrators]/members: members changed VM\\Administrator,CORP\\Domain Admins to CORP\\Domain Admins,VM\\administrator,VM\\ann',
    ],
  },
  'members of a list, and no others': {
    manifest: "group { 'Administrators': members => ['S-1-5-21-1-2-3-1001'], auth_membership => true }",
    runs: [
      'localgroup Administrators ann /add',
      'localgroup Administrators Administrator /delete',
      'localgroup Administrators CORP\\Domain Admins /delete',
    ],
    says: [
      'Group[Administrators]/members: members changed VM\\Administrator,CORP\\Domain Admins to S-1-5-21-1-2-3-1001',
    ],
  },
  'a group to remove': {
    manifest: "group { 'web': ensure => absent } group { 'none': ensure => absent }",
    runs: ['localgroup web /delete'],
    says: ['Group[web]/ensure: removed'],
  },
}

it.each(Object.entries(cases))('%s', async (name, { manifest, runs, says }) => {
  const table = accounts()
  const ran: string[] = []
  const tools = { 'net.exe': netAccounts(table), 'powershell.exe': powerShell(table, ran) }
  const system = windowsSystem(tools)
  const { run } = system.commands
  const commands = {
    ...system.commands,
    run: (...[words, options]: Parameters<typeof run>) => {
      const rest = words.slice(1)
      if (words[0]?.endsWith('net.exe') && rest.some((word) => /^\/(?:add|delete|comment|homedir)/.test(word)))
        ran.push(rest.join(' '))
      return run(words, options)
    },
  }
  const heard = await saysOf(manifest, { ...system, commands }, windowsFacts)
  if (name.startsWith('names')) {
    expect(heard.filter((line) => !line.includes('failed: '))).toEqual([
      'User[CORP\\bob]: Could not evaluate: Puppet is not able to create/delete domain user objects with the user resource.',
      "Cannot create user if group 'web' exists.",
      'No support for managing property gid of user ann on Windows',
      'User[/delete]: Could not evaluate: Value must be in DOMAIN\\user style syntax',
      "Cannot create group if user 'ann' exists.",
      'Group[g:h]: Could not evaluate: Could not resolve name: g:h',
    ])
    expect(ran).toEqual([])
  } else expect({ runs: ran, says: heard }).toEqual({ runs, says })
})

it.each([
  ['net.exe', 'Could not read or change accounts: net.exe did not end within 300 seconds'],
  ['powershell.exe', 'Could not create user bob: powershell.exe did not end within 300 seconds'],
])('ends %s after the time limit, with an error', async (slow, message) => {
  const table = accounts()
  const tools = { 'net.exe': netAccounts(table), 'powershell.exe': powerShell(table, []) }
  const system = windowsSystem({ ...tools, [slow]: () => ({ status: 137, timedOut: true }) })
  const says = await saysOf("user { 'bob': password => Sensitive('x') }", system, windowsFacts)
  expect(says.join('\n')).toContain(message)
})

it('reads users in any language, and any text', () => {
  const labels = [
    'Benutzername',
    'Vollständiger Name',
    'Beschreibung',
    ...Array<string>(12).fill('x'),
    'Basisverzeichnis',
  ]
  const values = ['ann', 'Ann A', 'Größe: 3', ...Array<string>(12).fill('y'), 'C:\\Users\\ann']
  const lines = labels.map((label, at) => label.padEnd(41) + values[at])
  const more = ['Letzte Anmeldung', 'Erlaubt', `${'Lokale Gruppenmitgliedschaften'.padEnd(41)}*Benutzer *Gäste`]
  const text = [...lines, ...more, `${'Globale Gruppenmitgliedschaften'.padEnd(41)}*Kein`, 'Fertig.'].join('\r\n')
  expect(parseNetUser(text, 'Ann')).toEqual({
    comment: 'Größe: 3',
    home: 'C:\\Users\\ann',
    groups: ['Benutzer', 'Gäste'],
  })
  fc.assert(fc.property(fc.string(), fc.string(), (output, name) => Array.isArray(parseNetUser(output, name).groups)))
})
