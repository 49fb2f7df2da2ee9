import type { Json } from '../../base/json/json-checks.ts'
import type { Source } from '../../base/source.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Files } from '../../machine/system/system.ts'
import { isWindows } from '../../machine/windows/machine-path.ts'
import { factGroups } from './groups.ts'
import type { FactLog } from './log.ts'
import { listWindowsFactFolders } from './windows-folders.ts'

/** The settings of facter.conf. */
export interface FacterConf {
  /** Names of groups, facts and external fact files that are not collected. */
  readonly blocklist: readonly string[]
  /** Cache lifetime in seconds, by name of a group, fact or external fact file. */
  readonly ttls: Readonly<Record<string, number>>
  /** Groups defined in facter.conf, and the built-in groups. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly customDirectories: readonly string[]
  readonly externalDirectories: readonly string[]
  readonly customFacts?: boolean
  readonly externalFacts?: boolean
  readonly showLegacy?: boolean
  /** True if dots in names of custom and external facts create nested hashes. */
  readonly dotted: boolean
  readonly cli: {
    readonly debug?: boolean
    readonly verbose?: boolean
    readonly trace?: boolean
    readonly level?: string
  }
}

/**
 * Paths of facter.conf in Puppet's packages, in Debian's packages, and in this program. The first
 * existing file is used.
 */
const places = isWindows
  ? [listWindowsFactFolders(process.env).conf]
  : ['/etc/puppetlabs/facter/facter.conf', '/etc/facter/facter.conf', '/etc/plumb/facter.conf']

/** The settings without a facter.conf. */
export const noConf: FacterConf = {
  blocklist: [],
  ttls: {},
  groups: factGroups,
  customDirectories: [],
  externalDirectories: [],
  dotted: false,
  cli: {},
}

/**
 * Reads the given facter.conf or, by default, the facter.conf of the machine. An unreadable file is
 * treated as missing, with a warning.
 */
export async function readFacterConf(
  files: Pick<Files, 'readText'>,
  path: string | undefined,
  log: FactLog,
): Promise<FacterConf> {
  for (const place of path === undefined ? places : [path]) {
    try {
      const text = await files.readText(place)
      if (text !== undefined) return await parseFacterConf({ file: place, text }, log)
    } catch (error) {
      const why = formatError(error)
      log('warn', `Facter failed to read config file ${place} with the following error: ${why}`, 'Facter::ConfigReader')
      return noConf
    }
  }
  return noConf
}

type Section = Readonly<Record<string, Json | undefined>>

async function parseFacterConf(source: Source, log: FactLog): Promise<FacterConf> {
  // Loaded on demand, because most machines have no facter.conf.
  const { parseHocon } = await import('../../machine/settings/hocon/hocon.ts')
  const root = parseHocon(source, { env: process.env })
  const getSection = (name: string): Section => {
    const found = root[name]
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Section) : {}
  }
  const [facts, global, cli] = [getSection('facts'), getSection('global'), getSection('cli')]
  const ttls = toList(facts['ttls']).flatMap((each) => Object.entries(each as Section))
  const own = Object.entries(getSection('fact-groups')).map(([name, names]) => [name, toTextList(names)] as const)
  return {
    blocklist: toTextList(facts['blocklist']),
    ttls: Object.fromEntries(ttls.map(([name, text]) => [name, parseDuration(String(text), log)] as const)),
    groups: { ...factGroups, ...Object.fromEntries(own) },
    customDirectories: toTextList(global['custom-dir']),
    externalDirectories: toTextList(global['external-dir']),
    ...toSwitch('customFacts', negateBoolean(global['no-custom-facts'])),
    ...toSwitch('externalFacts', negateBoolean(global['no-external-facts'])),
    ...toSwitch('showLegacy', global['show-legacy']),
    dotted: global['force-dot-resolution'] === true,
    cli: {
      ...toSwitch('debug', cli['debug']),
      ...toSwitch('verbose', cli['verbose']),
      ...toSwitch('trace', cli['trace']),
      ...(typeof cli['log-level'] === 'string' && { level: cli['log-level'] }),
    },
  }
}

const toList = (json: Json | undefined): readonly Json[] =>
  Array.isArray(json) ? json : json === undefined || json === null ? [] : [json]
const toTextList = (json: Json | undefined): string[] => toList(json).map(String)
const negateBoolean = (json: Json | undefined) => (typeof json === 'boolean' ? !json : undefined)

function toSwitch<Name extends string>(name: Name, json: Json | undefined): { readonly [Key in Name]?: boolean } {
  return (typeof json === 'boolean' ? { [name]: json } : {}) as { readonly [Key in Name]?: boolean }
}

const units: Readonly<Record<string, number>> = {
  ...{ ns: 1e-9, nanos: 1e-9, nanoseconds: 1e-9, us: 1e-6, micros: 1e-6, microseconds: 1e-6 },
  ...{ '': 1e-3, ms: 1e-3, milis: 1e-3, milliseconds: 1e-3, s: 1, seconds: 1, m: 60, minutes: 60 },
  ...{ h: 3600, hours: 3600, d: 86_400, days: 86_400 },
}

/** Converts `30 days`, `1 hour`, or a number of milliseconds, to seconds. */
function parseDuration(text: string, log: FactLog): number {
  const [, number = '', word = ''] = /^(\S*)\s*(\S*)/.exec(text.trim()) ?? []
  const unit = word.length > 2 && !word.endsWith('s') ? `${word}s` : word
  const seconds = units[unit]
  if (seconds === undefined) {
    const known = Object.keys(units).filter(Boolean).join(', ')
    log('error', `Could not parse time unit ${unit} (try ${known})`, 'Facter::FactGroups')
    return 0
  }
  return Math.trunc((Number.parseInt(number, 10) || 0) * seconds)
}

/**
 * The names of the blocked groups and facts. `legacy` is omitted, because it is not the name of a
 * fact but blocks all legacy facts.
 */
export function listBlockedNames({ blocklist, groups }: Pick<FacterConf, 'blocklist' | 'groups'>): readonly string[] {
  return blocklist.flatMap((name) => (name === 'legacy' ? [] : (Object.hasOwn(groups, name) && groups[name]) || [name]))
}

/** True if a fact is blocked, by its own name or by the name of a structure that contains it. */
export function isBlocked(name: string, blocked: readonly string[]): boolean {
  return blocked.some((each) => name === each || name.startsWith(`${each}.`))
}
