import { throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { getControlPath, type ServerSources, sendControlRequest } from '../../deploy/control/control-socket.ts'
import { formatRef } from '../../deploy/sources/environment-choice.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import type { SourceStatus } from '../../deploy/sources/source-status.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'
import { formatIsoSeconds } from './status.ts'

/** The command `plumb code sources`. */
export const codeSourcesCommand = defineCommand({
  name: 'sources',
  summary: 'List the code sources of the running server.',
  description: `A source is a repository in the code_sources file. Prints the remote, the time of the last fetch, errors and the
environments of each source. For an environment that is not named after its branch, tag or commit, also prints the
branch, tag or commit. Warnings follow, indented. Exits with 0, or with 1 if a source cannot be fetched.

  plumb code sources
  plumb code sources --render-as json`,
  options: [renderAs],
  async run({ options, settings: given, io }) {
    const path = getControlPath(loadSettings({ given, runMode: 'server' }))
    const code = (await sendControlRequest(path, 'status')) ?? throwNoRunningServer(path)
    const { sources } = code
    if (!sources) return throwIssue(sourceIssues.NO_SOURCES, {})
    if (options.renderAs === 'json') io.out(`${JSON.stringify(sources.sources.map(toSourceJson), undefined, 2)}\n`)
    else printSourceDetails(sources, io)
    return sources.sources.some(({ trouble }) => trouble) ? 1 : 0
  },
})

/** Converts a source to JSON: times in ISO 8601, the interval in seconds. */
function toSourceJson({ fetched, trouble, next, interval, ...rest }: SourceStatus) {
  const formatTime = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString())
  return {
    ...rest,
    fetched: formatTime(fetched),
    next: formatTime(next),
    interval: interval / 1000,
    trouble: trouble ? { ...trouble, since: formatTime(trouble.since) } : null,
  }
}

function printSourceDetails({ sources, warnings }: ServerSources, io: Io): void {
  for (const source of sources) {
    io.out(`${formatSource(source)}\n`)
    for (const [environment, ref] of Object.entries(source.environments))
      io.out(
        toPrintable(`  ${environment}${formatRef(ref) === environment ? '' : ` (${formatRef(ref)})`}`).concat('\n'),
      )
    for (const warning of source.warnings) io.out(`  Warning: ${toPrintable(warning)}\n`)
  }
  for (const warning of warnings) io.out(`Warning: ${toPrintable(warning)}\n`)
}

/** Prints a line for each source, and the message of write_lock if it is set. */
export function printSources(sources: ServerSources | undefined, io: Io): void {
  for (const source of sources?.sources ?? []) io.out(`${formatSource(source)}\n`)
  if (sources?.writeLock != null)
    io.out(toPrintable(`Deployments are stopped (write_lock): ${sources.writeLock}`).concat('\n'))
}

/** A line about a source: its remote, the time since the last fetch, and its error. */
export function formatSource(source: SourceStatus, now: number = Date.now()): string {
  const { name, remote, fetched, trouble } = source
  const age = fetched == null ? 'not fetched since the server started' : `fetched ${formatAge(now - fetched)} ago`
  const wrong = trouble ? `; fetches fail since ${formatIsoSeconds(trouble.since)}: ${trouble.message}` : ''
  return toPrintable(`Source ${name} (${remote}): ${age}${wrong}`)
}

/** Formats a duration in its largest unit. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
