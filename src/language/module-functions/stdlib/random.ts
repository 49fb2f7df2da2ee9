import { createHash } from 'node:crypto'
import { encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { findVariable } from '../../evaluator/variable-lookup.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { fqdnRand } from '../../functions/fqdn-rand.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { normalizeInteger } from '../../ruby-semantics/numbers/integer.ts'
import { MersenneTwister } from '../../ruby-semantics/random/mersenne-twister.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import type { Value } from '../../values/value.ts'
import { isIntegerText } from './checks.ts'
import { failWrongCount } from './issues.ts'
import { failNoMethod, failNotString, toInteger } from './ruby.ts'

/** `fqdn_rotate`: rotates by a random number, seeded by the legacy fact `fqdn` and further arguments. */
export const fqdnRotate = defineLegacyFunction(
  'fqdn_rotate',
  'Rotates an array or a string by a number that is stable for the node.',
  -1,
  (args, context) => {
    if (args.length === 0) return failWrongCount('fqdn_rotate', 0, '1')
    const [value, ...seeds] = args
    if (!Array.isArray(value) && typeof value !== 'string')
      return throwArgumentError('fqdn_rotate(): Requires either array or string to work with')
    const fqdn = findVariable('::fqdn', context)?.value
    return typeof value === 'string'
      ? rotateElements([...value], fqdn, seeds).join('')
      : rotateElements(value, fqdn, seeds)
  },
)

/** `stdlib::fqdn_rotate`: rotates by a random number, seeded by `networking.fqdn` and further arguments. */
export const stdlibFqdnRotate = defineFunction('stdlib::fqdn_rotate', 'As `fqdn_rotate`.', {
  'String $input, Variant[Integer, String] *$seeds >> String': (
    text: string,
    seeds: readonly Value[],
    context: CallContext,
  ) => rotateElements([...text], getFqdn(context), seeds).join(''),
  'Array $input, Variant[Integer, String] *$seeds >> Array': (
    items: readonly Value[],
    seeds: readonly Value[],
    context: CallContext,
  ) => rotateElements(items, getFqdn(context), seeds),
})

function getFqdn({ scope }: CallContext): Value {
  const facts = scope.get('facts')
  const networking = facts instanceof Hash ? facts.get('networking') : undefined
  return networking instanceof Hash ? networking.get('fqdn') : failNoMethod('[]', networking)
}

function rotateElements(items: readonly Value[], fqdn: Value, seeds: readonly Value[]): readonly Value[] {
  if (items.length <= 1) return items
  const seed = `${formatAsString(fqdn)}:${joinElements(seeds)}`
  const offset = Number(createSeededNumber(items.length, seed))
  return [...items.slice(offset), ...items.slice(0, offset)]
}

/** Ruby's `Array#join`: a nested empty array gives an empty string. */
function joinElements(items: readonly Value[]): string {
  return items.map((item) => (Array.isArray(item) ? joinElements(item) : formatAsString(item))).join(':')
}

/** Returns a number below a limit, seeded by the MD5 of a text. */
function createSeededNumber(limit: number | bigint, seed: string): number | bigint {
  const digest = createHash('md5').update(encodeLosslessUtf8(seed)).digest('hex')
  return normalizeInteger(new MersenneTwister(BigInt(`0x${digest}`)).below(BigInt(limit)))
}

/** `seeded_rand`: Ruby's `Random`, seeded by the MD5 of the seed; the limit can be a string of digits. */
export const seededRand = defineLegacyFunction(
  'seeded_rand',
  'Returns a pseudo-random number below a limit, determined by a seed.',
  2,
  ([limit, seed]) => {
    if (!isIntegerText(limit) || toInteger(limit) <= 0)
      return throwArgumentError('seeded_rand(): first argument must be a positive integer')
    if (typeof seed !== 'string') return throwArgumentError('seeded_rand(): second argument must be a string')
    return createSeededNumber(toInteger(limit), seed)
  },
)

/** `stdlib::seeded_rand`: Ruby's `Random`, seeded by the MD5 of the seed. */
export const stdlibSeededRand = defineFunction(
  'stdlib::seeded_rand',
  'Returns a pseudo-random number below a limit, determined by a seed.',
  {
    'Integer[1] $max, String $seed': createSeededNumber,
  },
)

/**
 * `seeded_rand_string` and `stdlib::seeded_rand_string`: choose characters, by default from 62, by the SHA-256 of the
 * seed.
 */
export const seededRandString = ['seeded_rand_string', 'stdlib::seeded_rand_string'].map((name) =>
  defineFunction(name, 'Returns a string of pseudo-random characters, determined by a seed.', {
    'Integer[1] $length, String $seed, String[2] $charset?': (
      length: number,
      seed: string,
      charset = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    ) => {
      const characters = [...charset]
      const digest = createHash('sha256').update(encodeLosslessUtf8(seed)).digest('hex')
      const random = new MersenneTwister(BigInt(`0x${digest}`))
      const drawCharacter = (): string => characters[Number(random.below(BigInt(characters.length)))]!
      return Array.from({ length }, drawCharacter).join('')
    },
  }),
)

const alphanumeric = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

/** `fqdn_rand_string`: chooses each character with `fqdn_rand`, by default from 62 characters. */
export const fqdnRandString = defineLegacyFunction(
  'fqdn_rand_string',
  'Returns a string of pseudo-random characters that is stable for the node.',
  -2,
  ([length, charset, ...seeds], context) => {
    if (!isIntegerText(length) || toInteger(length) <= 0)
      return throwArgumentError('fqdn_rand_string(): first argument must be a positive integer')
    if (charset !== undefined && typeof charset !== 'string')
      return throwArgumentError('fqdn_rand_string(): second argument must be undef or a string')
    return createRandomText(Number(toInteger(length)), charset, seeds, context)
  },
)

/** `stdlib::fqdn_rand_string`: chooses each character with `fqdn_rand`, by default from 62 characters. */
export const stdlibFqdnRandString = defineFunction('stdlib::fqdn_rand_string', 'As `fqdn_rand_string`.', {
  'Integer[1] $length, Optional[String] $charset?, Any *$seed': (
    length: number,
    charset: string | undefined,
    seeds: readonly Value[],
    context: CallContext,
  ) => createRandomText(length, charset, seeds, context),
})

function createRandomText(
  length: number,
  charset: string | undefined,
  seeds: readonly Value[],
  context: CallContext,
): string {
  const characters = charset ? [...charset] : alphanumeric
  const seed = flattenArrays(seeds).map(formatAsString)
  const drawCharacter = (_: unknown, index: number): string =>
    characters[Number(fqdnRand.call(context, [characters.length, [...seed, String(index + 1)].join(':')]))]!
  return Array.from({ length }, drawCharacter).join('')
}

/** RFC 4122 namespace for DNS names. */
const dnsNamespace = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex')

/** `fqdn_uuid`: returns a UUID for a name in RFC 4122's DNS namespace; does not use facts. */
export const fqdnUuid = defineLegacyFunction(
  'fqdn_uuid',
  'Returns the version 5 UUID (RFC 4122) of a name.',
  -1,
  (args) => {
    if (args.length === 0) return throwArgumentError('fqdn_uuid: No arguments given')
    if (args.length > 1) return throwArgumentError(`fqdn_uuid: Too many arguments given (${args.length})`)
    const [name] = args
    if (typeof name !== 'string') return failNotString(name)
    const bytes = createHash('sha1').update(dnsNamespace).update(encodeLosslessUtf8(name)).digest().subarray(0, 16)
    bytes[6] = (bytes[6]! & 0x0f) | 0x50
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
)
