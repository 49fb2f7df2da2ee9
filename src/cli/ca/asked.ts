import { fail, isIssueIn, PuppetError } from '../../base/issue.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { authorityFrom } from '../../ca/from-settings.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Invocation, Io } from '../command/command.ts'
import type { MayHave, Option } from '../command/options.ts'
import { sayError } from '../command/say.ts'
import { issues } from './issues.ts'

/** Names that an action is about. */
export const certname = {
  flags: '--certname <names>',
  doc: 'One name, or several with commas between; as if they stood alone.',
} as const satisfies Option

/** As `puppet cert` took them; `puppetserver ca` wants the option. */
export const certnames = '[certnames...]'

/** The name of the server itself. */
export const own = { flags: '--certname <name>', doc: "This server's name." } as const satisfies Option

/** Further names of a certificate. */
export const altNames = {
  flags: '--subject-alt-names <names>',
  doc: 'Further names, with commas between: DNS:name, IP:address, or bare for DNS.',
} as const satisfies Option

/** The common name of an authority. */
export const caName = {
  flags: '--ca-name <name>',
  doc: "The name in the authority's certificate.",
} as const satisfies Option

/** The life of a certificate. */
export const ttl = { flags: '--ttl <duration>', doc: 'How long it is good: 90d, 5y.' } as const satisfies Option

/** Input that most actions have. */
export type Asked = Pick<Invocation, 'args' | 'settings'> & {
  readonly options: MayHave<readonly [typeof certname, typeof altNames, typeof caName]>
}

/** Exit statuses of `puppetserver ca`: 24 where all that was asked for could be looked at, and some of it not done. */
export const exitCodes = { done: 0, failed: 1, partly: 24 } as const

/** Does something for each name, and goes on after an error; the exit status, where `partly` are errors that give 24. */
export async function forEach(
  names: readonly string[],
  io: Io,
  act: (name: string) => Promise<string>,
  partly: Parameters<typeof isIssueIn>[1] = {},
): Promise<number> {
  let status: number = exitCodes.done
  for (const name of names) {
    try {
      io.out(`${await act(name)}\n`)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      sayError(error, io)
      const isPart = isIssueIn(error, partly)
      if (status !== exitCodes.failed) status = isPart ? exitCodes.partly : exitCodes.failed
    }
  }
  return status
}

/** The authority that the settings name. Throws CA_MISSING. */
export function authorityOf(invocation: Asked): Promise<CertificateAuthority> {
  return authorityFrom(settingsOf(invocation), localSystem)
}

/** The settings; with `--certname` of `setup` and `import`, or for another `name`. */
export function settingsOf({ settings, options }: Asked, name?: string): Settings {
  const { caName: ca_name, certname: given, subjectAltNames: dns_alt_names } = options
  const self = name ?? (given !== undefined && !given.includes(',') ? given : undefined)
  return loadSettings({
    given: {
      ...settings,
      ...(self === undefined ? {} : { certname: self }),
      ...(ca_name === undefined ? {} : { ca_name }),
      ...(dns_alt_names === undefined ? {} : { dns_alt_names }),
    },
    runMode: 'server',
  })
}

/** Names that were given, at least one. Throws NO_CERTNAMES. */
export function required(invocation: Asked, action: string): readonly string[] {
  const names = namesGiven(invocation)
  if (names.length === 0) fail(issues.NO_CERTNAMES, { action })
  return names
}

/** True when an option is given that stands for names. Throws NAMES_AND_ALL beside names. */
export function isForAll(isGiven: boolean | undefined, option: '--all' | '--requested', invocation: Asked): boolean {
  if (!isGiven) return false
  if (namesGiven(invocation).length > 0) fail(issues.NAMES_AND_ALL, { option })
  return true
}

/** Certnames of a command line, after `--certname` or bare, each once. */
export function namesGiven({ args, options }: Asked): readonly string[] {
  return [...new Set([options.certname ?? [], args].flat().flatMap(namesIn))]
}

/** The parts of a text between its commas. */
export function namesIn(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }

/** Seconds of `90d`; `undefined` when nothing is given. */
export function durationIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const match = /^(\d+)([smhdy]?)$/.exec(value)
  return match ? Number(match[1]) * units[match[2]!]! : fail(issues.TTL, { text: value })
}
