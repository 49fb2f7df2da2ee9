import type { LogLevel } from '../../../language/host.ts'
import type { FactLevel, FactLog } from '../../facts/log.ts'
import type { Log } from '../log.ts'

const levels: Readonly<Record<FactLevel, LogLevel>> = { debug: 'debug', info: 'info', warn: 'warning', error: 'err' }

/** Writes messages about facts to the log of a run. Puppet: facter_impl.rb */
export function createFactLog(log: Log): FactLog {
  return (level, message) => log[levels[level]](message, { source: 'Facter' })
}
