import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import { getRecorder } from '../store-recorder.ts'
import { http } from './http.ts'
import type { ReportServices } from './index.ts'
import { log } from './log.ts'
import { puppetdb } from './puppetdb.ts'
import { store } from './store.ts'

/** A report processor. */
export type Processor = (report: ReceivedReport, services: ReportServices) => Promise<void>

const processors: Readonly<Record<string, Processor>> = { store, log, http, puppetdb }

const issues = defineIssues({
  UNKNOWN_REPORT: {
    text: (a: { name: string; known: readonly string[] }) => `No report named '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, a.known) ?? `Available: ${a.known.join(', ')}.`,
  },
})

/** Runs the processors in the setting `reports`; `none` disables them. */
export const processor: TerminusDefinition<ReceivedReport, ReportServices> = {
  doc: 'Passes reports to the report processors in the setting reports.',
  create(services) {
    const names = listActiveProcessors(services.settings.reports)
    if (names.includes('puppetdb')) getRecorder('reports', services)
    const own = services.own ?? new Map<string, Processor>()
    const known = [...Object.keys(processors), ...own.keys()]
    const chosen = names.map(
      (name) => findProcessor(name) ?? own.get(name) ?? throwIssue(issues.UNKNOWN_REPORT, { name, known }),
    )
    return {
      async save(report) {
        for (const process of chosen) await process(report, services)
      },
    }
  },
}

/** The built-in processor with this name. */
export function findProcessor(name: string): Processor | undefined {
  return Object.hasOwn(processors, name) ? processors[name] : undefined
}

/** Names of the active processors, as sent to the agent. */
export function listActiveProcessors(reports: readonly string[]): readonly string[] {
  return reports.filter((name) => name !== 'none' && name !== '')
}
