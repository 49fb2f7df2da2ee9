import { errorOf, fail, isIssue } from '../../base/issue.ts'
import { conflicts } from '../../ca/issues.ts'
import type { Command, Invocation } from '../command/command.ts'
import { sayError } from '../command/say.ts'
import { authorityOf, certname, certnames, durationIn, exitCodes, forEach, isForAll, required, ttl } from './asked.ts'
import { issues } from './issues.ts'

const options = [
  { flags: '--all', doc: 'Sign all pending requests.' },
  certname,
  ttl,
  {
    flags: '--fingerprint <sha256>',
    doc: 'Sign the request of a single certname only if it has this fingerprint.',
  },
] as const

/** `plumb ca sign` */
export const sign: Command = {
  name: 'sign',
  summary: 'Sign certificate requests.',
  description: 'Exits with 24 if --all finds no pending requests.',
  usage: certnames,
  options,
  run,
}

async function run(invocation: Invocation<typeof options>): Promise<number> {
  const { options: given, io } = invocation
  const authority = await authorityOf(invocation)
  const waiting = isForAll(given.all, '--all', invocation) ? await authority.waiting() : undefined
  if (waiting?.length === 0) {
    sayError(errorOf(issues.NOTHING_WAITS, {}), io)
    return exitCodes.partly
  }
  const seconds = durationIn(given.ttl)
  const seen = new Map(waiting?.map(({ name, fingerprint }) => [name, fingerprint]))
  const names = waiting ? [...seen.keys()] : required(invocation, 'sign')
  const compared = fingerprintIn(given.fingerprint, names)
  return forEach(names, io, async (name) => {
    await authority.sign(name, { ttl: seconds, fingerprint: compared ?? seen.get(name) }).catch((error) => {
      throw isIssue(error, conflicts.NO_REQUEST) ? errorOf(issues.CERTNAME_WITHOUT_REQUEST, { name }) : error
    })
    return `Successfully signed certificate request for ${name}`
  })
}

/** Normalizes a fingerprint with or without colons to the form of `list`; `undefined` if none is given. */
function fingerprintIn(value: string | undefined, names: readonly string[]): string | undefined {
  if (value === undefined) return undefined
  const digits = value.replaceAll(':', '').toUpperCase()
  if (names.length !== 1 || !/^[0-9A-F]{64}$/.test(digits)) fail(issues.FINGERPRINT, { text: value })
  return digits.match(/../g)!.join(':')
}
