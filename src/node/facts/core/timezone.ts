import type { Machine } from '../machine.ts'

/**
 * The name of the time zone at this hour, as `date +%Z` prints it. The rule at the end of /etc/localtime (RFC 8536) says
 * it for all years to come; `date` is asked where another zone is set, or the file holds no such rule.
 */
export async function timezone(machine: Machine, { set, west } = surroundings()): Promise<string | undefined> {
  const rule = set === undefined ? ruleOf(await machine.files.read('/etc/localtime')) : undefined
  if (!rule) return (await machine.output(['date', '+%Z'])).trim() || undefined
  return rule.summer === undefined || rule.west === west ? rule.standard : rule.summer
}

interface Surroundings {
  /** The zone that the environment sets. */
  readonly set: string | undefined
  /** Minutes behind UTC at this hour. */
  readonly west: number
}

const surroundings = (): Surroundings => ({ set: process.env['TZ'], west: new Date().getTimezoneOffset() })

interface Rule {
  readonly standard: string
  /** Minutes behind UTC in standard time. */
  readonly west: number
  readonly summer: string | undefined
}

/** `CET-1CEST,M3.5.0,M10.5.0/3`: the last line of the file. */
function ruleOf(file: Buffer | undefined): Rule | undefined {
  const text = file?.toString('latin1') ?? ''
  const line = text.endsWith('\n') ? text.slice(text.lastIndexOf('\n', text.length - 2) + 1) : ''
  const found = /^(<[^>]+>|[A-Za-z]+)([+-]?)(\d+)(?::(\d+))?(<[^>]+>|[A-Za-z]+)?/.exec(line)
  if (!found) return undefined
  const [, standard = '', sign, hours, minutes = '0', summer] = found
  const west = Number(hours) * 60 + Number(minutes)
  return { standard: bare(standard), west: sign === '-' ? -west : west, summer: summer && bare(summer) }
}

const bare = (name: string): string => name.replace(/^<|>$/g, '')
