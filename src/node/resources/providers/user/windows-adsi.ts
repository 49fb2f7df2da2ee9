import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues, type ProviderWork } from '../../provider.ts'
import { user } from '../../types/user.ts'
import { type Account, type AccountDifference, compareAccounts, toLocalName } from '../windows/accounts.ts'
import { changeByNet } from '../windows/net-program.ts'
import { formatAccounts, openAccounts } from '../windows/open-accounts.ts'
import { keepPassword, runPowerShell } from '../windows/power-shell.ts'
import { type RightsChange, type RightsHolder, selectRights, UserRights } from '../windows/user-rights.ts'

type UserWork = ProviderWork<(typeof user)['attributes'], undefined>

const getName = ({ resource, facts }: UserWork): string => toLocalName(resource.name, 'user', facts)

/** The provider of `user` on Windows: local users. */
export const windowsAdsiUser = defineProvider(user, 'windows_adsi', {
  doc: 'Local user management for Windows.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['manages_homedir', 'manages_passwords', 'manages_roles'],

  async read(work): Promise<PropertyValues> {
    const found = await (await openAccounts(work)).readUser(getName(work))
    if (!found) return { ensure: 'absent' }
    const password = work.resource.get('password')
    return {
      ensure: 'present',
      ...found,
      ...(work.resource.reads('roles') && { roles: await UserRights.ofRun(work).read(getHolder(work, found.uid)) }),
      ...(password !== undefined && { password: (await isPassword(work, password)) ? password : undefined }),
    }
  },
  async create(work) {
    const { resource } = work
    const name = getName(work)
    const accounts = await openAccounts(work)
    if ((await accounts.readGroup(name)) !== undefined)
      failWithMessage(`Cannot create user if group '${resource.name}' exists.`)
    await accounts.createUser(`create user ${resource.name}`, name, resource.get('password'))
    accounts.forget('user', name)
    const comment = resource.get('comment')
    const home = resource.get('home')
    const groups = resource.get('groups')
    if (comment !== undefined) await setOption(work, 'comment', comment)
    if (home !== undefined) await setOption(work, 'homedir', home)
    if (groups !== undefined) await setGroups(work, groups)
    if (resource.has('roles')) await setRoles(work)
  },
  async remove(work) {
    const { system, resource } = work
    const name = getName(work)
    // The SID must be read before the user is gone.
    const accounts = await openAccounts(work)
    const sid = resource.get('managehome') ? (await accounts.readUser(name))?.uid : undefined
    await changeByNet(system, `delete user ${resource.name}`, ['user', name, '/delete'])
    accounts.forget('user', name)
    if (sid !== undefined)
      await runPowerShell(system, `delete the profile of user ${resource.name}`, profileRemoval, { sid })
  },
  inSync: {
    groups: async (work, is) => {
      const { missing, extra } = await compareGroups(work, toTexts(is))
      return missing.length === 0 && extra.length === 0
    },
    roles: (work, is) => {
      const { add, remove } = compareRoles(work, toTexts(is))
      return add.length === 0 && remove.length === 0
    },
  },
  show: { groups: formatAccounts },
  changeText: {
    groups: (work, is) => {
      const wanted = mergeList(work, 'groups', 'membership', is)
      const names = new Set(wanted.map((name) => formatAccounts(work, [name])))
      return `groups changed ${formatAccounts(work, is)} to ${[...names].join(',')}`
    },
    roles: (work, is) =>
      `roles changed ${toTexts(is).join(',')} to ${mergeList(work, 'roles', 'role_membership', is).join(',')}`,
  },
  set: {
    comment: (work, value: string) => setOption(work, 'comment', value),
    home: (work, value: string) => setOption(work, 'homedir', value),
    groups: (work) => setGroups(work, work.resource.get('groups') ?? []),
    async password(work, password: string) {
      const action = `set password on user[${work.resource.name}]`
      await runPowerShell(work.system, action, passwordChange, { name: getName(work), password })
    },
    uid: async () => failWithMessage('uid is read-only'),
    roles: (work) => setRoles(work),
    gid: async (work) => failUnsupported(work, 'gid'),
    shell: async (work) => failUnsupported(work, 'shell'),
  },
  async list(services) {
    const accounts = await openAccounts(services)
    const found: (PropertyValues & { readonly name: string })[] = []
    for (const name of await accounts.listUsers())
      found.push({ name, ensure: 'present', ...(await accounts.readUser(name)) })
    return found
  },
})

