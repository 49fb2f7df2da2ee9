import { createPuppetError, throwIssue } from '../../base/issue.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { CertificateStatus } from '../../ca/certificate-status.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { parseInventoryTime } from '../../ca/inventory.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { CliCommand, CommandInvocation, Io } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import { certnameOption, exitCodes, listGivenCertnames, loadCaSettings, openCommandAuthority } from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [
  { flags: '--expired', doc: 'Delete expired certificates.' },
  { flags: '--revoked', doc: 'Delete revoked certificates.' },
  certnameOption,
  { flags: '--all', doc: 'Delete all certificates.' },
] as const

/** The command `plumb ca delete`. */
export const deleteCommand: CliCommand = {
  name: 'delete',
  summary: 'Delete signed certificates from disk without revoking them.',
  description: `The CA does not need the file of a certificate after the node has received the certificate. A deleted certificate
remains valid, and can still be revoked by name, because the inventory records its serial number. Exits with 24 if one
of the names has no certificate.

  plumb ca delete --expired --revoked`,
  options,
  run: runCaDelete,
}

async function runCaDelete(invocation: CommandInvocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const names = listGivenCertnames(invocation)
  const isSome = given.expired || given.revoked || names.length > 0
  if (!isSome && !given.all) throwIssue(caIssues.DELETE_WHAT, {})
  if (isSome && given.all) throwIssue(caIssues.DELETE_ALL, {})
  const authority = await openCommandAuthority(invocation)
  const { cadir, ca_store: store } = loadCaSettings(invocation)
  const toPath = (name: string) =>
    store === 'cadir' ? `${getCaLayout(cadir).signed}/${name}.pem` : `ca_store: ${name}`
  let deleted = 0
  for (const name of await selectCertificates(authority, given))
    if (await deleteCertificate(authority, name, toPath(name), io)) deleted++
  let isWhole = true
  for (const name of names) {
    if (await deleteCertificate(authority, name, toPath(name), io)) deleted++
    else {
      printError(createPuppetError(caIssues.CERTIFICATE_FILE_MISSING, { path: toPath(name) }), io)
      isWhole = false
    }
  }
  io.out(`${deleted} certificate${deleted === 1 ? '' : 's'} deleted.\n`)
  return isWhole ? exitCodes.done : exitCodes.partly
}

async function deleteCertificate(
  authority: CertificateAuthority,
  name: string,
  path: string,
  io: Io,
): Promise<boolean> {
  const isDeleted = await authority.removeCertificate(name)
  if (isDeleted) io.out(`Deleting certificate at ${path}\n`)
  return isDeleted
}

interface Chosen {
  readonly all?: boolean | undefined
  readonly expired?: boolean | undefined
  readonly revoked?: boolean | undefined
}

/** Names of the selected certificates. Only `--all` selects unreadable certificates. */
async function selectCertificates(
  authority: CertificateAuthority,
  { all, expired, revoked }: Chosen,
): Promise<string[]> {
  const now = new Date(localSystem.now())
  const isSelected = ({ state, not_after: to }: CertificateStatus): boolean =>
    state !== 'requested' &&
    ((all ?? false) ||
      (revoked === true && state === 'revoked') ||
      (expired === true && to !== undefined && parseInventoryTime(to) < now))
  const names: string[] = []
  for await (const statuses of authority.statusSlices())
    for (const status of statuses) if (isSelected(status)) names.push(status.name)
  return names
}
