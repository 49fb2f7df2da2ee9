import { toPrintable } from '../../base/text/printable.ts'
import type { AheadProgress, EnvironmentStatus } from '../../code/environments/environments.ts'
import type { ServerSources } from '../../deploy/control/control-socket.ts'
import type { FrozenEnvironment } from '../../deploy/sources/frozen-environments.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'

/** Prints the served commit of each environment with its warnings, as text or JSON. */
export function printStatuses(
  statuses: readonly EnvironmentStatus[],
  format: unknown,
  io: Io,
  sources?: ServerSources,
): void {
  const findFreeze = (name: string) => sources?.frozen.find(({ environment }) => environment === name)
  if (format === 'json') {
    const whole = statuses.map((status) => ({ ...status, frozen: findFreeze(status.name) }))
    io.out(`${JSON.stringify(whole, undefined, 2)}\n`)
  } else
    for (const status of statuses) {
      io.out(`${formatEnvironmentStatus(status)}\n`)
      const frozen = findFreeze(status.name)
      if (frozen) io.out(`  ${formatFreeze(frozen)}\n`)
      if (status.ahead) io.out(`  ${formatAheadProgress(status.ahead)}\n`)
      for (const warning of status.warnings) io.out(`  Warning: ${toPrintable(warning)}\n`)
    }
}

/** A line about an environment: the served commit, the time of deployment, and the reason if a newer commit was rejected. */
export function formatEnvironmentStatus({ name, ref, commit, source, since, refused }: EnvironmentStatus): string {
  const from = ref.replace('refs/heads/', '')
  const modules = source === undefined ? '' : ` (${source} with modules)`
  const served = commit === undefined ? (since === undefined ? 'nothing' : from) : `${commit}${modules}`
  const when = since === undefined ? '' : ` since ${formatIsoSeconds(since)}`
  const why = refused ? `; ${refused.commit ?? from} was rejected: ${refused.reason}` : ''
  return toPrintable(`${name}${from === name ? '' : ` (${from})`}: ${served}${when}${why}`)
}

function formatFreeze({ message, by, since }: FrozenEnvironment): string {
  return toPrintable(`Frozen since ${formatIsoSeconds(Date.parse(since))}${by === '' ? '' : ` by ${by}`}: ${message}`)
}

/** Formats the progress of compiling catalogs ahead of requests. */
function formatAheadProgress({ nodes, compiled, recalled, left, failed }: AheadProgress): string {
  const done = compiled + recalled + left + failed
  const parts = [`${compiled} compiled`, `${recalled} unchanged`]
  if (left > 0) parts.push(`${left} skipped`)
  if (failed > 0) parts.push(`${failed} failed`)
  return `Compiled ahead: ${done} of ${nodes} nodes (${parts.join(', ')})`
}

/** A warning that no environment exists, with the next step. */
export function formatNothingServed(
  repository: string | undefined,
  { environment, environmentpath, code_sources }: Pick<Settings, 'environment' | 'environmentpath' | 'code_sources'>,
): string {
  if (code_sources !== '')
    return `Warning: No environment is served: no source in ${code_sources} has a branch yet\n  See 'plumb code sources'; the server retries.`
  const why =
    repository === undefined
      ? `${environmentpath.join(':')} contains no environments\n  Create the directory ${environmentpath[0] ?? ''}/${environment}, or set code_repo to a Git repository.`
      : `the Git repository ${repository} has no branches yet\n  Push one: 'git push ${repository} HEAD:${environment}'. Each branch becomes an environment.`
  return `Warning: No environment is served: ${why}`
}

/** Formats a time in ISO 8601 without milliseconds. */
export function formatIsoSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}
