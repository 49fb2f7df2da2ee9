import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination, type Logger, pino } from 'pino'
import { budgets } from '../base/budgets/budgets.ts'
import { throwIssue } from '../base/issue.ts'
import { toPrintable, toPrintableJson } from '../base/text/printable.ts'
import { formatError } from '../language/ruby-semantics/errno.ts'
import { settingIssues } from '../machine/settings/kinds.ts'
import type { Settings } from '../machine/settings/settings.ts'

/** Pino's log level for each of Puppet's log levels. */
const levels: Readonly<Record<string, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  err: 'error',
  alert: 'fatal',
  emerg: 'fatal',
  crit: 'fatal',
}

/** The log of a server. */
export interface ServerLog {
  readonly log: Logger
  /** Reopens the file after log rotation. */
  reopen(): void
}

/**
 * Creates the log: JSON lines to standard error or to the file in `logdest`; plain lines on a
 * terminal. Throws LOGDEST if the file cannot be opened. A later failure, such as a full disk, loses log
 * lines and does not end the server.
 */
export function createServerLogger(
  { log_level, logdest }: Pick<Settings, 'log_level' | 'logdest'>,
  isTerminal = Boolean(process.stderr.isTTY),
): ServerLog {
  const file = logdest.split(',').find((each) => each.startsWith('/'))
  if (file !== undefined) checkLogFile(file)
  const out = destination({ dest: file ?? 2, sync: false, mkdir: true, maxLength: budgets.telemetry.logBuffer.bound })
  let isReported = false
  out.on('error', (error: Error) => {
    // When the process exits, pino flushes the file synchronously, which would throw again.
    out.flushSync = () => {}
    if (file === undefined || isReported) return
    isReported = true
    process.stderr.write(`The log cannot be written: ${error.message}\n`)
  })
  out.on('write', () => {
    isReported = false
  })
  const hooks = { streamWrite: file === undefined && isTerminal ? formatPlainLine : toPrintableJson }
  const log = pino({ level: toPinoLevel(log_level), base: undefined, timestamp: formatTimeField, hooks }, out)
  return { log, reopen: () => file !== undefined && out.reopen() }
}

function checkLogFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throwIssue(settingIssues.LOGDEST, { logdest: path, why: formatError(error) })
  }
}

/** Pino's level for a level of Puppet; `info` if unknown. */
export function toPinoLevel(level: string): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  return (Object.hasOwn(levels, level) ? levels[level] : undefined) ?? 'info'
}

function formatTimeField(): string {
  return `,"time":"${new Date().toISOString()}"`
}

/** Puppet's console name for each of pino's levels. */
const levelWords: readonly (readonly [least: number, word: string])[] = [
  [60, 'Critical'],
  [50, 'Error'],
  [40, 'Warning'],
  [30, 'Info'],
  [0, 'Debug'],
]

/** Formats a log line for a terminal: time, level, message, and other values as name=value. */
export function formatPlainLine(line: string): string {
  const { level, time, msg, err, ...rest } = parseLogLine(line)
  if (typeof level !== 'number') return toPrintableJson(line)
  const word = levelWords.find(([least]) => level >= least)?.[1] ?? 'Debug'
  const clock = typeof time === 'string' ? time.slice(11, 19) : ''
  const why = (err as { readonly message?: unknown } | undefined)?.message
  const message = [msg, why].filter((each) => typeof each === 'string' && each !== '').join(': ')
  const values = Object.entries(rest).map(([name, value]) => ` ${name}=${formatLogField(value)}`)
  return `${clock} ${word}: ${toPrintable(`${message}${values.join('')}`)}\n`
}

function parseLogLine(line: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(line)
    return typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

const formatLogField = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
