import { failWithMessage } from '../../issues.ts'
import { defineProvider, type PropertyValues, type ProviderWork } from '../../provider.ts'
import { group } from '../../types/group.ts'
import {
  type AccountDifference,
  changeByNet,
  compareAccounts,
  formatAccounts,
  isSid,
  listNetGroups,
  readAccountSids,
  readNetGroup,
  readNetUser,
  toLocalName,
} from '../windows/net-accounts.ts'

type GroupWork = ProviderWork<(typeof group)['attributes'], undefined>

const getName = ({ resource, facts }: GroupWork): string => toLocalName(resource.name, 'group', facts)

/** The provider of `group` on Windows: local groups. */
export const windowsAdsiGroup = defineProvider(group, 'windows_adsi', {
  doc: 'Local group management for Windows. Members can be users and groups, also those of a domain.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['manages_members'],

  async read(work): Promise<PropertyValues> {
    const { system, resource } = work
    const name = getName(work)
    const members = await readNetGroup(system, name)
    if (members === undefined) return { ensure: 'absent' }
    const sids = resource.reads('gid') ? await readAccountSids(system, 'group') : undefined
    return { ensure: 'present', members, ...(sids && { gid: sids.get(name.toLowerCase()) }) }
  },
  async create(work) {
    const { system, resource } = work
    const name = getName(work)
    if ((await readNetUser(system, name)) !== undefined)
      failWithMessage(`Cannot create group if user '${resource.name}' exists.`)
    await changeByNet(system, `create group ${resource.name}`, ['localgroup', name, '/add'])
    await setMembers(work)
  },
  async remove(work) {
    const words = ['localgroup', getName(work), '/delete']
    await changeByNet(work.system, `delete group ${work.resource.name}`, words)
  },
  inSync: {
    members: async (work, is) => {
      const { missing, extra } = await compareMembers(work, Array.isArray(is) ? is.map(String) : [])
      return missing.length === 0 && extra.length === 0
    },
  },
  show: { members: ({ facts }, value) => formatAccounts(value, facts) },
  changeText: {
    members: ({ resource, facts }, is) => {
      const current = Array.isArray(is) ? is.map(String) : []
      const wanted = resource.get('members') ?? []
      const all = resource.get('auth_membership') ? wanted : [...current, ...wanted]
      const unique = new Map(all.map((name) => [formatAccounts([name], facts).toLowerCase(), name]))
      return `members changed ${formatAccounts(current, facts)} to ${formatAccounts([...unique.values()].sort(), facts)}`
    },
  },
  set: {
    members: setMembers,
    gid: async () => failWithMessage('gid is read-only'),
  },
  async list({ system }) {
    const sids = await readAccountSids(system, 'group')
    const found: (PropertyValues & { readonly name: string })[] = []
    for (const name of await listNetGroups(system)) {
      const members = (await readNetGroup(system, name)) ?? []
      found.push({ name, ensure: 'present', members, gid: sids.get(name.toLowerCase()) })
    }
    return found
  },
})

async function setMembers(work: GroupWork): Promise<void> {
  const { system, resource } = work
  if (!resource.has('members')) return
  const name = getName(work)
  const { missing, extra } = await compareMembers(work, (await readNetGroup(system, name)) ?? [])
  const action = `set members on group[${resource.name}]`
  for (const member of missing) {
    if (/[/"]/.test(member) || isSid(member)) failWithMessage(`Could not resolve name: ${member}`)
    await changeByNet(system, action, ['localgroup', name, member, '/add'])
  }
  for (const member of extra) await changeByNet(system, action, ['localgroup', name, member, '/delete'])
}

/** Members that the group lacks, and members that must leave. */
async function compareMembers(work: GroupWork, current: readonly string[]): Promise<AccountDifference> {
  const { missing, extra } = await compareAccounts(work, current, work.resource.get('members') ?? [])
  return { missing, extra: work.resource.get('auth_membership') ? extra : [] }
}
