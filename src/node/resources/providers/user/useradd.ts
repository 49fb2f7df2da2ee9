import { type Account, findGid, listAccountGroups, listAccounts } from '../../../../machine/system/accounts.ts'
import type { System } from '../../../../machine/system/system.ts'
import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues, type ProviderWork } from '../../provider.ts'
import { type UserResource, user } from '../../types/user.ts'
import { formatLogValue } from '../../value-format.ts'
import { withFailureMessage } from '../failure-message.ts'
import { generateUnmanagedKeys } from './unmanaged-keys.ts'

type UserWork = ProviderWork<(typeof user)['attributes'], undefined>

/** Options of useradd and usermod, in Puppet's order. */
const flags = {
  comment: '-c',
  expiry: '-e',
  gid: '-g',
  groups: '-G',
  home: '-d',
  shell: '-s',
  uid: '-u',
} as const

const ages = { password_max_age: '-M', password_min_age: '-m', password_warn_days: '-W' } as const

/** The provider of `user`, which uses `useradd` and related programs. */
export const useradd = defineProvider(user, 'useradd', {
  doc: 'User management via `useradd` and its ilk.',
  generate: generateUnmanagedKeys,
  suitable: { commands: ['useradd', 'usermod', 'userdel'] },
  defaultFor: { kernel: ['Linux'] },
  features: [
    'manages_homedir',
    'allows_duplicates',
    'manages_expiry',
    'system_users',
    'manages_passwords',
    'manages_password_age',
    'manages_shell',
  ],

  async read({ resource, system }) {
    const found = (await listAccounts(system.files)).find(({ name }) => name === resource.name)
    return found ? readAccountProperties(system, found) : { ensure: 'absent' }
  },
  async create(work) {
    const { resource, run } = work
    await checkShell(work)
    const words = ['useradd', ...(await buildAddFlags(work))]
    if (resource.get('allowdupe')) words.push('-o')
    words.push(resource.get('managehome') ? '-m' : '-M')
    if (resource.get('system')) words.push('-r')
    await withFailureMessage(`create user ${resource.name}`, () => run(...words, resource.name))
    for (const [name, flag] of Object.entries(ages)) {
      const days = resource.value(name)
      if (days !== undefined) await run('chage', flag, String(days), resource.name)
    }
    const password = resource.get('password')
    if (password !== undefined) await setPassword(work, password)
  },
  async remove({ resource, run }) {
    const words = ['userdel', ...(resource.get('managehome') ? ['-r'] : []), resource.name]
    await withFailureMessage(`delete user ${resource.name}`, () => run(...words))
  },
  inSync: {
    async gid({ resource, system }, is) {
      const wanted = resource.get('gid')
      const gid = wanted === undefined ? undefined : await findGid(system.files, wanted)
      if (gid === undefined) failWithMessage(`Could not find group(s) ${wanted}`)
      return gid === is
    },
    groups: ({ resource }, is) => areSameGroups(is, getDesiredGroups(resource, is)),
  },
  show: {
    groups: (_, value, isWanted) => {
      const names = Array.isArray(value) ? value.join(',') : String(value)
      return isWanted ? `'${names}'` : names
    },
  },
  desiredValues: { groups: ({ resource }, is) => getDesiredGroups(resource, is).join(',') },
  changeText: {
    groups({ resource }, is) {
      const there = Array.isArray(is) ? is.join(',') : String(is)
      return `groups changed ${there} to ${formatLogValue(getDesiredGroups(resource, is))}`
    },
  },
  set: {
    comment: (work, value: string) => modifyUser(work, 'comment', value),
    expiry: (work, value: string) => modifyUser(work, 'expiry', value === 'absent' ? '' : value),
    gid: (work, value: string | number) => modifyUser(work, 'gid', String(value)),
    groups: (work, _: never, is) => modifyUser(work, 'groups', getDesiredGroups(work.resource, is).join(',')),
    home: (work, value: string) => modifyUser(work, 'home', value, ...(work.resource.get('managehome') ? ['-m'] : [])),
    async shell(work, value: string) {
      await checkShell(work)
      await modifyUser(work, 'shell', value)
    },
    uid: (work, value: number) =>
      modifyUser(work, 'uid', String(value), ...(work.resource.get('allowdupe') ? ['-o'] : [])),
    password: (work, value: string) => setPassword(work, value),
    password_max_age: (work, value: number) => setPasswordAge(work, 'password_max_age', value),
    password_min_age: (work, value: number) => setPasswordAge(work, 'password_min_age', value),
    password_warn_days: (work, value: number) => setPasswordAge(work, 'password_warn_days', value),
  },
  async list({ system }) {
    const all = await listAccounts(system.files)
    return Promise.all(all.map(async (each) => ({ name: each.name, ...(await readAccountProperties(system, each)) })))
  },
})

