import { join } from 'node:path'
import { fail } from '../../base/issue.ts'
import { fileName } from '../../indirector/file-name.ts'
import type { ReceivedReport } from '../../model/report.ts'
import { hasRoom } from '../has-room.ts'
import type { ReportServices } from './index.ts'
import { reportIssues } from './issues.ts'

/** Keeps a report as `<reportdir>/<certname>/<time>.json`; the time is the report's own, in UTC, so that a repeat is one. */
export async function store(report: ReceivedReport, { files, settings }: ReportServices): Promise<void> {
  const directory = join(settings.reportdir, fileName('report', report.host))
  const time = new Date(report.time)
  const stamp = Number.isNaN(time.getTime()) ? report.time : time.toISOString()
  const name = stamp.replace(/\.(\d+)Z$/, '$1').replace(/[-:T]/g, '')
  await files.makeDirectory(directory, 0o750)
  const wanted = { bytes: report.text.length, leave: settings.report_min_free_space }
  if (!(await hasRoom(directory, wanted))) fail(reportIssues.REPORT_DISK_FULL, {})
  await files.write(join(directory, `${fileName('report', name)}.json`), report.text, 0o640)
}
