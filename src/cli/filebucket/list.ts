import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { parseLocalDate } from '../../language/ruby-semantics/time/local-date.ts'
import { filebucketIssues } from './issues.ts'

/** A backup: the checksum, original path and time of a file. */
interface Backup {
  readonly sum: string
  readonly time: Date
  readonly path: string
}

/** Lists the backups in a bucket between two dates, ordered by path and time. Throws BUCKET_DATE. */
export async function listBackups(folder: string, dates: { from?: string | undefined; to?: string | undefined }) {
  const to = dates.to === undefined ? new Date() : parseDateOption(dates.to, 'todate')
  const from = dates.from === undefined ? new Date(0) : parseDateOption(dates.from, 'fromdate')
  const backups: Backup[] = []
  for (const each of await listFolderBackups(folder)) if (each.time >= from && each.time <= to) backups.push(each)
  backups.sort((a, b) => (a.path === b.path ? a.time.getTime() - b.time.getTime() : a.path < b.path ? -1 : 1))
  return backups
    .map(({ sum, time, path }) => `${toPrintable(sum)} ${formatLocalTime(time)} ${toPrintable(path)}\n`)
    .join('')
}

async function listFolderBackups(folder: string): Promise<Backup[]> {
  const found: Backup[] = []
  for (const entry of await readBucketEntries(folder)) {
    if (!entry.isFile() || entry.name !== 'paths') continue
    const file = join(entry.parentPath, entry.name)
    const [text, { mtime: time }] = [await readFile(file, 'utf8'), await stat(file)]
    for (const path of text.trim().split('\n').filter(Boolean)) found.push({ sum: basename(dirname(file)), time, path })
  }
  return found
}

async function readBucketEntries(folder: string) {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    return isMissingFileError(error) ? throwIssue(filebucketIssues.BUCKET_NOTHING, {}) : Promise.reject(error)
  }
}

function parseDateOption(text: string, option: string): Date {
  return parseLocalDate(text) ?? throwIssue(filebucketIssues.BUCKET_DATE, { option })
}

function formatLocalTime(time: Date): string {
  const padTwoDigits = (value: number) => String(value).padStart(2, '0')
  const date = `${time.getFullYear()}-${padTwoDigits(time.getMonth() + 1)}-${padTwoDigits(time.getDate())}`
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(padTwoDigits).join(':')}`
}
