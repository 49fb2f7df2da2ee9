import { puppetVersion } from '../../base/puppet-version.ts'
import { formatRubyFloat } from '../../base/text/float-text.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { Report } from '../../model/report.ts'
import { formatMetricLabel } from './report-builder.ts'

/** Figures of a run by group, as in last_run_summary.yaml. */
export type RunSummary = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Data of the summary that the report does not contain. */
export interface SummarizedRun {
  readonly initialEnvironment: string
  readonly runMode: string
  /** Time in Unix milliseconds. */
  readonly now: number
}

/** The summary of a run. Puppet: transaction/report.rb, `raw_summary`. */
export function buildRunSummary(report: Report, { initialEnvironment, runMode, now }: SummarizedRun): RunSummary {
  const summary: Record<string, Record<string, unknown>> = {
    version: { config: report.configuration_version, puppet: puppetVersion },
    application: {
      run_mode: runMode,
      initial_environment: initialEnvironment,
      converged_environment: report.environment,
    },
  }
  for (const { name, values } of Object.values(report.metrics)) {
    summary[name] = Object.fromEntries(values.map(([key, , value]) => [key, value]))
    if (name !== 'time') summary[name]!['total'] ??= 0
  }
  summary['time'] = { ...summary['time'], last_run: Math.floor(now / 1000) }
  return summary
}

/** The summary as text: groups by name, nonzero figures by label, the total last. */
export function formatRunSummary(summary: RunSummary): string {
  const groups = Object.entries(summary).sort(([a], [b]) => (a < b ? -1 : 1))
  return groups
    .map(([name, figures]) => `${formatMetricLabel(name)}:\n${formatFigures(figures, name === 'time')}`)
    .join('')
}

function formatFigures(figures: Readonly<Record<string, unknown>>, areSeconds: boolean): string {
  const shown = Object.entries(figures).map(([key, figure]) => {
    const value = figure instanceof Number ? figure.valueOf() : figure
    const isFloat = typeof value === 'number' && areSeconds && key !== 'last_run'
    const text = isFloat ? value.toFixed(2) : toPrintable(String(value))
    return { key, value, text, order: isFloat ? formatRubyFloat(value) : String(value) }
  })
  const rankTotal = (key: string) => (key === 'total' ? 1 : 0)
  shown.sort((a, b) => rankTotal(a.key) - rankTotal(b.key) || (a.order < b.order ? -1 : Number(a.order > b.order)))
  return shown
    .filter(({ value }) => value !== 0)
    .map(({ key, text }) => `   ${`${formatMetricLabel(key)}:`.padStart(15)} ${text}\n`)
    .join('')
}
