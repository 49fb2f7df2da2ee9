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
  summary: 'Lists where the code of the running server comes from.',
  description: `A source is a repository that the file of the setting code_sources names. Each is shown with its remote, when it was
fetched last, what is wrong with it, and its environments, with the branch, tag or commit of each that has another name.
Warnings follow, indented. The exit status is 1 when a source cannot be fetched.

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

/** A source with its times as ISO 8601, and the interval in seconds. */
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

/** Says of each source when it was fetched, and why no environment moves, if so. */
export function showSources(sources: ServerSources | undefined, io: Io): void {
  for (const source of sources?.sources ?? []) io.out(`${sourceSentence(source)}\n`)
  if (sources?.writeLock != null)
    io.out(printable(`No environment moves (write_lock): ${sources.writeLock}`).concat('\n'))
}

/** A line about a source: its remote, the age of what it has, and what is wrong. */
export function sourceSentence(source: SourceStatus, now: number = Date.now()): string {
  const { name, remote, fetched, trouble } = source
  const age = fetched == null ? 'not fetched since the start' : `fetched ${ageText(now - fetched)} ago`
  const wrong = trouble ? `; cannot be fetched since ${timeOf(trouble.since)}: ${trouble.message}` : ''
  return printable(`Source ${name} (${remote}): ${age}${wrong}`)
}

/** A length of time in its largest unit. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
