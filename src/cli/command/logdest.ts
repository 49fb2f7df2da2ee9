import type { Settings } from '../../machine/settings/settings.ts'
import type { LogOptions } from '../../node/agent/log-destinations.ts'
import type { MayHave, Option } from './options.ts'

/** Option for the destinations of log lines. */
export const logdestOption = {
  flags: '-l, --logdest <destinations>',
  doc: 'Log destinations, separated by commas: console, syslog, journald, eventlog or a file (JSON if the name ends in .json or .jsonl).',
  repeated: true,
} as const satisfies Option

/** Log destinations from the option, otherwise from the settings. */
export function getLogDestinations(
  { logdest, syslogfacility }: Settings,
  { logdest: given = [logdest] }: MayHave<readonly [typeof logdestOption]>,
): Pick<LogOptions, 'logdest' | 'syslogfacility' | 'now'> {
  return { logdest: given.join(','), syslogfacility, now: Date.now }
}
