import { toLoggableText } from '../../base/text/byte-text.ts'
import { toPrintableLines } from '../../base/text/printable.ts'
import type { LogLevel } from '../../language/host.ts'
import type { ReportLog } from '../../model/report.ts'

/** The origin of a log line. */
export interface LogOrigin {
  /** The source: `Puppet`, or the path of a resource. */
  readonly source?: string
  readonly tags?: Iterable<string>
  readonly file?: string | undefined
  readonly line?: number | undefined
}

/** A line of the log. */
export interface LogLine extends LogOrigin {
  readonly level: LogLevel
  readonly message: string
}

/** A destination for log lines. */
export interface LogSink {
  write(line: LogLine): void
}

/** The log of a run, with a method for each of Puppet's levels: `log.err('Could not send report')`. */
export type Log = LogSink & Readonly<Record<LogLevel, (message: string, origin?: LogOrigin) => void>>

/** A log that writes to a sink. */
export function createLog(sink: LogSink): Log {
  const write = (line: LogLine) => sink.write(isUnicode(line) ? line : toLoggableLine(line))
  const createLogMethod = (level: LogLevel) => (message: string, origin?: LogOrigin) =>
    write({ level, message, ...origin })
  return {
    write,
    debug: createLogMethod('debug'),
    info: createLogMethod('info'),
    notice: createLogMethod('notice'),
    warning: createLogMethod('warning'),
    err: createLogMethod('err'),
    alert: createLogMethod('alert'),
    emerg: createLogMethod('emerg'),
    crit: createLogMethod('crit'),
  }
}

function isUnicode({ message, source }: LogLine): boolean {
  return message.isWellFormed() && source?.isWellFormed() !== false
}

function toLoggableLine(line: LogLine): LogLine {
  const { message, source } = line
  return { ...line, message: toLoggableText(message), ...(source !== undefined && { source: toLoggableText(source) }) }
}

interface Look {
  readonly name: string
  readonly color: string
  readonly error: boolean
}

/** Names and colors of levels on Puppet's console. */
const looks: Readonly<Record<LogLevel, Look>> = {
  emerg: { name: 'Emergency', color: '[1;31m', error: true },
  alert: { name: 'Alert', color: '[1;31m', error: true },
  crit: { name: 'Critical', color: '[1;31m', error: true },
  err: { name: 'Error', color: '[1;31m', error: true },
  warning: { name: 'Warning', color: '[1;33m', error: true },
  notice: { name: 'Notice', color: '[m', error: false },
  info: { name: 'Info', color: '[0;32m', error: false },
  debug: { name: 'Debug', color: '[0;36m', error: false },
}

const severities: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'err', 'alert', 'emerg', 'crit']

/** True if `level` is at least as severe as `least`. */
export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return severities.indexOf(level) >= severities.indexOf(least)
}

/** Standard output and standard error of a console log. */
export interface LogConsole {
  out(text: string): void
  err(text: string): void
  readonly color: boolean
}

/**
 * Writes lines in the format of Puppet's console: warnings and above to standard error, in color on
 * a terminal. Text from a server, a resource or a program is escaped, so that it cannot forge a
 * line on a terminal or in the journal.
 */
export function createConsoleLog(console: LogConsole, least: LogLevel): Log {
  return createLog({
    write({ level, message, source = 'Puppet' }) {
      if (!isAtLeast(level, least)) return
      const look = looks[level]
      const text = `${look.name}: ${toPrintableLines(source === 'Puppet' ? message : `${source}: ${message}`)}`
      const line = console.color ? `\u001b${look.color}${text}\u001b[0m\n` : `${text}\n`
      if (look.error) console.err(line)
      else console.out(line)
    },
  })
}

/** Collects lines for a report. */
export function createReportLog(least: LogLevel, now: () => number): Log & { readonly lines: readonly ReportLog[] } {
  const lines: ReportLog[] = []
  const log = createLog({
    write({ level, message, source = 'Puppet', tags = [], file, line }) {
      if (!isAtLeast(level, least)) return
      const time = formatReportTime(now())
      lines.push({
        level,
        message,
        source,
        tags: [...new Set([level, ...tags])],
        time,
        file: file ?? null,
        line: line ?? null,
      })
    },
  })
  return { ...log, lines }
}

/** A log that writes each line to several sinks. */
export function createTeeLog(...sinks: readonly LogSink[]): Log {
  return createLog({
    write(line) {
      for (const sink of sinks) sink.write(line)
    },
  })
}

/** Time in ISO 8601 with nine fractional digits, as in reports. */
export function formatReportTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000000+00:00')
}

const facterLevels: ReadonlyMap<string, LogLevel> = new Map([
  ['warn', 'warning'],
  ['error', 'err'],
])

/** The level of a log line of Ruby. Providers that read facts also log with the levels of Facter. */
export function toLogLevel(level: string): LogLevel {
  return facterLevels.get(level) ?? severities.find((each) => each === level) ?? 'notice'
}
