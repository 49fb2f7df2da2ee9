import { mapInTurns } from '../../base/in-turns.ts'
import { printable } from '../../base/printable.ts'
import type { ReceivedReport } from '../../model/report.ts'
import type { ReportServices } from './index.ts'

/** Repeats what the agent logged in the server's log. */
export async function log(report: ReceivedReport, services: ReportServices): Promise<void> {
  await mapInTurns(report.logs, ({ level, message, source }) =>
    services.log(level, printable(`${report.host} //${source}: ${message}`), report),
  )
  if (report.unsaid) services.log('notice', `${report.host} said ${report.unsaid} lines more`, report)
}
