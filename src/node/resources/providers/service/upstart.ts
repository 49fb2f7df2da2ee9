import { posix } from 'node:path'
import { type ExactJson, getMember } from '../../../../base/json/exact-json.ts'
import { compareVersions } from '../../../../language/values/compare-versions.ts'
import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { debianBoot, findScript, getServiceCommand, noServices } from './init.ts'
import { type CommandFor, queryServiceStatus, type ServiceWork } from './service-commands.ts'
import { defineServiceProvider } from './service-provider.ts'
import {
  addManualLine,
  formatDisabledJob,
  formatEnabledJob,
  formatEnabledOverride,
  isJobEnabled,
} from './upstart-job.ts'

/** upstart's programs manage jobs in `/etc/init`; other services have init scripts. */
const getUpstartCommand: CommandFor = async (work, action) => {
  const script = await findUpstartScript(work)
  if (!isJobFile(script))
    return action === 'status' ? getServiceCommand(work, action) : getInitScriptCommand(work, action, script)
  if (action === 'status' || (action === 'restart' && work.resource.get('hasrestart') !== 'true')) return undefined
  return [`/sbin/${action}`, work.resource.name]
}

const getInitScriptCommand = ({ resource }: ServiceWork, action: string, script: string) =>
  action === 'restart' && resource.get('hasrestart') !== 'true' ? undefined : [script, action]

const findUpstartScript = (work: ServiceWork): Promise<string> =>
  findScript(work, {
    // Words after the first are parameters of an instance.
    name: work.resource.name.split(/\s/, 1)[0]!,
    endings: ['.conf', '', '.sh'],
    folders: ['/etc/init', '/etc/init.d'],
    what: 'init script or upstart conf file',
  })

const isJobFile = (script: string): boolean => /\/etc\/init\/[^\s/]+\.conf/.test(script)

/** The service provider for upstart jobs. */
export const upstart = defineServiceProvider('upstart', {
  doc: 'Ubuntu service management with `upstart`.',
  suitable: {
    commands: ['/sbin/start', '/sbin/stop', '/sbin/restart', '/sbin/status', '/sbin/initctl'],
    when: async (services) => usesUpstart(services) && (await isUpstartRunning(services)),
  },
  defaultFor: [
    { 'os.name': ['Ubuntu'], 'os.release.major': ['10.04', '12.04', '14.04', '14.10'] },
    { 'os.name': ['LinuxMint'], 'os.release.major': ['10', '11', '12', '13', '14', '15', '16', '17'] },
  ],
  command: getUpstartCommand,
  async status(work) {
    const { resource } = work
    const hasOwn = resource.get('hasstatus') === 'false' || resource.has('status')
    if (hasOwn || !isJobFile(await findUpstartScript(work))) return queryServiceStatus(work, getUpstartCommand)
    // The exit status of upstart's program does not show the state.
    const { output } = await work.run('/sbin/status', ...resource.name.split(/\s+/))
    return output.includes('start/') ? 'running' : 'stopped'
  },
  boot: {
    async isEnabled(work) {
      const job = await findJob(work)
      if (job === undefined) return debianBoot.isEnabled(work)
      const override = job.generation === 'overrides' ? await job.read(job.override) : ''
      return isJobEnabled(await job.read(job.path), override, job.generation) ? 'true' : 'false'
    },
    async enable(work) {
      const job = await findJob(work)
      if (job === undefined) return debianBoot.enable(work)
      const text = await job.read(job.path)
      if (job.generation === 'overrides')
        await job.write(job.override, formatEnabledOverride(text, await job.read(job.override)))
      else await job.write(job.path, formatEnabledJob(text))
    },
    async disable(work) {
      const job = await findJob(work)
      if (job === undefined) return debianBoot.disable(work)
      if (job.generation === 'overrides') await job.write(job.override, addManualLine(await job.read(job.override)))
      else await job.write(job.path, formatDisabledJob(await job.read(job.path), job.generation))
    },
  },
  async list(services) {
    const { stdout } = await runProviderProgram(services.system, ['/sbin/initctl', 'list'])
    const isRedHat = getMember(services.facts['os'], 'family') === 'RedHat'
    return stdout
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => ({ name: parseJobName(line), ensure: line.includes('start/') ? 'running' : 'stopped' }))
      .filter(({ name }) => !noServices.has(name) && !(isRedHat && ofInstances.has(name)))
  },
})

/** Names of jobs that have several instances on Red Hat; they are not listed as services. */
const ofInstances: ReadonlySet<string> = new Set(['serial', 'tty'])

/** The job name in a line of `initctl list`, with the instance parameter for network jobs. */
function parseJobName(line: string): string {
  const [, job, instance] = /^(network-interface|network-interface-security) \(([^)]+)\)/.exec(line) ?? []
  if (job === undefined) return line.trim().split(/\s/, 1)[0]!
  return job === 'network-interface' ? `${job} INTERFACE=${instance}` : `${job} JOB=${instance}`
}

/** The file of a job, and the method by which this version of upstart disables it. */
async function findJob(work: ServiceWork) {
  const path = await findUpstartScript(work)
  if (!isJobFile(path)) return undefined
  const { files } = work.system
  const version = /^initctl \(upstart ([^)]*)\)/.exec((await work.run('/sbin/initctl', '--version')).output)?.[1] ?? '0'
  const override = posix.join(posix.dirname(path), posix.basename(path).replace(/\.conf$/, '.override'))
  return {
    path,
    override,
    generation:
      compareVersions(version, '0.6.7') < 0
        ? 'comments'
        : compareVersions(version, '0.9.0') < 0
          ? 'manual'
          : 'overrides',
    read: async (file: string) => (await files.readText(file)) ?? '',
    write: async (file: string, text: string) => files.write(file, text, (await files.stat(file))?.mode ?? 0o644),
  } as const
}

function usesUpstart({ facts }: ProviderServices): boolean {
  const { os } = facts
  const getOsFact = (...path: readonly string[]) =>
    String(path.reduce<ExactJson | undefined>((value, key) => getMember(value ?? null, key), os) ?? '')
  if (['Ubuntu', 'LinuxMint'].includes(getOsFact('name'))) return true
  if (getOsFact('family') === 'RedHat' && getOsFact('release', 'full').startsWith('6.')) return true
  return getOsFact('name') === 'Amazon' && /\d{4}/.test(getOsFact('release', 'major'))
}

async function isUpstartRunning({ system }: ProviderServices): Promise<boolean> {
  const asked = await system.commands.run(['/sbin/initctl', 'version', '--quiet']).catch(() => undefined)
  return asked?.status === 0
}
