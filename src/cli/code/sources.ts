import { fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { askControl, controlPath, type ServerSources } from '../../deploy/control/control.ts'
import { label } from '../../deploy/sources/choose-environments.ts'
import { sourceIssues } from '../../deploy/sources/source-issues.ts'
import type { SourceStatus } from '../../deploy/sources/source-status.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { noServer } from '../connection/no-server.ts'
import { timeOf } from './status.ts'

/** `plumb code sources` */
export const codeSources = defineCommand({
  name: 'sources',
  summary: 'List the code sources of the running server.',
  description: `A source is a repository in the code_sources file. Prints the remote, the time of the last fetch, errors and the
environments of each source; with the branch, tag or commit of an environment if its name differs. Warnings follow,
indented. Exits with 0, or with 1 if a source cannot be fetched.

  plumb code sources
  plumb code sources --render-as json`,
  options: [renderAs],
  async run({ options, settings: given, io }) {
    const path = controlPath(loadSettings({ given, runMode: 'server' }))
    const code = (await askControl(path, 'status')) ?? noServer(path)
    const { sources } = code
    if (!sources) return fail(sourceIssues.NO_SOURCES, {})
    if (options.renderAs === 'json') io.out(`${JSON.stringify(sources.sources.map(timed), undefined, 2)}\n`)
    else showAll(sources, io)
    return sources.sources.some(({ trouble }) => trouble) ? 1 : 0
  },
})

/** A source for JSON output: times in ISO 8601, the interval in seconds. */
function timed({ fetched, trouble, next, interval, ...rest }: SourceStatus) {
  const time = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString())
  return {
    ...rest,
    fetched: time(fetched),
    next: time(next),
    interval: interval / 1000,
    trouble: trouble ? { ...trouble, since: time(trouble.since) } : null,
  }
}

function showAll({ sources, warnings }: ServerSources, io: Io): void {
  for (const source of sources) {
    io.out(`${sourceSentence(source)}\n`)
    for (const [environment, ref] of Object.entries(source.environments))
      io.out(printable(`  ${environment}${label(ref) === environment ? '' : ` (${label(ref)})`}`).concat('\n'))
    for (const warning of source.warnings) io.out(`  Warning: ${printable(warning)}\n`)
  }
  for (const warning of warnings) io.out(`Warning: ${printable(warning)}\n`)
}

/** Prints a line for each source, and the message of write_lock if it is set. */
export function showSources(sources: ServerSources | undefined, io: Io): void {
  for (const source of sources?.sources ?? []) io.out(`${sourceSentence(source)}\n`)
  if (sources?.writeLock != null)
    io.out(printable(`Deployments are stopped (write_lock): ${sources.writeLock}`).concat('\n'))
}

/** A line about a source: its remote, the time since the last fetch, and its error. */
export function sourceSentence(source: SourceStatus, now: number = Date.now()): string {
  const { name, remote, fetched, trouble } = source
  const age = fetched == null ? 'not fetched since the server started' : `fetched ${ageText(now - fetched)} ago`
  const wrong = trouble ? `; fetches fail since ${timeOf(trouble.since)}: ${trouble.message}` : ''
  return printable(`Source ${name} (${remote}): ${age}${wrong}`)
}

/** Formats a duration in its largest unit. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
