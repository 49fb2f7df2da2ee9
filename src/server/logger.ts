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

/** A log of JSON lines: on standard error, or in the file that `logdest` names. */
export function serverLogger({ log_level, logdest }: Pick<Settings, 'log_level' | 'logdest'>): Logger {
  const file = logdest.split(',').find((each) => each.startsWith('/'))
  const out = destination({ dest: file ?? 2, sync: false, mkdir: true })
  // JSON leaves what a terminal obeys beyond ASCII as it is: U+009B begins a sequence as ESC [ does.
  const printed: DestinationStream & Pick<typeof out, 'flush' | 'flushSync'> = {
    write: (line) => void out.write(printableJson(line)),
    flush: (done) => out.flush(done),
    flushSync: () => out.flushSync(),
  }
  return pino({ level: pinoLevel(log_level), base: undefined, timestamp: isoTime }, printed)
}

/** Which of pino's levels one of Puppet's is. */
export function pinoLevel(level: string): 'debug' | 'info' | 'warn' | 'error' | 'fatal' {
  return levels[level] ?? 'info'
}

function isoTime(): string {
  return `,"time":"${new Date().toISOString()}"`
}
