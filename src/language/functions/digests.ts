import { createHash } from 'node:crypto'
import { encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import type { Value } from '../values/value.ts'
import { defineLegacyFunction, getLegacyName } from './definition/legacy-function.ts'

/** `md5`: hashes the UTF-8 bytes of a string; rejects other values with Ruby's message. */
export const md5 = defineDigest('md5')
/** `sha1`: hashes the UTF-8 bytes of a string; rejects other values with Ruby's message. */
export const sha1 = defineDigest('sha1')
/** `sha256`: hashes the UTF-8 bytes of a string; rejects other values with Ruby's message. */
export const sha256 = defineDigest('sha256')

/** `digest`: uses the algorithm of the setting `digest_algorithm`, or SHA-256 if the host lacks the setting. */
export const digest = defineLegacyFunction(
  'digest',
  'Returns the hex digest of a string, by the algorithm of the setting `digest_algorithm`.',
  1,
  ([text], { host }) => {
    const algorithm = host.setting('digest_algorithm')
    return computeHexDigest(typeof algorithm === 'string' ? algorithm : 'sha256', text)
  },
)

function defineDigest(algorithm: string) {
  return defineLegacyFunction(
    algorithm,
    `Returns the ${algorithm.toUpperCase()} digest of a string, in hex.`,
    1,
    ([text]) => computeHexDigest(algorithm, text),
  )
}

function computeHexDigest(algorithm: string, text: Value): string {
  if (typeof text !== 'string') {
    return throwArgumentError(`no implicit conversion of ${getLegacyName(text)} into String`)
  }
  return createHash(algorithm).update(encodeLosslessUtf8(text)).digest('hex')
}
