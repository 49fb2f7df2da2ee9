import { posix } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PuppetError } from '../../../../base/issue.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import { type ProviderDefinition, type ProviderServices, runProviderProgram } from '../../provider.ts'
import { withFailureMessage } from '../failure-message.ts'
import type { ServiceAttributes, ServiceWork } from './service-commands.ts'
import { defineServiceProvider } from './service-provider.ts'

/** A supervisor of daemons. Each daemon is a folder with a program `run`; a link to the folder enables it. */
interface Supervisor {
  readonly name: string
  readonly doc: string
  readonly commands: readonly string[]
  /** Folders of daemons; the first existing folder is used. */
  readonly daemons: readonly string[]
  /** Folders of links; the first existing folder is used. */
  readonly services: readonly string[]
  status(work: ServiceWork, daemon: string, link: string): Promise<'running' | 'stopped'>
  readonly words: Readonly<Record<'start' | 'stop' | 'restart', readonly string[]>>
  /** True if a daemon must be stopped when its link is removed. */
  readonly stopsWhenDisabled: boolean
  /** Milliseconds until the supervisor detects a new link. */
  readonly discovery: number
}

/** The service provider for daemons supervised by runit. */
export const runit = defineSupervisedProvider({
  name: 'runit',
  doc: 'Runit service management: daemons in `/etc/sv`, `/var/lib/service` or `path`.',
  commands: ['sv'],
  daemons: ['/var/lib/service', '/etc/sv'],
  services: ['/service', '/etc/service', '/var/service'],
  async status({ system, resource }, daemon) {
    const { status, output } = await runProviderProgram(system, ['sv', 'status', daemon])
    if (status === 0) return /^run: /m.test(output) ? 'running' : 'stopped'
    if (/warning: |runsv not running$/m.test(output)) return 'stopped'
    const path = (await system.commands.find('sv')) ?? 'sv'
    const why = `Execution of '${path} status ${daemon}' returned ${status}: ${output.trim()}`
    return failWithMessage(`Could not get status for service ${resource.reference}: ${why}`)
  },
  words: { start: ['sv', 'start'], stop: ['sv', 'stop'], restart: ['sv', 'restart'] },
  stopsWhenDisabled: false,
  discovery: 5000,
})

/** The service provider for daemons supervised by D. J. Bernstein's daemontools. */
export const daemontools = defineSupervisedProvider({
  name: 'daemontools',
  doc: 'Daemontools service management: daemons in `/var/lib/service`, `/etc` or `path`.',
  commands: ['svc', 'svstat'],
  daemons: ['/var/lib/service', '/etc'],
  services: ['/service', '/etc/service', '/var/lib/svscan'],
  async status({ run, resource }, _, link) {
    try {
      const { output } = await run('svstat', link)
      return /:\s+up \(/.test(output) ? 'running' : 'stopped'
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      return failWithMessage(`Could not get status for service ${resource.reference}: ${error.message}`)
    }
  },
  words: { start: ['svc', '-u'], stop: ['svc', '-d'], restart: ['svc', '-t'] },
  stopsWhenDisabled: true,
  discovery: 0,
})

/** The folder of a daemon, and the path of its link. */
async function resolvePaths(work: ServiceWork, { name, daemons, services }: Supervisor) {
  const folder = work.resource.get('path')?.[0] ?? (await findFirstFolder(work, daemons))
  const links = await findFirstFolder(work, services)
  return {
    daemon: posix.join(
      folder ?? failWithMessage(`${name} must specify a path for daemon directory`),
      work.resource.name,
    ),
    link: posix.join(links ?? failWithFormError('Could not find service directory'), work.resource.name),
  }
}

async function isLinked(work: ServiceWork, link: string): Promise<boolean> {
  return (await work.system.files.readLink(link)) !== undefined
}

async function enableDaemon(work: ServiceWork, supervisor: Supervisor): Promise<void> {
  const { daemon, link } = await resolvePaths(work, supervisor)
  await createDaemon(work, daemon)
  if (await isLinked(work, link)) return
  work.log('notice', `Enabling ${link}: linking ${daemon} -> ${link}`, '')
  await work.system.files.link(daemon, link)
}

async function disableDaemon(work: ServiceWork, supervisor: Supervisor): Promise<void> {
  const { daemon, link } = await resolvePaths(work, supervisor)
  const { stopsWhenDisabled, words } = supervisor
  if (stopsWhenDisabled) await createDaemon(work, daemon)
  if (await isLinked(work, link)) {
    if (stopsWhenDisabled) work.log('notice', `Disabling ${link}: removing link ${daemon} -> ${link}`, '')
    await work.system.files.remove(link)
  }
  if (stopsWhenDisabled) await work.run(...words.stop, link)
}

function defineSupervisedProvider(supervisor: Supervisor): ProviderDefinition<ServiceAttributes, undefined> {
  const { name, doc, commands, words, discovery } = supervisor
  const getLinkPath = async (work: ServiceWork) => (await resolvePaths(work, supervisor)).link
  const queryStatus = async (work: ServiceWork) => {
    const { daemon, link } = await resolvePaths(work, supervisor)
    return supervisor.status(work, daemon, link)
  }
  const isEnabled = async (work: ServiceWork) =>
    (await queryStatus(work)) === 'running' || (await isLinked(work, await getLinkPath(work))) ? 'true' : 'false'
  return defineServiceProvider(name, {
    doc,
    suitable: { commands },
    command: () => undefined,
    status: queryStatus,
    async start(work) {
      const link = await getLinkPath(work)
      if ((await isEnabled(work)) !== 'true') {
        await enableDaemon(work, supervisor)
        if (discovery > 0) {
          work.log('info', `Waiting 5 seconds for runsvdir to discover service ${link}`, '')
          await sleep(discovery)
        }
      }
      await work.run(...words.start, link)
    },
    stop: async (work) => void (await work.run(...words.stop, await getLinkPath(work))),
    restart: async (work) => void (await work.run(...words.restart, await getLinkPath(work))),
    boot: {
      isEnabled,
      enable: (work) => enableDaemon(work, supervisor),
      disable: (work) => disableDaemon(work, supervisor),
    },
    list: (services) => listDaemons(services, supervisor),
  })
}

async function listDaemons(
  services: ProviderServices,
  { daemons }: Supervisor,
): Promise<readonly { readonly name: string }[]> {
  const folder = await findFirstFolder(services, daemons)
  const { files } = services.system
  const found: { name: string }[] = []
  for (const name of folder === undefined ? [] : ((await files.list(folder)) ?? []))
    if (!name.startsWith('.') && (await files.stat(posix.join(folder!, name, 'run')))) found.push({ name })
  return found
}

/** Creates a missing daemon with the command in `manifest`. */
async function createDaemon(work: ServiceWork, daemon: string): Promise<void> {
  const { resource, system, log } = work
  if ((await system.files.stat(daemon)) !== undefined) return
  log('notice', `No daemon dir, calling setupservice for ${resource.name}`, '')
  const command = resource.get('manifest')
  if (command === undefined) return
  log('notice', `Configuring ${resource.name}`, '')
  await withFailureMessage(`configure ${work.resource.name}`, () => system.commands.run([command, resource.name]))
}

async function findFirstFolder({ system }: ProviderServices, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await system.files.stat(path)) !== undefined) return path
  return undefined
}
