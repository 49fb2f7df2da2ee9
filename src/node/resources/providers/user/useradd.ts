import { type Account, accountGroups, accounts, gidOf } from '../../../../machine/system/accounts.ts'
import type { System } from '../../../../machine/system/system.ts'
import { display } from '../../display.ts'
import { complain } from '../../issues.ts'
import { defineProvider, type Seen, type Work } from '../../provider.ts'
import { type UserResource, user } from '../../types/user.ts'
import { orCannot } from '../or-cannot.ts'
import { unmanagedKeys } from './unmanaged-keys.ts'

type UserWork = Work<(typeof user)['attributes'], undefined>

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

/** Users, managed with `useradd` and related programs. */
export const useradd = defineProvider(user, 'useradd', {
  doc: 'User management via `useradd` and its ilk.',
  generate: unmanagedKeys,
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
    const found = (await accounts(system.files)).find(({ name }) => name === resource.name)
    return found ? seenOf(system, found) : { ensure: 'absent' }
  },
  async create(work) {
    const { resource, run } = work
    await checkShell(work)
    const words = ['useradd', ...(await addFlags(work))]
    if (resource.get('allowdupe')) words.push('-o')
    words.push(resource.get('managehome') ? '-m' : '-M')
    if (resource.get('system')) words.push('-r')
    await orCannot(`create user ${resource.name}`, () => run(...words, resource.name))
    for (const [name, flag] of Object.entries(ages)) {
      const days = resource.value(name)
      if (days !== undefined) await run('chage', flag, String(days), resource.name)
    }
    const password = resource.get('password')
    if (password !== undefined) await setPassword(work, password)
  },
  async remove({ resource, run }) {
    const words = ['userdel', ...(resource.get('managehome') ? ['-r'] : []), resource.name]
    await orCannot(`delete user ${resource.name}`, () => run(...words))
  },
  inSync: {
    async gid({ resource, system }, is) {
      const wanted = resource.get('gid')
      const gid = wanted === undefined ? undefined : await gidOf(system.files, wanted)
      if (gid === undefined) complain(`Could not find group(s) ${wanted}`)
      return gid === is
    },
    groups: ({ resource }, is) => sameGroups(is, wantedGroups(resource, is)),
  },
  show: {
    groups: (_, value, isWanted) => {
      const names = Array.isArray(value) ? value.join(',') : String(value)
      return isWanted ? `'${names}'` : names
    },
  },
  desiredValues: { groups: ({ resource }, is) => wantedGroups(resource, is).join(',') },
  changeText: {
    groups({ resource }, is) {
      const there = Array.isArray(is) ? is.join(',') : String(is)
      return `groups changed ${there} to ${display(wantedGroups(resource, is))}`
    },
  },
  set: {
    comment: (work, value: string) => modify(work, 'comment', value),
    expiry: (work, value: string) => modify(work, 'expiry', value === 'absent' ? '' : value),
    gid: (work, value: string | number) => modify(work, 'gid', String(value)),
    groups: (work, _: never, is) => modify(work, 'groups', wantedGroups(work.resource, is).join(',')),
    home: (work, value: string) => modify(work, 'home', value, ...(work.resource.get('managehome') ? ['-m'] : [])),
    async shell(work, value: string) {
      await checkShell(work)
      await modify(work, 'shell', value)
    },
    uid: (work, value: number) => modify(work, 'uid', String(value), ...(work.resource.get('allowdupe') ? ['-o'] : [])),
    password: (work, value: string) => setPassword(work, value),
    password_max_age: (work, value: number) => age(work, 'password_max_age', value),
    password_min_age: (work, value: number) => age(work, 'password_min_age', value),
    password_warn_days: (work, value: number) => age(work, 'password_warn_days', value),
  },
  async list({ system }) {
    const all = await accounts(system.files)
    return Promise.all(all.map(async (each) => ({ name: each.name, ...(await seenOf(system, each)) })))
  },
})

async function seenOf(system: System, { name, uid, gid, comment, home, shell }: Account): Promise<Seen> {
  const member = (await accountGroups(system.files)).filter(({ members }) => members.includes(name))
  const groups = member.map((each) => each.name)
  return { ensure: 'present', uid, gid, comment, home, shell, groups, ...(await shadowOf(system, name)) }
}

/** Fields of /etc/shadow, which only root can read: the password and its ages. */
async function shadowOf(system: System, name: string): Promise<Seen> {
  const shadow = await system.files.readText('/etc/shadow').catch(() => undefined)
  const row = shadow?.split('\n').find((each) => each.startsWith(`${name}:`))
  if (row === undefined) return {}
  const [, password, , minimum, maximum, warning, , expires] = row.split(':')
  // The C library returns -1 for an empty field.
  const age = (field = '') => (field === '' ? -1 : Number(field))
  const days = age(expires)
  return {
    password,
    password_min_age: age(minimum),
    password_max_age: age(maximum),
    password_warn_days: age(warning),
    expiry: days === -1 ? 'absent' : new Date(days * 86_400_000).toISOString().slice(0, 10),
  }
}

async function addFlags({ resource, system }: UserWork): Promise<string[]> {
  const words: string[] = []
  const own = (await accountGroups(system.files)).some(({ name }) => name === resource.name)
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
  if (!stat) complain(`Shell ${shell} must exist`)
  if (stat.kind !== 'link' && (stat.mode & 0o111) === 0) complain(`Shell ${shell} must be executable`)
}

async function modify(work: UserWork, name: keyof typeof flags, ...words: readonly string[]): Promise<void> {
  const { resource, run } = work
  await orCannotSet(work, name, () => run('usermod', flags[name], ...words, resource.name))
}

/** Sets a property. An error contains the property's name. */
function orCannotSet({ resource }: UserWork, name: string, change: () => Promise<unknown>): Promise<void> {
  return orCannot(`set ${name} on user[${resource.name}]`, change)
}

async function age(work: UserWork, name: keyof typeof ages, days: number): Promise<void> {
  const { resource, run } = work
  await orCannotSet(work, name, () => run('chage', ages[name], String(days), resource.name))
}

/** Passes the password through standard input, so that the process list does not show it. */
async function setPassword({ resource, runWith }: UserWork, password: string): Promise<void> {
  const { output } = await runWith({ input: `${resource.name}:${password}\n` }, 'chpasswd', '-e')
  if (output !== '') complain(`chpasswd said ${output}`)
}

function wantedGroups(resource: UserResource, is: unknown): readonly string[] {
  const named = resource.get('groups') ?? []
  const there = Array.isArray(is) ? (is as readonly string[]) : []
  return [...new Set(resource.get('membership') === 'inclusive' ? named : [...there, ...named])].sort()
}

function sameGroups(is: unknown, should: readonly string[]): boolean {
  return [...(Array.isArray(is) ? is : [])].sort().join(',') === should.join(',')
}
