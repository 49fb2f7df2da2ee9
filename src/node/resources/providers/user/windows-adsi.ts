import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues, type ProviderWork } from '../../provider.ts'
import { user } from '../../types/user.ts'
import {
  type AccountDifference,
  changeByNet,
  compareAccounts,
  formatAccounts,
  listNetUsers,
  readAccountSids,
  readNetGroup,
  readNetUser,
  toLocalName,
} from '../windows/net-accounts.ts'
import { runPowerShell } from '../windows/power-shell.ts'

type UserWork = ProviderWork<(typeof user)['attributes'], undefined>

const getName = ({ resource, facts }: UserWork): string => toLocalName(resource.name, 'user', facts)

/** The provider of `user` on Windows: local users. */
export const windowsAdsiUser = defineProvider(user, 'windows_adsi', {
  doc: 'Local user management for Windows.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['manages_homedir', 'manages_passwords', 'manages_roles'],

  async read(work): Promise<PropertyValues> {
    const { system, resource } = work
    const name = getName(work)
    const found = await readNetUser(system, name)
    if (!found) return { ensure: 'absent' }
    const password = resource.get('password')
    return {
      ensure: 'present',
      ...found,
      ...(resource.reads('uid') && { uid: (await readAccountSids(system, 'user')).get(name.toLowerCase()) }),
      ...(password !== undefined && { password: (await isPassword(work, password)) ? password : undefined }),
    }
  },
  async create(work) {
    const { system, resource } = work
    const name = getName(work)
    if ((await readNetGroup(system, name)) !== undefined)
      failWithMessage(`Cannot create user if group '${resource.name}' exists.`)
    const password = resource.get('password')
    if (password === undefined) await changeByNet(system, `create user ${resource.name}`, ['user', name, '/add'])
    else await runPowerShell(system, `create user ${resource.name}`, creation, { name, password })
    const comment = resource.get('comment')
    const home = resource.get('home')
    const groups = resource.get('groups')
    if (comment !== undefined) await setOption(work, 'comment', comment)
    if (home !== undefined) await setOption(work, 'homedir', home)
    if (groups !== undefined) await setGroups(work, groups)
  },
  async remove(work) {
    const { system, resource } = work
    const name = getName(work)
    // The SID must be read before the user is gone.
    const sid = resource.get('managehome') ? (await readAccountSids(system, 'user')).get(name.toLowerCase()) : undefined
    await changeByNet(system, `delete user ${resource.name}`, ['user', name, '/delete'])
    if (sid !== undefined)
      await runPowerShell(system, `delete the profile of user ${resource.name}`, profileRemoval, { sid })
  },
  inSync: {
    groups: async (work, is) => {
      const current = Array.isArray(is) ? is.map(String) : []
      const { missing, extra } = await compareGroups(work, current)
      return missing.length === 0 && extra.length === 0
    },
  },
  show: { groups: ({ facts }, value) => formatAccounts(value, facts) },
  changeText: {
    groups: ({ resource, facts }, is) => {
      const [there, wanted] = [is, resource.get('groups')].map((names) => formatAccounts(names, facts))
      return `groups changed ${there} to ${wanted}`
    },
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
    roles: async (work) =>
      failWithMessage(`Could not set roles on user[${work.resource.name}]: rights of accounts cannot be changed`),
    gid: async (work) => failUnsupported(work, 'gid'),
    shell: async (work) => failUnsupported(work, 'shell'),
  },
  async list({ system }) {
    const sids = await readAccountSids(system, 'user')
    const found: (PropertyValues & { readonly name: string })[] = []
    for (const name of await listNetUsers(system)) {
      const properties = await readNetUser(system, name)
      found.push({ name, ensure: 'present', uid: sids.get(name.toLowerCase()), ...properties })
    }
    return found
  },
})

/** Sets the flag `ADS_UF_DONT_EXPIRE_PASSWD`, as Puppet does after each change of a password. */
const keepPassword = '$u.Put("UserFlags", ($u.Get("UserFlags") -bor 0x10000)); $u.SetInfo()'

const creation = `$u = ([ADSI]"WinNT://.").Create("user", $v.name); $u.SetPassword($v.password); $u.SetInfo(); ${keepPassword}`

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
  const { system, resource, facts } = work
  const current = (await readNetUser(system, getName(work)))?.groups ?? []
  const { missing, extra } = await compareGroups(work, current, groups)
  const action = `set groups on user[${resource.name}]`
  for (const group of missing)
    await changeByNet(system, action, ['localgroup', toLocalName(group, 'group', facts), getName(work), '/add'])
  for (const group of extra) await changeByNet(system, action, ['localgroup', group, getName(work), '/delete'])
}

/** Groups that the user lacks, and groups that it must leave. */
async function compareGroups(
  work: UserWork,
  current: readonly string[],
  wanted = work.resource.get('groups') ?? [],
): Promise<AccountDifference> {
  const { missing, extra } = await compareAccounts(work, current, wanted)
  return { missing, extra: work.resource.get('membership') === 'inclusive' ? extra : [] }
}

function failUnsupported({ resource }: UserWork, property: string): never {
  return failWithMessage(`No support for managing property ${property} of user ${resource.name} on Windows`)
}
