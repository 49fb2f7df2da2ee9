import { throwIssue } from '../../base/issue.ts'
import { toPrintableLines } from '../../base/text/printable.ts'
import type { FacterConf } from '../../node/facts/facter-conf.ts'
import type { FactLevel, FactLog } from '../../node/facts/log.ts'
import type { Io } from '../command/command.ts'
import { usageIssues } from '../command/usage-errors.ts'
import type { FactsOptions } from './facts-options.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const
const colors: Readonly<Record<FactLevel, string>> = { debug: '36', info: '32', warn: '33', error: '31' }
const names = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** Minimum level of printed messages; `none` prints nothing. */
export type LeastLevel = FactLevel | 'none'

/** The log of `facter` on standard error: `[2026-11-22 10:00:00.123456 ] WARN Facter - …`. */
export function createFacterLog(io: Io, least: LeastLevel): { readonly log: FactLog; hasErrors(): boolean } {
  let hasErrors = false
  const log: FactLog = (level, message, source = 'Facter') => {
    hasErrors ||= level === 'error'
    if (least === 'none' || levels.indexOf(level) < levels.indexOf(least)) return
    const text = toPrintableLines(message)
    const shown = io.color ? `\u001b[${colors[level]}m${text}\u001b[0m` : text
    io.err(`[${formatLogTime(new Date())} ] ${level.toUpperCase()} ${toPrintableLines(source)} - ${shown} \n`)
  }
  return { log, hasErrors: () => hasErrors }
}

/** The level from the options, otherwise from facter.conf. Throws INVALID_ARGUMENT. */
export function getLogLevel(options: FactsOptions, { cli }: FacterConf): LeastLevel {
  if (options.logLevel !== undefined) return checkLogLevel(options.logLevel)
  if (options.debug === true) return 'debug'
  if (options.verbose === true) return 'info'
  if (cli.level !== undefined) return checkLogLevel(cli.level)
  return cli.debug === true ? 'debug' : cli.verbose === true ? 'info' : 'warn'
}

function checkLogLevel(word: string): LeastLevel {
  if (!names.includes(word))
    throwIssue(usageIssues.INVALID_ARGUMENT, { option: '--log-level', value: word, choices: names })
  if (word === 'none' || word === 'fatal') return 'none'
  return word === 'trace' ? 'debug' : (word as FactLevel)
}

/** Local time in Facter's log format. */
function formatLogTime(date: Date): string {
  const padTwoDigits = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}`
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwoDigits).join(':')
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}000`
}
