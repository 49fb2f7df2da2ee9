import { listAccountGroups } from '../../../../machine/system/accounts.ts'
import { defineProvider } from '../../provider.ts'
import { group } from '../../types/group.ts'
import { withFailureMessage } from '../failure-message.ts'

/** The provider of `group`, which uses `groupadd` and related programs. */
export const groupadd = defineProvider(group, 'groupadd', {
  doc: 'Group management via `groupadd` and its ilk.',
  suitable: { commands: ['groupadd', 'groupmod', 'groupdel'] },
  defaultFor: { kernel: ['Linux'] },
  features: ['system_groups'],

  async read({ resource, system }) {
    const found = (await listAccountGroups(system.files)).find(({ name }) => name === resource.name)
    return found ? { ensure: 'present', gid: found.gid } : { ensure: 'absent' }
  },
  async create({ resource, run }) {
    const gid = resource.get('gid')
    const words = ['groupadd', ...(gid === undefined ? [] : ['-g', String(gid)])]
    if (resource.get('allowdupe')) words.push('-o')
    if (resource.get('system')) words.push('-r')
    await withFailureMessage(`create group ${resource.name}`, () => run(...words, resource.name))
  },
  async remove({ resource, run }) {
    await withFailureMessage(`delete group ${resource.name}`, () => run('groupdel', resource.name))
  },
  set: {
    async gid({ resource, run }, gid: number) {
      const words = ['groupmod', '-g', String(gid), ...(resource.get('allowdupe') ? ['-o'] : []), resource.name]
      await withFailureMessage(`set gid on group[${resource.name}]`, () => run(...words))
    },
  },
  async list({ system }) {
    return (await listAccountGroups(system.files)).map(({ name, gid }) => ({ name, ensure: 'present', gid }))
  },
})
