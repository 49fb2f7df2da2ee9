/**
 * The fourth schema: an index of the end times of reports. Puppetboard's list of the latest reports reads only the rows
 * that it shows, instead of sorting all reports. PuppetDB has the same index.
 */
export function createReportEndTimes(): readonly string[] {
  return ['create index reports_by_end on reports (end_time)']
}