async function readAccountProperties(
  system: System,
  { name, uid, gid, comment, home, shell }: Account,
): Promise<PropertyValues> {
  const member = (await listAccountGroups(system.files)).filter(({ members }) => members.includes(name))
  const groups = member.map((each) => each.name)
  return { ensure: 'present', uid, gid, comment, home, shell, groups, ...(await readShadowFields(system, name)) }
}

/** Fields of /etc/shadow, which only root can read: the password and its ages. */
async function readShadowFields(system: System, name: string): Promise<PropertyValues> {
  const shadow = await system.files.readText('/etc/shadow').catch(() => undefined)
  const row = shadow?.split('\n').find((each) => each.startsWith(`${name}:`))
  if (row === undefined) return {}
  const [, password, , minimum, maximum, warning, , expires] = row.split(':')
  // The C library returns -1 for an empty field.
  const parseAge = (field = '') => (field === '' ? -1 : Number(field))
  const days = parseAge(expires)
  return {
    password,
    password_min_age: parseAge(minimum),
    password_max_age: parseAge(maximum),
    password_warn_days: parseAge(warning),
    expiry: days === -1 ? 'absent' : new Date(days * 86_400_000).toISOString().slice(0, 10),
  }
}

async function buildAddFlags({ resource, system }: UserWork): Promise<string[]> {
  const words: string[] = []
  const own = (await listAccountGroups(system.files)).some(({ name }) => name === resource.name)
  if (!resource.has('gid') && own) words.push('-g', resource.name)
  for (const [name, flag] of Object.entries(flags)) {
    const value = resource.value(name)
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') words.push(flag, name === 'expiry' && text === 'absent' ? '' : text)
  }
  return words
}

async function checkShell({ resource, system }: UserWork): Promise<void> {
  const shell = resource.get('shell')
  if (shell === undefined) return
  const stat = await system.files.stat(shell)
  if (!stat) failWithMessage(`Shell ${shell} must exist`)
  if (stat.kind !== 'link' && (stat.mode & 0o111) === 0) failWithMessage(`Shell ${shell} must be executable`)
}

async function modifyUser(work: UserWork, name: keyof typeof flags, ...words: readonly string[]): Promise<void> {
  const { resource, run } = work
  await withPropertyFailure(work, name, () => run('usermod', flags[name], ...words, resource.name))
}

/** Sets a property. An error contains the property's name. */
function withPropertyFailure({ resource }: UserWork, name: string, change: () => Promise<unknown>): Promise<void> {
  return withFailureMessage(`set ${name} on user[${resource.name}]`, change)
}

async function setPasswordAge(work: UserWork, name: keyof typeof ages, days: number): Promise<void> {
  const { resource, run } = work
  await withPropertyFailure(work, name, () => run('chage', ages[name], String(days), resource.name))
}

/** Passes the password through standard input, so that the process list does not show it. */
async function setPassword({ resource, runWith }: UserWork, password: string): Promise<void> {
  const { output } = await runWith({ input: `${resource.name}:${password}\n` }, 'chpasswd', '-e')
  if (output !== '') failWithMessage(`chpasswd said ${output}`)
}

function getDesiredGroups(resource: UserResource, is: unknown): readonly string[] {
  const named = resource.get('groups') ?? []
  const there = Array.isArray(is) ? (is as readonly string[]) : []
  return [...new Set(resource.get('membership') === 'inclusive' ? named : [...there, ...named])].sort()
}

function areSameGroups(is: unknown, should: readonly string[]): boolean {
  return [...(Array.isArray(is) ? is : [])].sort().join(',') === should.join(',')
}
