import { createPuppetError, isIssue, throwIssue } from '../../base/issue.ts'
import { authorityConflicts } from '../../ca/issues.ts'
import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import {
  certnameArguments,
  certnameOption,
  exitCodes,
  forEachName,
  isAllSelected,
  openCommandAuthority,
  parseDuration,
  requireCertnames,
  ttlOption,
} from './ca-options.ts'
import { caIssues } from './issues.ts'

const options = [
  { flags: '--all', doc: 'Sign all pending requests.' },
  certnameOption,
  ttlOption,
  {
    flags: '--fingerprint <sha256>',
    doc: 'SHA-256 fingerprint that the certificate request must have. Requires a single certname.',
  },
] as const

/** The command `plumb ca sign`. */
export const sign: CliCommand = {
  name: 'sign',
  summary: 'Sign certificate requests.',
  description: 'Exits with 24 if --all finds no pending requests.',
  usage: certnameArguments,
  options,
  run: runCaSign,
}

async function runCaSign(invocation: CommandInvocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const authority = await openCommandAuthority(invocation)
  const waiting = isAllSelected(given.all, '--all', invocation) ? await authority.waiting() : undefined
  if (waiting?.length === 0) {
    printError(createPuppetError(caIssues.NOTHING_WAITS, {}), io)
    return exitCodes.partly
  }
  const seconds = parseDuration(given.ttl)
  const seen = new Map(waiting?.map(({ name, fingerprint }) => [name, fingerprint]))
  const names = waiting ? [...seen.keys()] : requireCertnames(invocation, 'sign')
  const compared = normalizeFingerprint(given.fingerprint, names)
  return forEachName(names, io, async (name) => {
    await authority.sign(name, { ttl: seconds, fingerprint: compared ?? seen.get(name) }).catch((error) => {
      throw isIssue(error, authorityConflicts.NO_REQUEST)
        ? createPuppetError(caIssues.CERTNAME_WITHOUT_REQUEST, { name })
        : error
    })
    return `Successfully signed certificate request for ${name}`
  })
}

/** Normalizes a fingerprint with or without colons to the form of `list`; `undefined` if none is given. */
function normalizeFingerprint(value: string | undefined, names: readonly string[]): string | undefined {
  if (value === undefined) return undefined
  const digits = value.replaceAll(':', '').toUpperCase()
  if (names.length !== 1 || !/^[0-9A-F]{64}$/.test(digits)) throwIssue(caIssues.FINGERPRINT, { text: value })
  return digits.match(/../g)!.join(':')
}
