import { isCatalogIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { parseSeconds } from '../../machine/settings/kinds.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../store/authority/configured-authority.ts'
import type { CommandInvocation, Io } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import type { MayHave, Option } from '../command/options.ts'
import { caIssues } from './issues.ts'

/** Option for the certnames of an action. */
export const certnameOption = {
  flags: '--certname <names>',
  doc: 'Certnames, separated by commas; an alternative to positional arguments.',
} as const satisfies Option

/** Positional certnames, as in `puppet cert`; `puppetserver ca` requires the option. */
export const certnameArguments = '[certnames...]'

/** Option for the certname of the server itself. */
export const ownCertnameOption = {
  flags: '--certname <name>',
  doc: 'Certname of this server.',
} as const satisfies Option

/** Option for the alternative names of a certificate. */
export const altNamesOption = {
  flags: '--subject-alt-names <names>',
  doc: 'Alternative names, separated by commas: DNS:name, IP:address, or a bare DNS name.',
} as const satisfies Option

/** Option for the common name of a CA. */
export const caNameOption = {
  flags: '--ca-name <name>',
  doc: 'Common name of the CA certificate.',
} as const satisfies Option

/** Option for the lifetime of a certificate. */
export const ttlOption = {
  flags: '--ttl <duration>',
  doc: 'Lifetime of the certificate, such as 90d or 5y. Default: ca_ttl.',
} as const satisfies Option

/** Input of most `plumb ca` actions. */
export type CaInvocation = Pick<CommandInvocation, 'args' | 'settings'> & {
  readonly options: MayHave<readonly [typeof certnameOption, typeof altNamesOption, typeof caNameOption]>
}

/** Exit statuses of `puppetserver ca`: 24 if the CA was reachable, but some of the requested changes were not made. */
export const exitCodes = { done: 0, failed: 1, partly: 24 } as const

/**
 * Calls `act` for each name, and continues after errors. Returns the exit status: 24 if all errors are issues in
 * `partly`.
 */
export async function forEachName(
  names: readonly string[],
  io: Io,
  act: (name: string) => Promise<string>,
  partly: Parameters<typeof isCatalogIssue>[1] = {},
): Promise<number> {
  let status: number = exitCodes.done
  for (const name of names) {
    try {
      io.out(`${await act(name)}\n`)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      printError(error, io)
      const isPart = isCatalogIssue(error, partly)
      if (status !== exitCodes.failed) status = isPart ? exitCodes.partly : exitCodes.failed
    }
  }
  return status
}

/** Opens the CA that the settings name. Throws CA_MISSING, CA_ABSENT. */
export function openCommandAuthority(invocation: CaInvocation): Promise<CertificateAuthority> {
  return openConfiguredAuthority(loadCaSettings(invocation), localSystem)
}

/** Loads the settings, for `name` or the single certname of `--certname`. */
export function loadCaSettings({ settings, options }: CaInvocation, name?: string): Settings {
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

/** The given certnames, at least one. Throws NO_CERTNAMES. */
export function requireCertnames(invocation: CaInvocation, action: string): readonly string[] {
  const names = listGivenCertnames(invocation)
  if (names.length === 0) throwIssue(caIssues.NO_CERTNAMES, { action })
  return names
}

/** True if `--all` or `--requested` is given. Throws NAMES_AND_ALL if certnames are given also. */
export function isAllSelected(
  isGiven: boolean | undefined,
  option: '--all' | '--requested',
  invocation: CaInvocation,
): boolean {
  if (!isGiven) return false
  if (listGivenCertnames(invocation).length > 0) throwIssue(caIssues.NAMES_AND_ALL, { option })
  return true
}

/** Certnames from `--certname` and positional arguments, without duplicates. */
export function listGivenCertnames({ args, options }: CaInvocation): readonly string[] {
  return [...new Set([options.certname ?? [], args].flat().flatMap(splitNames))]
}

/** Splits a comma-separated list. */
export function splitNames(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Parses a duration such as `90d` to seconds; `undefined` if none is given. Throws TTL. */
export function parseDuration(value: string | undefined): number | undefined {
  return value === undefined ? undefined : (parseSeconds(value) ?? throwIssue(caIssues.TTL, { text: value }))
}
