import { type ProviderServices, runProviderProgram } from '../../provider.ts'
import { queryListedStatus } from './init.ts'
import { type CommandFor, isUnsupportedAction } from './service-commands.ts'
import { defineServiceProvider } from './service-provider.ts'

const getRcServiceCommand: CommandFor = (work, action) =>
  isUnsupportedAction(work, action) ? undefined : ['rc-service', work.resource.name, action]

/** The service provider for OpenRC. */
export const openrc = defineServiceProvider('openrc', {
  doc: "Support for Gentoo's OpenRC initscripts. Uses `rc-update`, `rc-status` and `rc-service` to manage services.",
  suitable: { commands: ['rc-status', 'rc-service', 'rc-update'] },
  defaultFor: [{ 'os.name': ['Gentoo'] }, { 'os.name': ['Funtoo'] }, { 'os.name': ['Alpine'] }],
  command: getRcServiceCommand,
  boot: {
    isEnabled: async (work) => ((await listEnabledServices(work)).has(work.resource.name) ? 'true' : 'false'),
    enable: async ({ run, resource }) => void (await run('rc-update', '-C', 'add', resource.name)),
    disable: async ({ run, resource }) => void (await run('rc-update', '-C', 'del', resource.name)),
  },
  async list(services) {
    const { stdout } = await runProviderProgram(services.system, ['rc-service', '-C', '--list'])
    const enabled = await listEnabledServices(services)
    const found: { name: string; ensure: string; enable: string }[] = []
    for (const name of stdout.split('\n').filter((line) => line !== '')) {
      const ensure = await queryListedStatus(services, ['rc-service', name, 'status'])
      found.push({ name, ensure, enable: enabled.has(name) ? 'true' : 'false' })
    }
    return found
  },
})

/** Services in runlevels. Services below other headings were started for another reason, such as a dependency. */
async function listEnabledServices({ system }: ProviderServices): Promise<ReadonlySet<string>> {
  const { stdout } = await runProviderProgram(system, ['rc-status', '-C', '-a'], { env: { RC_SVCNAME: undefined } })
  const seen = new Map<string, boolean>()
  let isRunlevel = false
  for (const line of stdout.split('\n')) {
    if (/^\S/.test(line)) isRunlevel = line.startsWith('Runlevel: ')
    const name = /^\s/.test(line) && line.endsWith(']') ? line.split('[', 1)[0]?.trim() : undefined
    // If a service is listed several times, its first heading is used.
    if (name !== undefined && !seen.has(name)) seen.set(name, isRunlevel)
  }
  return new Set([...seen].flatMap(([name, isEnabled]) => (isEnabled ? [name] : [])))
}
