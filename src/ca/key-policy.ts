import type { KeyObject } from 'node:crypto'
import { budgets } from '../base/budgets/budgets.ts'
import { throwIssue } from '../base/issue.ts'
import { requestRefusals } from './issues.ts'
import { getKeyStrength } from './x509/keys.ts'

/** Elliptic curves of agent keys, by OpenSSL name: P-256, P-384, P-521. */
const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/**
 * Smallest and largest RSA public exponent: secure with any padding, fast to verify, and supported by OpenSSL. NIST SP
 * 800-56B.
 */
const exponents = { least: 65_537n, most: 2n ** 64n } as const

/**
 * Throws WEAK_KEY if the CA must not certify the key. Only RSA and EC keys are accepted, since agents and their tools
 * support no others. `least` is the minimum size of RSA keys in bits.
 */
export function checkKeyStrength(name: string, key: KeyObject, least: number = budgets.authority.keyBits.bound): void {
  const strength = getKeyStrength(key)
  const throwWeakKey = (what: string, wanted: string): never =>
    throwIssue(requestRefusals.WEAK_KEY, { name, what, wanted })
  if (strength.type === 'other') throwWeakKey(`of type ${strength.name}`, 'an RSA or EC key')
  if (strength.type === 'ec' && !curves.has(strength.curve ?? ''))
    throwWeakKey(`on ${strength.curve ?? 'an unnamed curve'}`, `on one of these curves: ${[...curves].join(', ')}`)
  if (strength.type !== 'rsa') return
  const { bits, exponent } = strength
  const most = budgets.authority.longestKeyBits.bound
  if (bits < least) throwWeakKey(`${bits} bits`, `at least ${least} bits`)
  if (bits > most) throwWeakKey(`${bits} bits`, `at most ${most} bits`)
  if (exponent < exponents.least || exponent > exponents.most || exponent % 2n === 0n)
    throwWeakKey('an RSA key with an unusual public exponent', 'a key with the exponent 65537')
}
