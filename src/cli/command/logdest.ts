import type { Settings } from '../../machine/settings/settings.ts'
import type { LogOptions } from '../../node/agent/log-destinations.ts'
import type { MayHave, Option } from './options.ts'

/** The option for the destinations of a run's log lines. */
export const logdestOption = {
  flags: '-l, --logdest <destinations>',
  doc: 'console, syslog, journald, the path of a file (.json, .jsonl: as JSON), or several separated by commas.',
  repeated: true,
} as const satisfies Option

/** Log destinations from the option, or else from the settings. */
export function logdestOf(
  { logdest, syslogfacility }: Settings,
  { logdest: given = [logdest] }: MayHave<readonly [typeof logdestOption]>,
): Pick<LogOptions, 'logdest' | 'syslogfacility' | 'now'> {
  return { logdest: given.join(','), syslogfacility, now: Date.now }
}
