import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import type { ReceivedReport } from '../../model/report.ts'
import type { Files } from '../../system/system.ts'
import { processor } from './processor.ts'

/** What the terminus of reports needs. */
export interface ReportServices {
  readonly files: Files
  /** For the processor `log`. */
  log(level: string, message: string, report: ReceivedReport): void
  readonly settings: {
    readonly reports: readonly string[]
    readonly reportdir: string
    readonly report_min_free_space: number
  }
}

/** What runs did. */
export const report: IndirectionDefinition<ReceivedReport, ReportServices, Request> = {
  name: 'report',
  doc: 'What runs of agents did.',
  termini: { processor },
}
