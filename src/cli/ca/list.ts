import { throwIssue } from '../../base/issue.ts'
import { splitIntoSlices } from '../../base/slices.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { CertificateState, CertificateStatus } from '../../ca/certificate-status.ts'
import { parseInventoryTime } from '../../ca/inventory.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { CliCommand, CommandInvocation, Io } from '../command/command.ts'
import {
  certnameArguments,
  certnameOption,
  exitCodes,
  isAllSelected,
  listGivenCertnames,
  openCommandAuthority,
} from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [
  { flags: '--all', doc: 'Include signed and revoked certificates.' },
  certnameOption,
  { flags: '--expiring <days>', doc: 'List signed certificates that have expired or will expire within N days.' },
  { flags: '--format <format>', doc: 'Output format: text or json.', choices: ['text', 'json'], default: 'text' },
] as const

/** The command `plumb ca list`. */
export const listCommand: CliCommand = {
  name: 'list',
  summary: 'List pending certificate requests; with --all, also signed and revoked certificates.',
  description: `Exits with 0, or with 1 if one of the names has neither a request nor a certificate.

  plumb ca list --all
  plumb ca list --expiring 60 --format json`,
  usage: certnameArguments,
  options,
  run: runCaList,
}

const titles = { requested: 'Requested', signed: 'Signed', revoked: 'Revoked', broken: 'Broken' } as const
const states = ['requested', 'signed', 'revoked', 'broken'] as const

async function runCaList(invocation: CommandInvocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const isAll = isAllSelected(given.all, '--all', invocation)
  const days = parseDays(given.expiring)
  const names = listGivenCertnames(invocation)
  const authority = await openCommandAuthority(invocation)
  const found = await findStatuses(authority, { names, isAll, days })
  const known = new Set(found.map(({ name }) => name))
  const missing = names.filter((name) => !known.has(name))
  if (given.format === 'json') io.out(`${formatListJson(found, missing, isAll)}\n`)
  else printList(found, missing, days !== undefined, io)
  return missing.length > 0 ? exitCodes.failed : exitCodes.done
}

interface Wish {
  readonly names: readonly string[]
  readonly isAll: boolean
  readonly days: number | undefined
}

async function findStatuses(
  authority: CertificateAuthority,
  { names, isAll, days }: Wish,
): Promise<readonly CertificateStatus[]> {
  if (names.length === 0 && isAll) return authority.statuses()
  if (names.length === 0 && days !== undefined)
    return (await authority.statuses('signed')).filter(createExpiryFilter(days))
  const wanted = names.length > 0 ? names : (await authority.waiting()).map(({ name }) => name)
  const statuses = await Promise.all(wanted.map((name) => authority.status(name)))
  const found = statuses.filter((status) => status !== undefined)
  return days === undefined ? found : found.filter(createExpiryFilter(days))
}

const dayMs = 86_400_000

function createExpiryFilter(days: number): (status: CertificateStatus) => boolean {
  const end = new Date(localSystem.now() + days * dayMs)
  return ({ not_after: to }) => to !== undefined && parseInventoryTime(to) <= end
}

function parseDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return /^\d{1,5}$/.test(text) ? Number(text) : throwIssue(caIssues.DAYS, { text })
}

/** JSON of `puppetserver ca list`: all three lists with --all, otherwise the lists that are not empty. */
function formatListJson(found: readonly CertificateStatus[], missing: readonly string[], isAll: boolean): string {
  const filterByState = (state: CertificateState) => found.filter((status) => status.state === state)
  const groups = Object.fromEntries(states.map((state) => [state, filterByState(state)] as const))
  // Other programs expect the three lists; `broken` is added only if a file is damaged.
  const isShown = (state: string, group: readonly unknown[]) => group.length > 0 || (isAll && state !== 'broken')
  const shown = Object.entries({ ...groups, missing: isAll ? [] : missing }).filter(([state, group]) =>
    state === 'missing' ? group.length > 0 : isShown(state, group),
  )
  return JSON.stringify(shown.length > 0 ? Object.fromEntries(shown) : { requested: [] })
}

function printList(found: readonly CertificateStatus[], missing: readonly string[], showsEnds: boolean, io: Io): void {
  if (found.length + missing.length === 0) io.out('No certificates to list\n')
  for (const state of states) {
    const group = found.filter((status) => status.state === state)
    const width = group.reduce((widest, { name }) => Math.max(widest, name.length), 0)
    if (group.length > 0) io.out(`${titles[state]} Certificates:\n`)
    for (const slice of splitIntoSlices(group, linesAtOnce))
      io.out(slice.map((status) => `${formatListLine(status, width, showsEnds)}\n`).join(''))
  }
  if (missing.length > 0)
    io.out(`Missing Certificates:\n${missing.map((name) => `    ${toPrintable(name)}\n`).join('')}`)
}

/** Number of lines per write. */
const linesAtOnce = 500

/** Formats a row of the list. The requester chooses the names, so line breaks in names are escaped. */
function formatListLine(status: CertificateStatus, width: number, showsEnd: boolean): string {
  const { name, fingerprints, subject_alt_names: names, authorization_extensions: extensions } = status
  const quoted = names.map((each) => `"${toPrintable(each)}"`).join(', ')
  const authorizations = Object.entries(extensions).map(([key, value]) => `${key}: ${toPrintable(value)}`)
  if (status.problem !== undefined) return `    ${name.padEnd(width)}       ${toPrintable(status.problem)}`
  return [
    `    ${name.padEnd(width)}       (SHA256)  ${fingerprints.SHA256}`,
    ...(showsEnd ? [`not after: ${status.not_after}`] : []),
    ...(names.length > 0 ? [`alt names: [${quoted}]`] : []),
    ...(authorizations.length > 0 ? [`authorization extensions: [${authorizations.join(', ')}]`] : []),
  ].join('\t')
}
