import { describe, expect, it } from 'vitest'
import { powershell } from '../../../../src/machine/windows/power-shell.ts'
import { parseNetUser } from '../../../../src/node/resources/providers/windows/net-accounts.ts'
import { askPowerShell, toResponseList } from '../../../../src/node/resources/providers/windows/power-shell.ts'
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
    'A group with a name that is long': ['ann'],
    old: ['S-1-5-21-8-8-8-1'],
  },
})

interface Case {
  readonly manifest: string
  /** Changes and starts of PowerShell, with the number of requests. */
  readonly runs: readonly string[]
  readonly says: readonly string[]
  /** Changes without PowerShell. */
  readonly netRuns?: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'a new user': {
    manifest: `user { 'bob': comment => 'Bob "B" 100%', home => 'C:\\Users\\bob', groups => ['web', 'BUILTIN\\Users'] }`,
    runs: [
      'start 3',
      'start 1',
      'start 1',
      'create bob ',
      'user bob /comment:Bob "B" 100%',
      'user bob /homedir:C:\\Users\\bob',
      'start 1',
      'start 1',
      'web: +S-1-5-21-1-2-3-1004 -',
      'start 1',
      'Users: +S-1-5-21-1-2-3-1004 -',
    ],
    netRuns: [
      'user bob /add',
      'user bob /comment:Bob "B" 100%',
      'user bob /homedir:C:\\Users\\bob',
      'localgroup web bob /add',
      'localgroup Users bob /add',
    ],
    says: ['User[bob]/ensure: created'],
  },
  'a user who is right': {
    manifest: `user { 'VM\\ANN': password => Sensitive('old'), membership => inclusive, home => 'C:\\Users\\ann',
      groups => ['S-1-5-32-545', 'remote desktop users', '.\\A group with a name that is long'] }`,
    runs: ['start 4'],
    says: [],
  },
  'a user who changes': {
    manifest: `user { 'ann': comment => 'Ann', groups => ['web', 'Users'], membership => inclusive }`,
    runs: [
      'start 3',
      'user ann /comment:Ann',
      'start 1',
      'web: +S-1-5-21-1-2-3-1001 -',
      'start 1',
      'Remote Desktop Users: + -S-1-5-21-1-2-3-1001',
      'start 1',
      'A group with a name that is long: + -S-1-5-21-1-2-3-1001',
    ],
    netRuns: [
      'user ann /comment:Ann',
      'localgroup web ann /add',
      'localgroup Remote Desktop Users ann /delete',
      'localgroup A group with a name that is long ann /delete',
    ],
    says: [
      "User[ann]/comment: comment changed '' to 'Ann'",
      'User[ann]/groups: groups changed VM\\Remote Desktop Users,BUILTIN\\Users,VM\\A group with a name that is long to BUILTIN\\Users,VM\\web',
    ],
  },
  passwords: {
    manifest: `user { 'ann': password => Sensitive('new') } user { 'bob': password => Sensitive('/p"w d%') }`,
    runs: ['start 2', 'set ann new', 'start 1', 'start 1', 'create bob /p"w d%'],
    says: ['User[ann]/password: changed [redacted] to [redacted]', 'User[bob]/ensure: created'],
  },
  'users to remove': {
    manifest: "user { 'ann': ensure => absent, managehome => true } user { 'none': ensure => absent }",
    runs: ['start 2', 'user ann /delete', 'profile S-1-5-21-1-2-3-1001', 'start 1'],
    says: ['User[ann]/ensure: removed'],
  },
  'users that are not in the catalog': {
    manifest: "resources { 'user': purge => true, unless_system_user => true }",
    // The type lists users when it checks the resource, and when it generates resources.
    runs: ['start 1', 'start 2', 'start 1', 'start 2', 'user ann /delete'],
    says: ['User[ann]/ensure: removed', 'User[ann]/uid: audit change: newly-recorded value S-1-5-21-1-2-3-1001'],
  },
  'names and properties that Windows does not have': {
    manifest: `user { 'CORP\\bob': } user { 'web': } user { 'ann': gid => 5, groups => ['missing'] }
      user { '/delete': } group { 'ann': } group { 'g:h': } group { 'Users': members => ['S-1-5-21-7-7-7-7'] }`,
    runs: [],
    says: [],
  },
  'a new group': {
    manifest: "group { 'new group': members => ['ann', 'CORP\\bob'] }",
    runs: [
      'start 3',
      'start 1',
      'start 1',
      'localgroup new group /add',
      'start 1',
      'start 1',
      'new group: +S-1-5-21-1-2-3-1001,S-1-5-21-9-9-9-1105 -',
    ],
    netRuns: ['localgroup new group /add', 'localgroup new group ann /add', 'localgroup new group CORP\\bob /add'],
    says: ['Group[new group]/ensure: created'],
  },
  'a member that the catalog creates': {
    manifest: "user { 'bob': } group { 'web': members => ['bob'] }",
    runs: ['start 3', 'start 1', 'start 1', 'create bob ', 'start 1', 'start 1', 'web: +S-1-5-21-1-2-3-1004 -'],
    says: ['User[bob]/ensure: created', 'Group[web]/members: members changed  to VM\\bob'],
  },
  'members to add': {
    manifest: `group { 'administrators': members => ['VM\\administrator', 'ann'] } group { 'Users': members => 'ANN' }`,
    runs: ['start 4', 'start 1', 'Administrators: +S-1-5-21-1-2-3-1001 -'],
    netRuns: ['localgroup administrators ann /add'],
    says: [
      'Group[administrators]/members: members changed VM\\Administrator,CORP\\Domain Admins to CORP\\Domain Admins,VM\\Administrator,VM\\ann',
    ],
  },
  'members of a list, and no others': {
    manifest: "group { 'Administrators': members => ['S-1-5-21-1-2-3-1001', 'S-1-5-11'], auth_membership => true }",
    runs: [
      'start 3',
      'start 1',
      'Administrators: +S-1-5-21-1-2-3-1001,S-1-5-11 -S-1-5-21-1-2-3-500,S-1-5-21-9-9-9-512',
    ],
    says: [
      'Group[Administrators]/members: members changed VM\\Administrator,CORP\\Domain Admins to NT AUTHORITY\\Authenticated Users,VM\\ann',
    ],
  },
  'members whose account is gone': {
    manifest: "group { 'old': members => ['ann'], auth_membership => true }",
    runs: ['start 2', 'start 1', 'old: +S-1-5-21-1-2-3-1001 -S-1-5-21-8-8-8-1'],
    says: ['Group[old]/members: members changed S-1-5-21-8-8-8-1 to VM\\ann'],
  },
  'a group to remove': {
    manifest: "group { 'web': ensure => absent } group { 'none': ensure => absent }",
    runs: ['start 2', 'localgroup web /delete', 'start 1'],
    says: ['Group[web]/ensure: removed'],
  },
}

