import { createHash } from 'node:crypto'
import { bytesFromText } from '../../../base/text/byte-text.ts'
import { findVariable } from '../../evaluator/find-variable.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import { fqdnRand } from '../../functions/fqdn-rand.ts'
import type { CallContext } from '../../host.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'
import { normalizeInteger } from '../../ruby-semantics/numbers/integer.ts'
import { MersenneTwister } from '../../ruby-semantics/random/mersenne-twister.ts'
import { rubyText } from '../../types/printing/ruby-text.ts'
import { flatten } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import type { Value } from '../../values/value.ts'
import { isIntegerText } from './checks.ts'
import { wrongCount } from './issues.ts'
import { noMethod, noText, toInteger } from './ruby.ts'

/** `fqdn_rotate`: rotates by a random number, seeded by the legacy fact `fqdn` and further arguments. */
export const fqdnRotate = defineLegacyFunction(
  'fqdn_rotate',
  'An array or a text, turned by a number that is the node’s own.',
  -1,
  (args, context) => {
    if (args.length === 0) return wrongCount('fqdn_rotate', 0, '1')
    const [value, ...seeds] = args
    if (!Array.isArray(value) && typeof value !== 'string')
      return refuse('fqdn_rotate(): Requires either array or string to work with')
    const fqdn = findVariable('::fqdn', context)?.value
    return typeof value === 'string' ? rotated([...value], fqdn, seeds).join('') : rotated(value, fqdn, seeds)
  },
)

/** `stdlib::fqdn_rotate`: rotates by a random number, seeded by `networking.fqdn` and further arguments. */
export const stdlibFqdnRotate = defineFunction('stdlib::fqdn_rotate', 'As `fqdn_rotate`.', {
  'String $input, Variant[Integer, String] *$seeds >> String': (
    text: string,
    seeds: readonly Value[],
    context: CallContext,
  ) => rotated([...text], getFqdn(context), seeds).join(''),
  'Array $input, Variant[Integer, String] *$seeds >> Array': (
    items: readonly Value[],
    seeds: readonly Value[],
    context: CallContext,
  ) => rotated(items, getFqdn(context), seeds),
})

function getFqdn({ scope }: CallContext): Value {
  const facts = scope.get('facts')
  const networking = facts instanceof Hash ? facts.get('networking') : undefined
  return networking instanceof Hash ? networking.get('fqdn') : noMethod('[]', networking)
}

function rotated(items: readonly Value[], fqdn: Value, seeds: readonly Value[]): readonly Value[] {
  if (items.length <= 1) return items
  const seed = `${rubyText(fqdn)}:${joined(seeds)}`
  const offset = Number(below(items.length, seed))
  return [...items.slice(offset), ...items.slice(0, offset)]
}

/** Ruby's `Array#join`: a nested empty array gives an empty string. */
function joined(items: readonly Value[]): string {
  return items.map((item) => (Array.isArray(item) ? joined(item) : rubyText(item))).join(':')
}

/** Returns a number below a limit, seeded by the MD5 of a text. */
function below(limit: number | bigint, seed: string): number | bigint {
  const digest = createHash('md5').update(bytesFromText(seed)).digest('hex')
  return normalizeInteger(new MersenneTwister(BigInt(`0x${digest}`)).below(BigInt(limit)))
}

/** `seeded_rand`: Ruby's `Random`, seeded by the MD5 of the seed; the limit can be a string of digits. */
export const seededRand = defineLegacyFunction(
  'seeded_rand',
  'A number below a limit, by a seed.',
  2,
  ([limit, seed]) => {
    if (!isIntegerText(limit) || toInteger(limit) <= 0)
      return refuse('seeded_rand(): first argument must be a positive integer')
    if (typeof seed !== 'string') return refuse('seeded_rand(): second argument must be a string')
    return below(toInteger(limit), seed)
  },
)

/** `stdlib::seeded_rand`: Ruby's `Random`, seeded by the MD5 of the seed. */
export const stdlibSeededRand = defineFunction('stdlib::seeded_rand', 'A number below a limit, by a seed.', {
  'Integer[1] $max, String $seed': below,
})

/**
 * `seeded_rand_string` and `stdlib::seeded_rand_string`: choose characters, by default from 62, by the SHA-256 of the
 * seed.
 */
export const seededRandString = ['seeded_rand_string', 'stdlib::seeded_rand_string'].map((name) =>
  defineFunction(name, 'A text of random characters, by a seed.', {
    'Integer[1] $length, String $seed, String[2] $charset?': (
      length: number,
      seed: string,
      charset = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    ) => {
      const characters = [...charset]
      const digest = createHash('sha256').update(bytesFromText(seed)).digest('hex')
      const random = new MersenneTwister(BigInt(`0x${digest}`))
      const one = (): string => characters[Number(random.below(BigInt(characters.length)))]!
      return Array.from({ length }, one).join('')
    },
  }),
)

const alphanumeric = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

/** `fqdn_rand_string`: chooses each character with `fqdn_rand`, by default from 62 characters. */
export const fqdnRandString = defineLegacyFunction(
  'fqdn_rand_string',
  'A text of random characters that is the node’s own.',
  -2,
  ([length, charset, ...seeds], context) => {
    if (!isIntegerText(length) || toInteger(length) <= 0)
      return refuse('fqdn_rand_string(): first argument must be a positive integer')
    if (charset !== undefined && typeof charset !== 'string')
      return refuse('fqdn_rand_string(): second argument must be undef or a string')
    return randomText(Number(toInteger(length)), charset, seeds, context)
  },
)

/** `stdlib::fqdn_rand_string`: chooses each character with `fqdn_rand`, by default from 62 characters. */
export const stdlibFqdnRandString = defineFunction('stdlib::fqdn_rand_string', 'As `fqdn_rand_string`.', {
  'Integer[1] $length, Optional[String] $charset?, Any *$seed': (
    length: number,
    charset: string | undefined,
    seeds: readonly Value[],
    context: CallContext,
  ) => randomText(length, charset, seeds, context),
})

function randomText(
  length: number,
  charset: string | undefined,
  seeds: readonly Value[],
  context: CallContext,
): string {
  const characters = charset ? [...charset] : alphanumeric
  const seed = flatten(seeds).map(rubyText)
  const one = (_: unknown, index: number): string =>
    characters[Number(fqdnRand.call(context, [characters.length, [...seed, String(index + 1)].join(':')]))]!
  return Array.from({ length }, one).join('')
}

/** RFC 4122 namespace for DNS names. */
const dnsNamespace = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex')

/** `fqdn_uuid`: returns a UUID for a name in RFC 4122's DNS namespace; does not use facts. */
export const fqdnUuid = defineLegacyFunction('fqdn_uuid', 'The UUID of a name, by RFC 4122 version 5.', -1, (args) => {
  if (args.length === 0) return refuse('fqdn_uuid: No arguments given')
  if (args.length > 1) return refuse(`fqdn_uuid: Too many arguments given (${args.length})`)
  const [name] = args
  if (typeof name !== 'string') return noText(name)
  const bytes = createHash('sha1').update(dnsNamespace).update(bytesFromText(name)).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
})
