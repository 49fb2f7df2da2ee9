import type { LogOptions } from '../agent/log-destinations.ts'
import type { Settings } from '../settings/settings.ts'
import type { Invocation, Option } from './command.ts'

/** Where a run writes its lines. */
export const logdestOption: Option = {
  flags: '-l, --logdest <destinations>',
  doc: 'console, syslog, the path of a file (.json, .jsonl: as JSON), or several separated by commas.',
}

/** What the option says, or else the settings. */
export function logdestOf(
  { logdest, syslogfacility }: Settings,
  options: Invocation['options'],
): Pick<LogOptions, 'logdest' | 'syslogfacility' | 'now'> {
  const given = options.logdest
  return { logdest: typeof given === 'string' ? given : logdest, syslogfacility, now: Date.now }
}