const passwordChange = `$u = [ADSI]("WinNT://./" + $v.name + ",user"); $u.SetPassword($v.password); ${keepPassword}`

const passwordCheck = [
  'Add-Type -AssemblyName System.DirectoryServices.AccountManagement',
  '$c = New-Object System.DirectoryServices.AccountManagement.PrincipalContext "Machine"',
  '$c.ValidateCredentials($v.name, $v.password)',
].join('; ')

const profileRemoval =
  'Get-CimInstance Win32_UserProfile | Where-Object { $_.SID -eq $v.sid } | ForEach-Object { Remove-CimInstance $_ }'

async function isPassword(work: UserWork, password: string): Promise<boolean> {
  const action = `check password of user[${work.resource.name}]`
  const [answer] = await runPowerShell(work.system, action, passwordCheck, { name: getName(work), password })
  return answer === 'True'
}

async function setOption(work: UserWork, option: 'comment' | 'homedir', value: string): Promise<void> {
  const { system, resource } = work
  const name = option === 'homedir' ? 'home' : option
  const words = ['user', getName(work), `/${option}:${value}`]
  await changeByNet(system, `set ${name} on user[${resource.name}]`, words)
}

async function setGroups(work: UserWork, groups: readonly string[]): Promise<void> {
  const accounts = await openAccounts(work)
  const user = getName(work)
  const found = await accounts.readUser(user)
  const { missing, extra } = await compareGroups(work, found?.groups ?? [], groups)
  const account: Account = { key: found?.uid ?? user.toLowerCase(), name: user }
  const action = `set groups on user[${work.resource.name}]`
  for (const group of missing) await accounts.changeMembers(action, group, { add: [account], remove: [] })
  for (const group of extra) await accounts.changeMembers(action, group, { add: [], remove: [account] })
}

/** Groups that the user lacks, and groups that it must leave. */
async function compareGroups(
  work: UserWork,
  current: readonly string[],
  wanted = work.resource.get('groups') ?? [],
): Promise<AccountDifference> {
  const { missing, extra } = await compareAccounts(await openAccounts(work), current, wanted)
  return { missing, extra: work.resource.get('membership') === 'inclusive' ? extra : [] }
}

const toTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** The desired list of a property in messages: with the present values, unless only the desired ones remain. */
function mergeList(
  { resource }: UserWork,
  name: 'groups' | 'roles',
  membership: 'membership' | 'role_membership',
  is: unknown,
): readonly string[] {
  const present = resource.get(membership) === 'inclusive' ? [] : toTexts(is)
  return [...new Set([...toTexts(resource.get(name)), ...present])].sort()
}

/** The user as the holder of rights, which are assigned to SIDs. */
function getHolder(work: UserWork, uid: string | undefined): RightsHolder {
  const { name } = work.resource
  return {
    name: getName(work),
    sid: uid ?? failWithMessage(`Could not read roles of user[${name}]: its SID is unknown`),
  }
}

function compareRoles({ resource }: UserWork, current: readonly string[]): RightsChange {
  const wanted = resource.get('roles') ?? []
  const extra = resource.get('role_membership') === 'inclusive' ? current : []
  const missing = selectRights(wanted, current, false)
  return {
    add: missing.filter((right, index) => selectRights(missing.slice(0, index), [right], true).length === 0),
    remove: selectRights(extra, wanted, false),
  }
}

async function setRoles(work: UserWork): Promise<void> {
  const rights = UserRights.ofRun(work)
  const holder = getHolder(work, (await (await openAccounts(work)).readUser(getName(work)))?.uid)
  const change = compareRoles(work, await rights.read(holder))
  await rights.change(`set roles on user[${work.resource.name}]`, holder, change)
}

function failUnsupported({ resource }: UserWork, property: string): never {
  return failWithMessage(`No support for managing property ${property} of user ${resource.name} on Windows`)
}
