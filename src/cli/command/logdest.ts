import type { Settings } from '../../machine/settings/settings.ts'
import type { LogOptions } from '../../node/agent/log-destinations.ts'
import type { MayHave, Option } from './options.ts'

/** Option for the destinations of log lines. */
export const logdestOption = {
  flags: '-l, --logdest <destinations>',
  doc: 'Log to console, syslog, journald or a file (.json and .jsonl: as JSON); separate several by commas.',
  repeated: true,
} as const satisfies Option

/** Log destinations from the option, otherwise from the settings. */
export function getLogDestinations(
  { logdest, syslogfacility }: Settings,
  { logdest: given = [logdest] }: MayHave<readonly [typeof logdestOption]>,
): Pick<LogOptions, 'logdest' | 'syslogfacility' | 'now'> {
  return { logdest: given.join(','), syslogfacility, now: Date.now }
}
