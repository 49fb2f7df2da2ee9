import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import { failWithMessage } from '../../issues.ts'
import { defineProvider } from '../../provider.ts'
import { type RebootAttributes, reboot } from '../../types/windows/reboot.ts'
import { reasonReaders } from './pending-reasons.ts'
import { type RebootWork, requestRestart, restartOnRefresh } from './restarts.ts'

/** Limits of `shutdown.exe`, which does nothing beyond them. */
const longestComment = 512
const longestTimeout = 315_360_000

const bothLimited = "You can't specify 'onlyif' and 'unless'"

const finishedAndPending =
  'The combination of `when => pending` and `apply => finished` is not a recommended or supported scenario. Please only use this scenario                       if you know exactly what you are doing. The puppet agent run will continue.'

/** The provider of `reboot` for Windows. */
export const rebootWindows = defineProvider<RebootAttributes>(reboot, 'windows', {
  doc: 'Restarts Windows with shutdown.exe.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  features: ['manages_reboot_pending'],
  read: async (work) => ({
    when: work.resource.get('when') === 'pending' && !(await isPending(work)) ? 'pending' : 'absent',
  }),
  set: {
    async when(work) {
      await requestRestart(work, buildCommand)
    },
  },
  refresh: (work) => restartOnRefresh(work, buildCommand),
  list: async () => [],
})

/** True if Windows waits for a restart, for a reason that counts. */
async function isPending({ resource, system, logAs }: RebootWork): Promise<boolean> {
  const only = resource.get('onlyif')
  const ignored = resource.get('unless') ?? []
  if (only && resource.has('unless')) failWithMessage(bothLimited)
  const reasons = only ?? Object.keys(reasonReaders)
  for (const reason of reasons.filter((each) => !ignored.includes(each))) {
    const found = await reasonReaders[reason]?.(system).catch((error: unknown) => {
      logAs('Puppet', 'debug', `Could not read ${reason}: ${formatError(error)}`)
    })
    if (found === undefined) continue
    logAs('Puppet', 'debug', `Pending reboot: ${found}`)
    return true
  }
  return false
}

/** The reason in the log of Windows is "Application: Maintenance (Planned)". */
async function buildCommand({ resource, logAs }: RebootWork): Promise<readonly string[]> {
  const message = resource.get('message') ?? ''
  if (resource.get('apply') === 'finished' && resource.get('when') === 'pending')
    logAs('Puppet', 'warning', finishedAndPending)
  if (message.length > longestComment)
    logAs('Puppet', 'warning', `Windows shows the first ${longestComment} characters of the message only.`)
  const seconds = String(Math.min(resource.get('timeout') ?? 0, longestTimeout))
  const comment = message.slice(0, longestComment)
  return [getSystemProgram('shutdown.exe'), '/r', '/t', seconds, '/d', 'p:4:1', '/c', comment]
}
