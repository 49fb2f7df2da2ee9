import { isAbsolute } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import type { SyslogFacility } from '../../base/syslog-facilities.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { LogLevel } from '../../language/host.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { settingIssues } from '../../machine/settings/kinds.ts'
import { openJournal } from '../../machine/system/journal.ts'
import { openSyslog } from '../../machine/system/syslog.ts'
import { openEventLog } from '../../machine/windows/event-log.ts'
import { isWindows } from '../../machine/windows/machine-path.ts'
import { createConsoleLog, createLog, createTeeLog, isAtLeast, type Log, type LogConsole, type LogSink } from './log.ts'
import { createFileLog } from './log-file.ts'

/** A log that must be closed at the end, to write buffered lines. */
export type OpenLog = Log & {
  /** True if one destination is the console. */
  readonly hasConsole: boolean
  close(): Promise<void>
}

/** A destination that must be closed. */
interface Destination extends LogSink {
  close(): Promise<void>
}

/** The log of the operating system: the default of daemons. */
export const systemLogDestination = isWindows ? 'eventlog' : 'syslog'

/** Settings, console and clock of the log. */
export interface LogOptions {
  /** The setting `logdest`; empty for the console. */
  readonly logdest: string
  readonly syslogfacility: SyslogFacility
  readonly least: LogLevel
  /** Program name for syslog: `puppet-agent`. */
  readonly name: string
  readonly console: LogConsole
  readonly now: () => number
}

/** Opens every destination that `logdest` names. Throws LOGDEST. Puppet: util/log/destinations.rb */
export async function openLog(options: LogOptions): Promise<OpenLog> {
  const names = new Set(options.logdest.split(',').flatMap((each) => each.trim() || []))
  if (names.size === 0) names.add('console')
  const logs: Destination[] = []
  try {
    for (const name of names) logs.push(await openDestination(name, options))
  } catch (error) {
    await closeAll(logs)
    throwIssue(settingIssues.LOGDEST, { logdest: options.logdest, why: formatError(error) })
  }
  const all = createTeeLog(...logs)
  const log = createLog({
    write: (line) => {
      if (isAtLeast(line.level, options.least)) all.write(line)
    },
  })
  return {
    ...log,
    hasConsole: names.has('console'),
    close: () => closeAll(logs),
  }
}

async function closeAll(logs: readonly Destination[]): Promise<void> {
  for (const log of logs) await log.close()
}

async function openDestination(name: string, options: LogOptions): Promise<Destination> {
  const { console, least, now } = options
  const reportLogLoss = (why: string) => console.err(`Error: Could not log to ${name}: ${toPrintable(why)}\n`)
  const close = async () => {}
  if (name === 'console') return { ...createConsoleLog(console, least), close }
  if (name === 'syslog') {
    const { name: tag, syslogfacility: facility } = options
    return createLineDestination(await openSyslog({ tag, facility, lost: reportLogLoss }))
  }
  if (name === 'journald') return createLineDestination(await openJournal({ tag: options.name, lost: reportLogLoss }))
  if (name === 'eventlog' && isWindows) return createLineDestination(await openEventLog({ lost: reportLogLoss }))
  if (isAbsolute(name)) return { ...createFileLog(name, { now, lost: reportLogLoss }), close }
  throw new Error(`Unknown destination type ${name}`)
}

/** A log of the operating system, which accepts one line at a time. */
interface LineLog {
  write(level: LogLevel, line: string): void
  close(): Promise<void>
}

function createLineDestination(log: LineLog): Destination {
  return {
    write({ level, message, source = 'Puppet' }) {
      const start = source === 'Puppet' ? '' : `(${toPrintable(source)}) `
      for (const line of message.split('\n')) if (line !== '') log.write(level, `${start}${toPrintable(line)}`)
    },
    close: () => log.close(),
  }
}
