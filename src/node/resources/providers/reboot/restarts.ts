import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import type { ProviderWork } from '../../provider.ts'
import type { RebootAttributes } from '../../types/windows/reboot.ts'

/** The work on a resource of the type `reboot`. */
export type RebootWork = ProviderWork<RebootAttributes, undefined>

/** Requests the restart of a notified resource, if no other resource requested it before. */
export async function restartOnRefresh(
  work: RebootWork,
  getCommand: (work: RebootWork) => Promise<readonly string[]>,
): Promise<void> {
  const { resource, logAs } = work
  if (resource.get('when') !== 'refreshed') return logAs('Puppet', 'debug', 'Skipping reboot')
  await requestRestart(work, getCommand, `Scheduling system reboot with message: "${resource.get('message')}"`)
}

/** Requests the restart after the run, which ends now unless `apply` is `finished`. */
export async function requestRestart(
  work: RebootWork,
  getCommand: (work: RebootWork) => Promise<readonly string[]>,
  notice?: string,
): Promise<void> {
  const { resource, restart, logAs } = work
  if (restart.isRequested) return logAs('Puppet', 'debug', 'Reboot already scheduled; skipping')
  if (notice !== undefined) logAs('Puppet', 'notice', notice)
  const command = await getCommand(work)
  const start = async () => {
    try {
      await work.run(...command)
    } catch (error) {
      logAs('Puppet', 'err', `Could not restart the machine: ${formatError(error)}`)
    }
  }
  restart.request(start, resource.get('apply') !== 'finished')
}
