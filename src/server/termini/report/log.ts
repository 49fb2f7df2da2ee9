import { toPrintable } from '../../../base/text/printable.ts'
import { mapCooperatively } from '../../../base/threads/cooperative-tasks.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import type { ReportServices } from './index.ts'

/** Writes the agent's log lines to the server's log, with the source `//HOST/SOURCE`. Puppet: reports/log.rb. */
export async function log(report: ReceivedReport, services: ReportServices): Promise<void> {
  await mapCooperatively(report.logs, ({ level, message, source }) =>
    services.log(level, toPrintable(`//${report.host}/${source}: ${message}`), report),
  )
  if (report.unsaid) services.log('notice', `//${report.host}/Puppet: ${report.unsaid} more lines are omitted`, report)
}
