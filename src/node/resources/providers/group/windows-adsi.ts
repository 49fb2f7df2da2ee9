import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues, type ProviderWork } from '../../provider.ts'
import { group } from '../../types/group.ts'
import { type AccountDifference, compareAccounts, toLocalName } from '../windows/accounts.ts'
import { changeByNet } from '../windows/net-program.ts'
import { formatAccounts, openAccounts } from '../windows/open-accounts.ts'

type GroupWork = ProviderWork<(typeof group)['attributes'], undefined>

const getName = ({ resource, facts }: GroupWork): string => toLocalName(resource.name, 'group', facts)

/** The provider of `group` on Windows: local groups. */
export const windowsAdsiGroup = defineProvider(group, 'windows_adsi', {
  doc: 'Local group management for Windows. Members can be users and groups, also those of a domain.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['manages_members'],

  async read(work): Promise<PropertyValues> {
    const found = await (await openAccounts(work)).readGroup(getName(work))
    return found ? { ensure: 'present', ...found } : { ensure: 'absent' }
  },
  async create(work) {
    const { system, resource } = work
    const name = getName(work)
    const accounts = await openAccounts(work)
    if ((await accounts.readUser(name)) !== undefined)
      failWithMessage(`Cannot create group if user '${resource.name}' exists.`)
    await changeByNet(system, `create group ${resource.name}`, ['localgroup', name, '/add'])
    accounts.forget('group', name)
    await setMembers(work)
  },
  async remove(work) {
    const words = ['localgroup', getName(work), '/delete']
    await changeByNet(work.system, `delete group ${work.resource.name}`, words)
    ;(await openAccounts(work)).forget('group', getName(work))
  },
  inSync: {
    members: async (work, is) => {
      const { missing, extra } = await compareMembers(work, Array.isArray(is) ? is.map(String) : [])
      return missing.length === 0 && extra.length === 0
    },
  },
  show: { members: formatAccounts },
  changeText: {
    members: (work, is) => {
      const { resource } = work
      const current = Array.isArray(is) ? is.map(String) : []
      const wanted = resource.get('members') ?? []
      const all = resource.get('auth_membership') ? wanted : [...current, ...wanted]
      const unique = new Map(all.map((name) => [formatAccounts(work, [name]).toLowerCase(), name]))
      return `members changed ${formatAccounts(work, current)} to ${formatAccounts(work, [...unique.values()].sort())}`
    },
  },
  set: {
    members: setMembers,
    gid: async () => failWithMessage('gid is read-only'),
  },
  async list(services) {
    const accounts = await openAccounts(services)
    const found: (PropertyValues & { readonly name: string })[] = []
    for (const name of await accounts.listGroups())
      found.push({ name, ensure: 'present', ...(await accounts.readGroup(name)) })
    return found
  },
})

async function setMembers(work: GroupWork): Promise<void> {
  const { resource } = work
  if (!resource.has('members')) return
  const name = getName(work)
  const accounts = await openAccounts(work)
  const found = await accounts.readGroup(name)
  const { missing, extra } = await compareMembers(work, found?.members ?? [])
  const group = { key: found?.gid ?? name.toLowerCase(), name }
  await accounts.changeMembers(`set members on group[${resource.name}]`, group, { add: missing, remove: extra })
}

/** Members that the group lacks, and members that must leave. */
async function compareMembers(work: GroupWork, current: readonly string[]): Promise<AccountDifference> {
  const accounts = await openAccounts(work)
  const { missing, extra } = await compareAccounts(accounts, current, work.resource.get('members') ?? [])
  return { missing, extra: work.resource.get('auth_membership') ? extra : [] }
}
