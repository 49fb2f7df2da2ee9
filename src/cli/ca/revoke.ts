import { createPuppetError, isIssue, throwIssue } from '../../base/issue.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { authorityConflicts } from '../../ca/issues.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import {
  certnameArguments,
  certnameOption,
  exitCodes,
  forEachName,
  isAllSelected,
  openCommandAuthority,
  requireCertnames,
} from './ca-options.ts'
import { caIssues } from './issues.ts'

const revokeOptions = [certnameOption] as const

const cleanOptions = [
  { flags: '--requested', doc: 'Remove all pending requests, but no certificates.' },
  certnameOption,
] as const

const statuses =
  'Exits with 1 if a name has neither a request nor a certificate, or with 24 if a name has only a pending request.'

/** The command `plumb ca revoke`. */
export const revoke: CliCommand = {
  name: 'revoke',
  summary: 'Revoke certificates.',
  description: statuses,
  usage: certnameArguments,
  options: revokeOptions,
  run: revokeNames,
}

/** The command `plumb ca clean`. */
export const cleanCommand: CliCommand = {
  name: 'clean',
  summary: 'Revoke certificates, and remove them and their requests.',
  description: statuses,
  usage: certnameArguments,
  options: cleanOptions,
  run: cleanNames,
}

async function revokeNames(invocation: CommandInvocation<typeof revokeOptions>): Promise<number> {
  const authority = await openCommandAuthority(invocation)
  const revokeFromAuthority = (name: string) => revokeName(authority, name)
  return forEachName(requireCertnames(invocation, 'revoke'), invocation.io, revokeFromAuthority, {
    REVOKED_REQUEST: caIssues.REVOKED_REQUEST,
  })
}

async function revokeName(authority: CertificateAuthority, name: string): Promise<string> {
  try {
    await authority.revoke(name)
  } catch (error) {
    if (!isIssue(error, authorityConflicts.NO_SIGNED_CERT)) throw error
    const waits = (await authority.request(name)) !== undefined
    throw createPuppetError(waits ? caIssues.REVOKED_REQUEST : caIssues.CERTNAME_WITHOUT_CERTIFICATE, { name })
  }
  return `Certificate for ${name} has been revoked`
}

async function cleanNames(invocation: CommandInvocation<typeof cleanOptions>): Promise<number> {
  const { options, io } = invocation
  const authority = await openCommandAuthority(invocation)
  if (isAllSelected(options.requested, '--requested', invocation)) {
    const names = (await authority.waiting()).map(({ name }) => name)
    return forEachName(names, io, async (name) => {
      await authority.removeRequest(name)
      return formatCleanedMessage(name)
    })
  }
  let isPart = false
  const status = await forEachName(requireCertnames(invocation, 'clean'), io, async (name) => {
    const found = await authority.status(name)
    if (found === undefined) throwIssue(caIssues.CERTNAME_UNKNOWN, { name })
    const missing = await authority.clean([name])
    isPart ||= missing.length > 0
    return missing.length > 0
      ? formatCleanedMessage(name)
      : `Certificate for ${name} has been revoked\n${formatCleanedMessage(name)}`
  })
  return status === exitCodes.done && isPart ? exitCodes.partly : status
}

function formatCleanedMessage(name: string): string {
  return `Cleaned files related to ${name}`
}
