import { errorOf, fail, isIssue } from '../../base/issue.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import { conflicts } from '../../ca/issues.ts'
import type { Command, Invocation } from '../command/command.ts'
import { authorityOf, certname, certnames, exitCodes, forEach, isForAll, required } from './asked.ts'
import { issues } from './issues.ts'

const revokeOptions = [certname] as const

const cleanOptions = [
  { flags: '--requested', doc: 'Remove all pending requests, and no certificates.' },
  certname,
] as const

const statuses =
  'Exits with 1 if a name has neither a request nor a certificate, or with 24 if a name has only a pending request.'

/** `plumb ca revoke` */
export const revoke: Command = {
  name: 'revoke',
  summary: 'Revoke certificates.',
  description: statuses,
  usage: certnames,
  options: revokeOptions,
  run: revokeNamed,
}

/** `plumb ca clean` */
export const clean: Command = {
  name: 'clean',
  summary: 'Revoke certificates, and remove them and their requests.',
  description: statuses,
  usage: certnames,
  options: cleanOptions,
  run: cleanNamed,
}

async function revokeNamed(invocation: Invocation<typeof revokeOptions>): Promise<number> {
  const authority = await authorityOf(invocation)
  const act = (name: string) => revokeOne(authority, name)
  return forEach(required(invocation, 'revoke'), invocation.io, act, { REVOKED_REQUEST: issues.REVOKED_REQUEST })
}

async function revokeOne(authority: CertificateAuthority, name: string): Promise<string> {
  try {
    await authority.revoke(name)
  } catch (error) {
    if (!isIssue(error, conflicts.NO_SIGNED_CERT)) throw error
    const waits = (await authority.request(name)) !== undefined
    throw errorOf(waits ? issues.REVOKED_REQUEST : issues.CERTNAME_WITHOUT_CERTIFICATE, { name })
  }
  return `Certificate for ${name} has been revoked`
}

async function cleanNamed(invocation: Invocation<typeof cleanOptions>): Promise<number> {
  const { options, io } = invocation
  const authority = await authorityOf(invocation)
  if (isForAll(options.requested, '--requested', invocation)) {
    const names = (await authority.waiting()).map(({ name }) => name)
    return forEach(names, io, async (name) => {
      await authority.removeRequest(name)
      return cleaned(name)
    })
  }
  let isPart = false
  const status = await forEach(required(invocation, 'clean'), io, async (name) => {
    const found = await authority.status(name)
    if (found === undefined) fail(issues.CERTNAME_UNKNOWN, { name })
    const missing = await authority.clean([name])
    isPart ||= missing.length > 0
    return missing.length > 0 ? cleaned(name) : `Certificate for ${name} has been revoked\n${cleaned(name)}`
  })
  return status === exitCodes.done && isPart ? exitCodes.partly : status
}

function cleaned(name: string): string {
  return `Cleaned files related to ${name}`
}
