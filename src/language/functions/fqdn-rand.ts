import { createHash } from 'node:crypto'
import { encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { MersenneTwister } from '../ruby-semantics/random/mersenne-twister.ts'
import { formatAsString, inspectValue } from '../types/printing/ruby-text.ts'
import { flattenArrays } from '../values/flatten.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { isTruthy, type Value } from '../values/value.ts'
import { defineLegacyFunction } from './definition/legacy-function.ts'

/**
 * `fqdn_rand`: Ruby's `Random.new(seed).rand(limit)`, seeded by the MD5 of `fqdn:limit:seeds`;
 * equal to Puppet's numbers.
 */
export const fqdnRand = defineLegacyFunction(
  'fqdn_rand',
  'Returns a pseudo-random number from 0 to the first argument (exclusive), stable for a node and seed.',
  -2,
  ([limit, seed, downcase], { scope }) => {
    const max = toInteger(limit)
    const networking = (scope.get('facts') as Hash | undefined)?.get('networking')
    const name = networking instanceof Hash ? formatAsString(networking.get('fqdn')) : ''
    const words = [
      isTruthy(downcase) ? name.toLowerCase() : name,
      max,
      ...(Array.isArray(seed) ? flattenArrays(seed) : [seed]),
    ]
    const digest = createHash('md5')
      .update(encodeLosslessUtf8(words.map(formatAsString).join(':')))
      .digest('hex')
    if (max <= 0) return throwArgumentError(`invalid argument - ${inspectValue(max)}`)
    const random = new MersenneTwister(BigInt(`0x${digest}`)).below(BigInt(max))
    return Number.isSafeInteger(Number(random)) ? Number(random) : random
  },
)

/** Converts a value to an integer, like Ruby's `to_i`. */
function toInteger(value: Value): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Float) return Math.trunc(value.value)
  const digits = /^\s*[-+]?\d[\d_]*/.exec(typeof value === 'string' ? value : '')?.[0]
  const number = BigInt((digits ?? '0').trim().replaceAll('_', '').replace(/^\+/, ''))
  return Number.isSafeInteger(Number(number)) ? Number(number) : number
}
