import { appendFileSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { toPrintableJson, toPrintableLines } from '../../base/text/printable.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { formatReportTime, type LogLine, type LogSink } from './log.ts'

/** Options of a log file. */
export interface LogFileOptions {
  readonly now: () => number
  /** Called with the reason when a line cannot be written; not called again until a line was written. */
  lost(why: string): void
}

/** Formats a line with its time (Unix milliseconds); `size` returns the current file size in bytes. */
type Form = (line: LogLine, time: number, size: () => number) => string

/**
 * Appends lines to a file in Puppet's format, or as JSON for the file names `*.json` and `*.jsonl`.
 * The file is opened for each line, so that another program can rotate it at any time. Throws the
 * system's error if the file cannot be written.
 */
export function createFileLog(path: string, { now, lost }: LogFileOptions): LogSink {
  const form = path.endsWith('.json') ? formatJsonElement : path.endsWith('.jsonl') ? formatJsonLine : formatPlainLine
  const append = (text: string) => appendFileSync(path, text, { mode: 0o640 })
  mkdirSync(dirname(path), { recursive: true })
  append('')
  let isLosing = false
  return {
    write(line) {
      try {
        append(form(line, now(), () => statSync(path, { throwIfNoEntry: false })?.size ?? 0))
        isLosing = false
      } catch (error) {
        if (!isLosing) lost(formatError(error))
        isLosing = true
      }
    },
  }
}

const formatPlainLine: Form = ({ level, message, source = 'Puppet' }, time) =>
  `${formatLocalTime(time)} ${toPrintableLines(`${source} (${level}): ${message}`)}\n`

const formatJsonLine: Form = ({ level, message, source = 'Puppet', tags = [], file, line }, time) => {
  const all = [...new Set([level, ...tags])]
  return `${toPrintableJson(JSON.stringify({ level, message, source, tags: all, time: formatReportTime(time), ...getMessageLocation({ tags, file, line }) }))}\n`
}

/**
 * Returns the location in a message. As in Puppet, the file name is empty for a resource declared
 * with `-e`, and a message of a function has no location.
 */
function getMessageLocation({
  tags = [],
  file,
  line,
}: Pick<LogLine, 'tags' | 'file' | 'line'>): Pick<LogLine, 'file' | 'line'> {
  if (file !== undefined || line === undefined) return { file, line }
  return [...tags].length > 0 ? { file: '', line } : {}
}

/** A line as an element of a JSON array without a closing bracket, as in Puppet. */
const formatJsonElement: Form = (line, time, size) => {
  const before = size()
  return `${before === 0 ? '[\n' : before > 2 ? ',\n' : ''}${formatJsonLine(line, time, size)}`
}

/** A local time in Ruby's notation: `2026-11-22 17:03:09 +0100`. */
function formatLocalTime(milliseconds: number): string {
  const minutes = -new Date(milliseconds).getTimezoneOffset()
  const [day, time] = new Date(milliseconds + minutes * 60_000).toISOString().split(/[T.]/)
  const padTwoDigits = (value: number) => String(value).padStart(2, '0')
  const zone = `${padTwoDigits(Math.floor(Math.abs(minutes) / 60))}${padTwoDigits(Math.abs(minutes) % 60)}`
  return `${day} ${time} ${minutes < 0 ? '-' : '+'}${zone}`
}
