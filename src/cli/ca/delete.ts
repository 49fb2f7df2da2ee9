import { errorOf, fail } from '../../base/issue.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { inventoryTime } from '../../ca/inventory.ts'
import { caLayout } from '../../ca/layout.ts'
import type { CertificateStatus } from '../../ca/status.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Command, Invocation, Io } from '../command/command.ts'
import { sayError } from '../command/say.ts'
import { authorityOf, certname, exitCodes, namesGiven, settingsOf } from './asked.ts'
import { issues } from './issues.ts'

const options = [
  { flags: '--expired', doc: 'Delete expired certificates.' },
  { flags: '--revoked', doc: 'Delete revoked certificates.' },
  certname,
  { flags: '--all', doc: 'Delete all certificates.' },
] as const

/** `plumb ca delete` */
export const deleting: Command = {
  name: 'delete',
  summary: 'Delete signed certificates from disk without revoking them.',
  description: `A certificate need not stay on the CA after its node has received it: it remains valid, and the inventory allows it to
be revoked by name. Exits with 24 if one of the names has no certificate.

  plumb ca delete --expired --revoked`,
  options,
  run,
}

async function run(invocation: Invocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const names = namesGiven(invocation)
  const isSome = given.expired || given.revoked || names.length > 0
  if (!isSome && !given.all) fail(issues.DELETE_WHAT, {})
  if (isSome && given.all) fail(issues.DELETE_ALL, {})
  const authority = await authorityOf(invocation)
  const directory = caLayout(settingsOf(invocation).cadir).signed
  const path = (name: string) => `${directory}/${name}.pem`
  let deleted = 0
  for (const name of await chosen(authority, given)) if (await deleteOne(authority, name, path(name), io)) deleted++
  let isWhole = true
  for (const name of names) {
    if (await deleteOne(authority, name, path(name), io)) deleted++
    else {
      sayError(errorOf(issues.CERTIFICATE_FILE_MISSING, { path: path(name) }), io)
      isWhole = false
    }
  }
  io.out(`${deleted} certificate${deleted === 1 ? '' : 's'} deleted.\n`)
  return isWhole ? exitCodes.done : exitCodes.partly
}

async function deleteOne(authority: CertificateAuthority, name: string, path: string, io: Io): Promise<boolean> {
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
async function chosen(authority: CertificateAuthority, { all, expired, revoked }: Chosen): Promise<string[]> {
  const now = new Date(localSystem.now())
  const isMeant = ({ state, not_after: to }: CertificateStatus): boolean =>
    state !== 'requested' &&
    ((all ?? false) ||
      (revoked === true && state === 'revoked') ||
      (expired === true && to !== undefined && inventoryTime(to) < now))
  const names: string[] = []
  for await (const statuses of authority.statusSlices())
    for (const status of statuses) if (isMeant(status)) names.push(status.name)
  return names
}
