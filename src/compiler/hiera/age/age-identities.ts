import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { decodeBech32 } from './bech32.ts'
import { ageIssues } from './issues.ts'

/** An X25519 identity: the private key to which age files are encrypted. */
export interface AgeIdentity {
  readonly privateKey: KeyObject
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer
}

/** The start of an X25519 private key in PKCS #8, and of a public key in SPKI; the 32 bytes of the key follow. */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex')

/**
 * Parses a file of identities as `age-keygen` writes them: one in each line; empty lines and lines that begin with `#`
 * are ignored. Throws AGE_IDENTITY.
 */
export function parseAgeIdentities(text: string): readonly AgeIdentity[] {
  const identities: AgeIdentity[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue
    const failLine = (why: string): never => throwIssue(ageIssues.AGE_IDENTITY, { line: index + 1, why })
    if (identities.length >= budgets.secret.ageIdentities.bound)
      failLine(`the file has more than ${budgets.secret.ageIdentities.bound} identities`)
    identities.push(parseIdentity(line, failLine))
  }
  return identities
}

function parseIdentity(line: string, failLine: (why: string) => never): AgeIdentity {
  const kind = unsupported.find(([start]) => line.startsWith(start))?.[1]
  if (kind !== undefined) return failLine(`${kind} are not supported`)
  const decoded = /^AGE-SECRET-KEY-1/.test(line) ? decodeBech32(line) : undefined
  if (decoded?.prefix !== 'age-secret-key-' || decoded.bytes.length !== 32) return failLine('it is malformed')
  const der = Buffer.concat([privatePrefix, decoded.bytes])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: spki.subarray(publicPrefix.length) }
}

/** Identities that other programs accept. */
const unsupported = [
  ['AGE-SECRET-KEY-PQ-', 'post-quantum identities'],
  ['AGE-PLUGIN-', 'identities of plug-ins'],
  ['-----BEGIN AGE ENCRYPTED FILE-----', 'identities with a passphrase'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----', 'SSH keys'],
  ['-----BEGIN ', 'PEM keys'],
] as const

/** Creates a public key from its 32 bytes. */
export function createX25519Key(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' })
}
