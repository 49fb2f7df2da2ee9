import { type DestinationStream, destination, type Logger, pino } from 'pino'
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

/** A log of JSON lines, which a terminal may show: on standard error, or in the file that `logdest` names. */
export function serverLogger({ log_level, logdest }: Pick<Settings, 'log_level' | 'logdest'>): Logger {
  const file = logdest.split(',').find((each) => each.startsWith('/'))
  const out: DestinationStream = destination({ dest: file ?? 2, sync: false, mkdir: true })
  const hooks = { streamWrite: printableJson }
  return pino({ level: pinoLevel(log_level), base: undefined, timestamp: isoTime, hooks }, out)
}

/** Which of pino's levels one of Puppet's is. */
export function pinoLevel(level: string): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  return (Object.hasOwn(levels, level) ? levels[level] : undefined) ?? 'info'
}

function isoTime(): string {
  return `,"time":"${new Date().toISOString()}"`
}
