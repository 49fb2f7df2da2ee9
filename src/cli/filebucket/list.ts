import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fail } from '../../base/issue.ts'
import { isMissing } from '../../base/system-error.ts'
import { printable } from '../../base/text/printable.ts'
import { filebucketIssues } from './issues.ts'
import { wallDate } from './wall-date.ts'

/** A backup: the checksum, original path and time of a file. */
interface Backup {
  readonly sum: string
  readonly time: Date
  readonly path: string
}

/** Lists the backups in a bucket between two dates, ordered by path and time. Throws BUCKET_DATE. */
export async function listBackups(folder: string, dates: { from?: string | undefined; to?: string | undefined }) {
  const to = dates.to === undefined ? new Date() : dateOf(dates.to, 'todate')
  const from = dates.from === undefined ? new Date(0) : dateOf(dates.from, 'fromdate')
  const backups: Backup[] = []
  for (const each of await backupsIn(folder)) if (each.time >= from && each.time <= to) backups.push(each)
  backups.sort((a, b) => (a.path === b.path ? a.time.getTime() - b.time.getTime() : a.path < b.path ? -1 : 1))
  return backups.map(({ sum, time, path }) => `${printable(sum)} ${localText(time)} ${printable(path)}\n`).join('')
}

async function backupsIn(folder: string): Promise<Backup[]> {
  const found: Backup[] = []
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile() || entry.name !== 'paths') continue
    const file = join(entry.parentPath, entry.name)
    const [text, { mtime: time }] = [await readFile(file, 'utf8'), await stat(file)]
    for (const path of text.trim().split('\n').filter(Boolean)) found.push({ sum: basename(dirname(file)), time, path })
  }
  return found
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    return isMissing(error) ? fail(filebucketIssues.BUCKET_NOTHING, {}) : Promise.reject(error)
  }
}

function dateOf(text: string, option: string): Date {
  return wallDate(text) ?? fail(filebucketIssues.BUCKET_DATE, { option })
}

function localText(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}
