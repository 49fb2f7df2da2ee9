import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { Report } from '../../model/report.ts'
import type { Session } from '../../network/client/session.ts'
import { formatErrorWithHint } from './error-hints.ts'
import { saveLastRun } from './last-run.ts'
import type { Log } from './log.ts'
import { notifyRunReported } from './process/run-process.ts'
import { buildRunSummary, formatRunSummary } from './run-summary.ts'

/** The run of a report. */
export interface ReportedRun {
  readonly settings: Settings
  readonly session: Session
  readonly system: System
  readonly log: Log
  readonly initialEnvironment: string
  readonly nodeName: string
  readonly environment: string
  /** Hints for errors of this run. */
  readonly hints: Set<string>
  /** Prints a message to the terminal, independent of the log level. */
  say(text: string): void
}

/** Saves the report on this machine, and sends it to the server. Failures are logged. */
export async function sendReport(run: ReportedRun, report: Report): Promise<void> {
  const { settings, session, system, log, initialEnvironment } = run
  const summarized = { initialEnvironment, runMode: 'agent', now: system.now() }
  if (settings.summarize) run.say(formatRunSummary(buildRunSummary(report, summarized)).trimEnd())
  await saveLastRun(system.files, settings, report, summarized).catch((error: unknown) =>
    log.err(`Could not save last run local report: ${formatError(error)}`),
  )
  if (settings.report)
    await session.report.report(run.nodeName, run.environment, report).catch((error: unknown) => {
      log.err(`Could not send report: ${formatErrorWithHint(error, run.hints)}`)
    })
  notifyRunReported(report)
}