/** Applies a manifest with or without PowerShell; returns log lines, and changes with starts of PowerShell. */
async function apply(manifest: string, hasPowerShell: boolean, table = accounts()) {
  const ran: string[] = []
  const tools = { 'net.exe': netAccounts(table), 'powershell.exe': powerShell(table, ran) }
  const system = windowsSystem(tools, hasPowerShell ? { [powershell]: '' } : {})
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
  const says = await saysOf(manifest.replaceAll('\\', '\\\\'), { ...system, commands }, windowsFacts)
  return { ran, says }
}

describe.each(Object.entries(cases))('%s', (name, { manifest, runs, says, netRuns }) => {
  it('with PowerShell', async () => {
    const heard = await apply(manifest, true)
    if (!name.startsWith('names')) return expect({ runs: heard.ran, says: heard.says }).toEqual({ runs, says })
    expect(heard.says.filter((line) => !line.includes('failed: '))).toEqual([
      'User[CORP\\bob]: Could not evaluate: Puppet is not able to create/delete domain user objects with the user resource.',
      "Cannot create user if group 'web' exists.",
      'No support for managing property gid of user ann on Windows',
      'Could not resolve name: missing',
      'User[/delete]: Could not evaluate: Value must be in DOMAIN\\user style syntax',
      "Cannot create group if user 'ann' exists.",
      'Group[g:h]: Could not evaluate: Could not resolve name: g:h',
      'Could not resolve name: S-1-5-21-7-7-7-7',
    ])
    expect(heard.ran.filter((line) => !line.startsWith('start'))).toEqual([])
  })
  if (netRuns)
    it('without PowerShell', async () => {
      const heard = await apply(manifest, false)
      expect(heard.ran).toEqual(netRuns)
      expect(heard.says.length).toBe(says.length)
    })
})

it.each([
  ['net.exe', 'Could not read or change accounts: net.exe did not end within 300 seconds'],
  ['powershell.exe', 'Could not read accounts: powershell.exe did not end within 300 seconds'],
])('ends %s after the time limit, with an error', async (slow, message) => {
  const table = accounts()
  const tools = { 'net.exe': netAccounts(table), 'powershell.exe': powerShell(table, []) }
  const files = slow === 'net.exe' ? {} : { [powershell]: '' }
  const system = windowsSystem({ ...tools, [slow]: () => ({ status: 137, timedOut: true }) }, files)
  const says = await saysOf("user { 'bob': password => Sensitive('x') }", system, windowsFacts)
  expect(says.join('\n')).toContain(message)
})

it('reports errors of the directory, and of PowerShell', async () => {
  const errors = async (answers: readonly object[] | string, manifest = "user { 'ann': groups => ['web'] }") => {
    const printed = typeof answers === 'string' ? answers : answers.map((each) => JSON.stringify(each)).join('\r\n')
    const tools = { 'powershell.exe': () => printed, 'net.exe': netAccounts(accounts()) }
    return (await saysOf(manifest, windowsSystem(tools, { [powershell]: '' }), windowsFacts)).join('\n')
  }
  const denied = { error: 'Access is denied.\r\n' }
  expect(await errors([denied, denied])).toContain('Could not read accounts: Access is denied.')
  expect(await errors([{ sid: 'S-1-5-21-1', accounts: [] }, denied])).toContain('PowerShell gave no answer')
  expect(await errors('{"x": ')).toContain('PowerShell gave no answer (status 0)')
  expect(await errors('')).toContain('PowerShell gave no answer (status 0)')
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
  const text = labels.map((label, at) => label.padEnd(41) + values[at]).join('\r\n')
  expect(parseNetUser(text, 'Ann')).toEqual({ comment: 'Größe: 3', home: 'C:\\Users\\ann' })
  fc.assert(
    fc.property(fc.string(), fc.string(), (output, name) => typeof parseNetUser(output, name).home === 'string'),
  )
})

it('reads any output of PowerShell', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json({ noUnicodeString: false } as object)), async (output) => {
      const tools = { 'powershell.exe': () => output }
      const system = windowsSystem(tools)
      const answers = await askPowerShell(system, ['C:/powershell.exe'], [{ user: 'ann' }])
      expect(answers).toHaveLength(1)
      toResponseList(answers[0]?.['accounts'])
    }),
  )
})
