import { throwIssue } from '../../base/issue.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { certnameOption, exitCodes, listGivenCertnames, openCommandAuthority, splitNames } from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [
  { flags: '--remove-duplicates', doc: 'Remove duplicate entries of a certificate (default).' },
  { flags: '--remove-expired', doc: 'Remove entries of certificates that have expired according to the inventory.' },
  {
    flags: '--remove-entries',
    doc: 'Remove the certificates given by --serial and --certname from the list, so that they are valid again.',
  },
  { flags: '--serial <numbers>', doc: 'Hexadecimal serial numbers, separated by commas.' },
  certnameOption,
] as const

/** The command `plumb ca prune`. */
export const prune: CliCommand = {
  name: 'prune',
  summary: 'Remove entries from the revocation list.',
  description: `Changes only the revocation list of this CA in ca_crl.pem. If no entry is removed, the file stays unchanged.

  plumb ca prune
  plumb ca prune --remove-expired
  plumb ca prune --remove-entries --serial 0x001F --certname web1.example.com`,
  options,
  run: pruneRevocationLists,
}

async function pruneRevocationLists(invocation: CommandInvocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const serials = given.serial === undefined ? [] : splitNames(given.serial).map(parseSerial)
  const names = listGivenCertnames(invocation)
  if (given.removeEntries && serials.length + names.length === 0) throwIssue(caIssues.PRUNE_WHAT, {})
  const isPlain = !given.removeEntries && !given.removeExpired
  const authority = await openCommandAuthority(invocation)
  const { total, duplicates, entries } = await authority.pruneRevocationList({
    duplicates: isPlain || given.removeDuplicates === true,
    expired: given.removeExpired === true,
    ...(given.removeEntries && { serials, names }),
  })
  io.out(`Total number of certificates found in Puppet's CRL is: ${total}.\n`)
  if (duplicates > 0) io.out(`Removed ${duplicates} duplicated certs from Puppet's CRL.\n`)
  if (entries > 0) io.out(`Removed ${entries} certs from Puppet's CRL.\n`)
  const nothing = isPlain
    ? 'No duplicate revocations found in the CRL.'
    : 'No matching revocations found in the CRL for pruning'
  if (duplicates + entries === 0) io.out(`${nothing}\n`)
  return exitCodes.done
}

function parseSerial(text: string): bigint {
  const [, digits] = /^(?:0x)?([0-9a-f]{1,64})$/i.exec(text) ?? []
  return digits === undefined ? throwIssue(caIssues.SERIAL, { text }) : BigInt(`0x${digits}`)
}
