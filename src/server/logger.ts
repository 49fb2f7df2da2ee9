import { destination, type Logger, pino } from 'pino'
import { printableJson } from '../base/printable.ts'
import type { Settings } from '../settings/settings.ts'

/** Puppet's levels in pino's words. */
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
  /** Opens the file anew, when another program has moved the old one away. */
  reopen(): void
}

/** A log of JSON lines, which a terminal may show: on standard error, or in the file that `logdest` names. */
export function serverLog({ log_level, logdest }: Pick<Settings, 'log_level' | 'logdest'>): ServerLog {
  const file = logdest.split(',').find((each) => each.startsWith('/'))
  const out = destination({ dest: file ?? 2, sync: false, mkdir: true })
  const hooks = { streamWrite: printableJson }
  const log = pino({ level: pinoLevel(log_level), base: undefined, timestamp: isoTime, hooks }, out)
  return { log, reopen: () => file !== undefined && out.reopen() }
}

/** The level of pino's for a level of Puppet's; `info` for an unknown one. */
export function pinoLevel(level: string): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  return (Object.hasOwn(levels, level) ? levels[level] : undefined) ?? 'info'
}

function isoTime(): string {
  return `,"time":"${new Date().toISOString()}"`
}
