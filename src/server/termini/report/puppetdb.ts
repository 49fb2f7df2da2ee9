import { toPrintable } from '../../../base/text/printable.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import { getRecorder } from '../store-recorder.ts'
import type { ReportServices } from './index.ts'

/**
 * Stores the report with its events, logs and metrics. A report that cannot be converted is logged
 * as not stored.
 */
export async function puppetdb(report: ReceivedReport, services: ReportServices): Promise<void> {
  const { host, stored } = report
  if (stored && 'payload' in stored) return getRecorder('reports', services).recordReport(host, stored.payload)
  const why = stored?.problem ?? 'it was not parsed for the store'
  services.log('warning', toPrintable(`Could not store the report of ${host}: ${why}`), report)
}
