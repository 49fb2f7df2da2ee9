import { failWithMessage } from '../../issues.ts'
import { defineProvider, isPosix, type ProviderServices } from '../../provider.ts'
import { type RebootAttributes, reboot } from '../../types/windows/reboot.ts'
import { type RebootWork, restartOnRefresh } from './restarts.ts'

const secondsPerMinute = 60

const definition = {
  read: async () => ({ when: 'absent' }),
  set: { when: async () => {} },
  refresh: (work: RebootWork) => restartOnRefresh(work, buildCommand),
  list: async () => [],
}

/** The provider of `reboot` for all systems but Windows. */
export const rebootPosix = defineProvider<RebootAttributes>(reboot, 'posix', {
  doc: 'Restarts the machine with `shutdown`.',
  suitable: {
    commands: ['shutdown'],
    when: async (services) => (await isPosix(services)) && getKernel(services) !== 'HP-UX',
  },
  ...definition,
})

/** The same provider under its old name. */
export const rebootLinux = defineProvider<RebootAttributes>(reboot, 'linux', {
  doc: 'The old name of `posix`.',
  suitable: { commands: ['shutdown'], facts: { kernel: ['Linux'] } },
  onlyByName: true,
  ...definition,
  validate({ warnings }) {
    warnings.push("The 'linux' reboot provider is deprecated and will be removed; use 'posix' instead.")
  },
})

const getKernel = ({ facts }: Pick<ProviderServices, 'facts'>): string => String(facts['kernel'])

/** The time of `shutdown` is in minutes, in Solaris in seconds. After `--`, no message is an option, such as `-c`. */
async function buildCommand({ resource, system, facts, logAs }: RebootWork): Promise<readonly string[]> {
  const shutdown = await system.commands.find('shutdown')
  if (shutdown === undefined) return failWithMessage('The shutdown command was not found.')
  const seconds = resource.get('timeout') ?? 0
  const message = resource.get('message') ?? ''
  if (getKernel({ facts }) === 'SunOS') return [shutdown, '-y', '-i', '6', '-g', String(seconds), '--', message]
  const minutes = Math.ceil(seconds / secondsPerMinute)
  if (seconds % secondsPerMinute !== 0) {
    const text = `Shutdown command on this system specifies time in minutes, rounding ${seconds} seconds up to ${minutes} minutes.`
    logAs('Puppet', 'warning', text)
  }
  return [shutdown, '-r', '--', `+${minutes}`, message]
}
