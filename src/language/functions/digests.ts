import { createHash } from 'node:crypto'
import { bytesFromText } from '../../base/text/byte-text.ts'
import { refuse } from '../ruby-semantics/argument-error.ts'
import type { Value } from '../values/value.ts'
import { defineLegacyFunction, getLegacyName } from './definition/legacy-function.ts'

/** `md5`: hashes the UTF-8 bytes of a string; rejects other values with Ruby's message. */
export const md5 = digestFunction('md5')
/** `sha1`: hashes the UTF-8 bytes of a string; rejects other values with Ruby's message. */
export const sha1 = digestFunction('sha1')
/** `sha256`: hashes the UTF-8 bytes of a string; rejects other values with Ruby's message. */
export const sha256 = digestFunction('sha256')

/** `digest`: uses the algorithm of the setting `digest_algorithm`, or SHA-256 if the host lacks the setting. */
export const digest = defineLegacyFunction(
  'digest',
  'Returns the hex digest of a string, by the algorithm of the setting `digest_algorithm`.',
  1,
  ([text], { host }) => {
    const algorithm = host.setting('digest_algorithm')
    return hexDigest(typeof algorithm === 'string' ? algorithm : 'sha256', text)
  },
)

function digestFunction(algorithm: string) {
  return defineLegacyFunction(algorithm, `The ${algorithm.toUpperCase()} digest of a text, in hex.`, 1, ([text]) =>
    hexDigest(algorithm, text),
  )
}

function hexDigest(algorithm: string, text: Value): string {
  if (typeof text !== 'string') {
    return refuse(`no implicit conversion of ${getLegacyName(text)} into String`)
  }
  return createHash(algorithm).update(bytesFromText(text)).digest('hex')
}
