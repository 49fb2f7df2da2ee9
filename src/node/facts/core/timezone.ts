import { readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'

/**
 * The current abbreviation of the time zone, as printed by `date +%Z`. It is computed from the rule
 * at the end of /etc/localtime (RFC 8536). If TZ is set or the file has no such rule, `date` is
 * called.
 */
export async function readTimezone(
  machine: Machine,
  { set, west } = readTimezoneSettings(),
): Promise<string | undefined> {
  const rule = set === undefined ? parseTimezoneRule(await machine.files.read('/etc/localtime')) : undefined
  if (!rule) return (await machine.output(['date', '+%Z'])).trim() || undefined
  return selectAbbreviation(rule, west)
}

/**
 * The current abbreviation of the time zone of a system that is not running. Without /etc/localtime
 * it is UTC; undefined if the zone has summer time, and its name is unknown.
 */
export async function readConfiguredTimezone(machine: Machine): Promise<string | undefined> {
  const file = await machine.files.read('/etc/localtime').catch(() => undefined)
  if (file === undefined) return 'UTC'
  const rule = parseTimezoneRule(file)
  if (rule?.summer === undefined) return rule?.standard
  const link = await machine.files.readLink('/etc/localtime')
  const name = link?.split('/zoneinfo/')[1] ?? (await readTrimmedText(machine, '/etc/timezone'))
  const west = name === undefined ? undefined : computeOffset(name, machine.now())
  return west === undefined ? undefined : selectAbbreviation(rule, west)
}

/** The offset of a zone in minutes, positive west of UTC; undefined for a name that this program does not know. */
function computeOffset(zone: string, now: number): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(now)
    const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? []
    return (Number(hours) * 60 + Number(minutes)) * (sign === '+' ? -1 : 1)
  } catch {
    return undefined
  }
}

const selectAbbreviation = ({ standard, summer, west: own }: Rule, west: number): string =>
  summer === undefined || own === west ? standard : summer

interface Surroundings {
  /** The zone in the environment variable TZ. */
  readonly set: string | undefined
  /** Current offset in minutes, positive west of UTC. */
  readonly west: number
}

const readTimezoneSettings = (): Surroundings => ({ set: process.env['TZ'], west: new Date().getTimezoneOffset() })

interface Rule {
  readonly standard: string
  /** Offset of standard time in minutes, positive west of UTC. */
  readonly west: number
  readonly summer: string | undefined
}

/** Parses the time zone rule in the last line of /etc/localtime: `CET-1CEST,M3.5.0,M10.5.0/3`. */
export function parseTimezoneRule(file: Buffer | undefined): Rule | undefined {
  const text = file?.toString('latin1') ?? ''
  const line = text.endsWith('\n') ? text.slice(text.lastIndexOf('\n', text.length - 2) + 1) : ''
  const found = /^(<[^>]+>|[A-Za-z]+)([+-]?)(\d+)(?::(\d+))?(<[^>]+>|[A-Za-z]+)?/.exec(line)
  if (!found) return undefined
  const [, standard = '', sign, hours, minutes = '0', summer] = found
  const west = Number(hours) * 60 + Number(minutes)
  return {
    standard: stripBrackets(standard),
    west: sign === '-' ? -west : west,
    summer: summer && stripBrackets(summer),
  }
}

const stripBrackets = (name: string): string => name.replace(/^<|>$/g, '')
