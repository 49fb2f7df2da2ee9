import { posix } from 'node:path'
import { fail } from '../../../base/issue.ts'
import { issues } from '../../issues.ts'
import { defineProvider, type ProviderDefinition } from '../../provider.ts'
import { service } from '../../types/service.ts'
import {
  act,
  type CommandFor,
  restart,
  type ServiceAttributes,
  type ServiceWork,
  statusOf,
} from './service-commands.ts'

/** The common provider of simple services: commands start, stop and ask; nothing is enabled. */
function plainService(
  name: string,
  commandFor: CommandFor,
  own: Pick<ProviderDefinition<ServiceAttributes, undefined>, 'doc'> &
    Partial<ProviderDefinition<ServiceAttributes, undefined>>,
): ProviderDefinition<ServiceAttributes, undefined> {
  return defineProvider<ServiceAttributes>(service, name, {
    read: async (work) => ({ ensure: await statusOf(work, commandFor) }),
    changeText: { ensure: ({ resource }, is) => `ensure changed '${String(is)}' to '${resource.get('ensure')}'` },
    invalidatesRefreshes: ['running'],
    eventNames: { ensure: (should) => (should === 'running' ? 'service_started' : 'service_stopped') },
    async refresh(work) {
      if ((await statusOf(work, commandFor)) === 'running') await restart(work, commandFor)
      else work.log('debug', 'Skipping restart; service is not running')
    },
    ...own,
    set: {
      ensure: (work, should: string) => act(work, should === 'running' ? 'start' : 'stop', commandFor),
      ...own.set,
    },
  })
}

const viaScript: CommandFor = ({ resource }, action) => {
  if (action === 'restart' && resource.get('hasrestart') !== 'true') return undefined
  const folder = resource.get('path')?.[0] ?? '/etc/init.d'
  return [posix.join(folder, resource.name), action]
}

/** Init scripts as Debian keeps them, enabled by update-rc.d. */
export const debian = plainService('debian', viaScript, {
  doc: "Debian's form of `init`-style management, with `update-rc.d` for enabling and disabling.",
  suitable: { commands: ['update-rc.d', 'invoke-rc.d'] },
  defaultFor: { 'os.family': ['Debian'] },
  features: ['refreshable', 'enableable'],
  async read(work) {
    const enable = work.resource.reads('enable') ? await isEnabled(work) : undefined
    return { ensure: work.resource.reads('ensure') ? await statusOf(work, viaScript) : undefined, enable }
  },
  set: {
    async enable({ resource, run }, should: string) {
      if (should === 'true') await run('update-rc.d', resource.name, 'defaults')
      await run('update-rc.d', resource.name, should === 'true' ? 'enable' : 'disable')
    },
  },
})

async function isEnabled({ system, resource }: ServiceWork): Promise<'true' | 'false'> {
  const links = await Promise.all(
    ['2', '3', '4', '5'].map(async (level) => (await system.files.list(`/etc/rc${level}.d`)) ?? []),
  )
  const isStart = (name: string) => /^S\d\d/.test(name) && name.slice(3) === resource.name
  return links.every((names) => names.some(isStart)) ? 'true' : 'false'
}

/** Init scripts. */
export const init = plainService('init', viaScript, {
  doc: 'Standard `init`-style service management.',
  suitable: { when: async ({ system }) => (await system.files.stat('/etc/init.d')) !== undefined },
  features: ['refreshable'],
})

const byBinary: CommandFor = ({ resource }, action) => {
  const binary = resource.get('binary')
  return action === 'start' && binary !== undefined ? ['/bin/sh', '-c', binary] : undefined
}

/** Commands that the resource gives, and the table of processes. */
export const base = plainService('base', byBinary, {
  doc: 'The simplest form of Unix service support: commands that the resource gives, and the process table.',
  features: ['refreshable'],
  set: {
    async ensure(work, should: string) {
      if (should === 'running' || work.resource.has('stop'))
        return act(work, should === 'running' ? 'start' : 'stop', byBinary)
      const { stdout } = await work.system.commands.run([
        'pgrep',
        '-f',
        work.resource.get('pattern') ?? work.resource.name,
      ])
      const ids = stdout.split('\n').filter((id) => id !== '' && Number(id) !== process.pid)
      if (ids.length === 0) fail(issues.PLAIN, { message: `${work.resource.name} is not running` })
      await work.run('kill', ...ids)
    },
  },
})
