import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { secretIssues } from './issues.ts'

/** The status lines of gpg (`--status-fd`), as words without the prefix. GnuPG: doc/DETAILS. */
export type GpgStatus = readonly (readonly string[])[]

/** Parses the output of gpg on its status descriptor; ignores other lines. */
export function parseGpgStatus(text: string): GpgStatus {
  const prefix = '[GNUPG:] '
  return text
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length).trimEnd().split(' '))
}

/**
 * Returns true if gpg decrypted a message and verified its integrity. The exit status alone is not enough: gpg also
 * accepts a message that is not encrypted.
 */
export function isDecrypted(status: GpgStatus, exit: number | null): boolean {
  return exit === 0 && hasKeyword(status, 'DECRYPTION_OKAY') && !hasKeyword(status, 'DECRYPTION_FAILED')
}

/** Throws the error that the status lines describe. `home` is for the message. */
export function failByStatus(status: GpgStatus, home: string): never {
  const missing = status.filter(([keyword]) => keyword === 'NO_SECKEY').map(([, key = '?']) => key)
  // `DECRYPTION_KEY` and `pkdecrypt_failed` show that gpg found a secret key.
  if (findErrorCode(status, 'pkdecrypt_failed') === noPinentry || hasKeyword(status, 'NEED_PASSPHRASE'))
    return throwIssue(secretIssues.GPG_PASSPHRASE, { home })
  if (missing.length > 0 && !hasKeyword(status, 'DECRYPTION_KEY'))
    return throwIssue(secretIssues.GPG_NO_SECRET_KEY, { home, keys: missing.slice(0, 10) })
  const why =
    reasons.find(([keyword]) => hasKeyword(status, keyword))?.[1] ?? 'the message is not encrypted, or damaged'
  return throwIssue(secretIssues.GPG_FAILED, { why })
}

/** The error code of libgpg-error for a passphrase without a program that asks for the passphrase. */
const noPinentry = 85

const reasons: readonly (readonly [keyword: string, why: string])[] = [
  ['NODATA', 'it is not an OpenPGP message'],
  ['NEED_PASSPHRASE_SYM', 'it is encrypted with a passphrase instead of a key'],
  ['BADMDC', 'the message was changed after its encryption'],
  ['ERRSIG', 'its signature cannot be verified'],
  ['BADSIG', 'its signature is wrong'],
  ['DECRYPTION_OKAY', `its text is damaged, or exceeds ${budgets.secret.gpgOutput.bound} bytes`],
]

function hasKeyword(status: GpgStatus, keyword: string): boolean {
  return status.some(([each]) => each === keyword)
}

/** Returns the code of an `ERROR` line, without the source of the error in its high bits. */
function findErrorCode(status: GpgStatus, location: string): number | undefined {
  const line = status.find(([keyword, where]) => keyword === 'ERROR' && where === location)
  return line && Number(line[2]) & 0xffff
}
