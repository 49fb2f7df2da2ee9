import type { ReceivedReport } from '../../model/report.ts'
import type { ReportServices } from './index.ts'

/** Repeats what the agent logged in the server's log. */
export async function log(report: ReceivedReport, services: ReportServices): Promise<void> {
  for (const { level, message, source } of report.logs)
    services.log(level, `${report.host} //${source}: ${message}`, report)
}
