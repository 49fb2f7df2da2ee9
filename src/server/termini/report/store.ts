import { join } from 'node:path'
import { throwIssue } from '../../../base/issue.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import { checkFileName } from '../../../model/indirector/file-name.ts'
import { formatReportYaml, type ReceivedReport } from '../../../model/report.ts'
import { hasDiskSpace } from '../disk-space.ts'
import type { ReportServices } from './index.ts'
import { reportIssues } from './issues.ts'

/**
 * Stores a report as `<reportdir>/<certname>/<time>.yaml`. The file name contains the report's own time in UTC, so a
 * report that is sent again replaces the first copy.
 */
export async function store(report: ReceivedReport, { files, settings }: ReportServices): Promise<void> {
  const directory = join(settings.reportdir, checkFileName('report', report.host))
  const time = new Date(report.time)
  const stamp = Number.isNaN(time.getTime()) ? report.time : time.toISOString()
  const name = stamp.replace(/\.(\d+)Z$/, '$1').replace(/[-:T]/g, '')
  await files.makeDirectory(directory, 0o750)
  const yaml = getReportYaml(report)
  const wanted = { bytes: yaml.length, leave: settings.report_min_free_space }
  if (!(await hasDiskSpace(directory, wanted))) throwIssue(reportIssues.REPORT_DISK_FULL, {})
  await files.write(join(directory, `${checkFileName('report', name)}.yaml`), yaml, 0o640)
}

/** YAML of a report, converted only if the report has none yet. */
export function getReportYaml({ yaml, text }: Pick<ReceivedReport, 'yaml' | 'text'>): Uint8Array {
  return yaml ?? formatReportYaml(parseJson(Buffer.from(text).toString('utf8')))
}
