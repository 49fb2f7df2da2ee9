import { posix } from 'node:path'
import { getMember } from '../../../../base/json/exact-json.ts'
import { failWithMessage } from '../../issues.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import {
  type CommandFor,
  findProcess,
  isUnsupportedAction,
  runsSystemd,
  type ServiceWork,
  startOrStop,
} from './service-commands.ts'
import { defineServiceProvider, type ServiceManager } from './service-provider.ts'

/** Runs the init script found for the service. */
export const getScriptCommand: CommandFor = async (work, action) => {
  if (isUnsupportedAction(work, action)) return undefined
  return [await findInitScript(work), action]
}

/** The first init script with the name of the service, with or without the extension `.sh`. */
export const findInitScript = (work: ServiceWork): Promise<string> =>
  findScript(work, { name: work.resource.name, endings: ['', '.sh'], folders: ['/etc/init.d'], what: 'init script' })

interface ScriptSearch {
  readonly name: string
  readonly endings: readonly string[]
  /** Folders to search if the resource sets no `path`. */
  readonly folders: readonly string[]
  /** Name of the file type in messages. */
  readonly what: string
}

/** Searches the folders for each extension in turn. Throws Puppet's error if no script exists. */
export async function findScript({ resource, system, log }: ServiceWork, search: ScriptSearch): Promise<string> {
  const folders = resource.get('path') ?? search.folders
  for (const ending of search.endings)
    for (const folder of folders) {
      const path = posix.join(folder, `${search.name}${ending}`)
      if (await system.files.stat(path)) return path
      log('debug', `Could not find ${search.name}${ending} in ${folder}`, 'provider')
    }
  return failWithMessage(`Could not find ${search.what} for '${resource.name}'`)
}

/** On Debian, `service` queries the status with any init system. */
export const getServiceCommand: CommandFor = (work, action) =>
  action === 'status' && !isUnsupportedAction(work, action)
    ? ['service', work.resource.name, 'status']
    : getScriptCommand(work, action)

/** Functions that manage the start at boot with update-rc.d. */
export const debianBoot: NonNullable<ServiceManager['boot']> = {
  isEnabled: (work) => isEnabled(work, work.resource.name),
  async enable({ resource, run }) {
    await run('update-rc.d', resource.name, 'defaults')
    await run('update-rc.d', resource.name, 'enable')
  },
  disable: async ({ resource, run }) => void (await run('update-rc.d', resource.name, 'disable')),
}

/** The service provider for init scripts on Debian, which are enabled with update-rc.d. */
export const debian = defineServiceProvider('debian', {
  command: getServiceCommand,
  doc: "Debian's form of `init`-style management, with `update-rc.d` for enabling and disabling.",
  suitable: {
    commands: ['update-rc.d', 'invoke-rc.d', 'service'],
    when: async (services) => !(await runsSystemd(services)),
  },
  defaultFor: { 'os.family': ['Debian'] },
  boot: debianBoot,
  async list(services) {
    const names = await listInitScripts(services)
    const found: { name: string; ensure: string; enable: string }[] = []
    for (const name of names) {
      const ensure = await queryListedStatus(services, ['service', name, 'status'])
      found.push({ name, ensure, enable: await isEnabled(services, name) })
    }
    return found
  },
})

/**
 * True if the service starts at boot. If the exit status of invoke-rc.d is not conclusive, the
 * links in /etc/rc*.d are counted.
 */
async function isEnabled({ system }: ProviderServices, name: string): Promise<'true' | 'false'> {
  const { status } = await system.commands.run(['/usr/sbin/invoke-rc.d', '--quiet', '--query', name, 'start'])
  if (status === 104 || status === 106) return 'true'
  if (status !== 101 && status !== 105) return 'false'
  const levels = ((await system.files.list('/etc')) ?? []).filter((folder) => /^rc.*\.d$/.test(folder))
  const links = await Promise.all(levels.map(async (level) => (await system.files.list(`/etc/${level}`)) ?? []))
  const isStartLink = (link: string) => link.length === name.length + 3 && link.startsWith('S') && link.endsWith(name)
  return links.flat().filter(isStartLink).length >= 4 ? 'true' : 'false'
}

/** The service provider for plain init scripts. */
export const init = defineServiceProvider('init', {
  command: getScriptCommand,
  doc: 'Standard `init`-style service management.',
  suitable: { when: async ({ facts }) => !hasOwnProvider(facts) },
  async list(services) {
    const names = await listInitScripts(services)
    const found: { name: string; ensure: string }[] = []
    for (const name of names)
      found.push({ name, ensure: await queryListedStatus(services, [`/etc/init.d/${name}`, 'status']) })
    return found
  },
})

/** True for operating systems whose init scripts have a separate provider. */
function hasOwnProvider({ os }: ProviderServices['facts']): boolean {
  const getOsFact = (name: string) => String(getMember(os, name) ?? '').toLowerCase()
  return ['debian', 'ubuntu'].includes(getOsFact('name')) || getOsFact('family') === 'redhat'
}

/** Status timeout in seconds when all services are listed. */
const listTimeout = 10

/**
 * The status of a service in the list of all services. A script that fails to start or exceeds the
 * timeout counts as stopped.
 */
export async function queryListedStatus(
  { system }: ProviderServices,
  command: readonly string[],
): Promise<'running' | 'stopped'> {
  const asked = await system.commands.run(command, { timeout: listTimeout }).catch(() => undefined)
  return asked?.status === 0 ? 'running' : 'stopped'
}

/** Scripts that are not services, or that do more than print a status when called with `status`. */
export const noServices: ReadonlySet<string> = new Set(
  `functions.sh reboot.sh shutdown.sh functions halt killall single linuxconf reboot boot wait-for-state portmap-wait rcS
  module-init-tools plymouth-ready idmapd-mounting startpar-bridge cryptdisks-udev statd-mounting gssd-mounting`.split(
    /\s+/,
  ),
)

/** Names of the services that have an init script. */
export async function listInitScripts({ system: { files } }: ProviderServices): Promise<readonly string[]> {
  const names = ((await files.list('/etc/init.d')) ?? []).filter(
    (name) => !name.startsWith('.') && !noServices.has(name),
  )
  const isScript = async (name: string) => {
    const path = `/etc/init.d/${name}`
    const target = await files.readLink(path)
    if (target === '/lib/init/upstart-job') return false
    const stat = await files.stat(target === undefined ? path : posix.resolve('/etc/init.d', target))
    return stat?.kind === 'file' && (stat.mode & 0o111) !== 0
  }
  const scripts: string[] = []
  for (const name of names) if (await isScript(name)) scripts.push(name)
  return scripts
}

const getBinaryCommand: CommandFor = ({ resource }, action) => {
  const binary = resource.get('binary')
  return action === 'start' && binary !== undefined ? ['/bin/sh', '-c', binary] : undefined
}

/** The service provider that uses only the resource's own commands and the process table. */
export const base = defineServiceProvider('base', {
  command: getBinaryCommand,
  list: async () => [],
  doc: 'The simplest form of Unix service support: commands of the resource, and the process table.',
  async stop(work) {
    if (work.resource.has('stop')) return startOrStop(work, 'stop', getBinaryCommand)
    const id = await findProcess(work)
    if (id === undefined) return work.log('info', `${work.resource.name} is not running`, 'provider')
    const { status } = await runProviderProgram(work.system, ['kill', id])
    if (status !== 0) failWithMessage(`Could not kill ${work.resource.name}, PID ${id}: `)
  },
})
