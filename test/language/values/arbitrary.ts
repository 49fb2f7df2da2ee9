import { normalizeInteger } from '../../../src/language/ruby-semantics/numbers/integer.ts'
import { keywords } from '../../../src/language/syntax/lexer/token.ts'
import * as make from '../../../src/language/types/constructors.ts'
import { Binary } from '../../../src/language/values/binary.ts'
import { Float } from '../../../src/language/values/float.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { Regexp } from '../../../src/language/values/regexp.ts'
import { SemVer } from '../../../src/language/values/semver.ts'
import { Sensitive } from '../../../src/language/values/sensitive.ts'
import { Timespan, Timestamp } from '../../../src/language/values/time.ts'
import type { Type } from '../../../src/language/values/type.ts'
import { DEFAULT, type Value } from '../../../src/language/values/value.ts'
import { fc } from '../../support/properties.ts'

const size = fc
  .tuple(fc.nat(9), fc.option(fc.nat(9), { nil: undefined }))
  .map(([from, more]) => make.createSizeBounds(from, more === undefined ? undefined : from + more + 1))
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/).filter((each) => !keywords.has(each))
const regexp = fc.constantFrom('a', '^a/b$', '\\A\\d+\\z', '[[:alpha:]]+').map((source) => new Regexp(source))
const unique = { maxLength: 3, minLength: 1 } as const

/** Types of every kind that can be written. */
export const types: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Type>(make.ANY, make.UNDEF, make.SCALAR, make.NUMERIC, make.STRING, make.BINARY, make.INTEGER),
    fc.tuple(fc.integer(), fc.nat()).map(([from, more]) => make.createIntegerType(from, from + more)),
    size.map((each) => make.createStringType(each)),
    fc.array(fc.string(), unique).map((each) => make.createEnumType(each)),
    fc.array(regexp, unique).map((each) => make.createPatternType(each)),
    fc.tuple(tie('type'), size).map(([type, each]) => make.createArrayType(type, each)),
    fc.tuple(tie('type'), tie('type'), size).map(([key, value, each]) => make.createHashType(key, value, each)),
    fc.array(tie('type'), unique).map((each) => make.createTupleType(each)),
    fc.array(tie('type'), unique).map((each) => make.createVariantType(each)),
    fc
      .uniqueArray(fc.tuple(name, fc.boolean(), tie('type')), { ...unique, selector: ([key]) => key })
      .map((all) => make.createStructType(all.map(([key, optional, value]) => ({ name: key, optional, value })))),
    tie('type').map((type) => make.createOptionalType(type)),
    tie('type').map((type) => make.createNotUndefType(type)),
    tie('type').map((type) => make.createTypeType(type)),
    // A Callable at the end would be the block.
    fc
      .tuple(
        fc.array(
          size.map((each) => make.createStringType(each)),
          unique,
        ),
        tie('type'),
      )
      .map(([all, returns]) => make.createCallableType(make.createTupleType(all), undefined, returns)),
    name.map((title) => make.createClassType(title)),
  ),
})).type

const leaves: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(undefined),
  fc.constant(DEFAULT),
  fc.boolean(),
  fc.string(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(normalizeInteger),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new Float(value)),
  regexp,
  fc.uint8Array().map((bytes) => new Binary(bytes)),
  fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map((value) => new Timestamp(value)),
  // Puppet writes a fraction without its leading zeros, and so do we: 5 ms come back as 500.
  fc.integer().map((seconds) => new Timespan(BigInt(seconds) * 1_000_000_000n)),
  fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((numbers) => new SemVer(...numbers)),
)

/** Values that can travel, whole as they are. */
export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaves,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((entries) => Hash.of(entries)),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.nat().map(String)), tie('value')), { maxLength: 4 })
      .map((entries) => Hash.of(entries)),
    tie('value').map((value) => new Sensitive(value)),
  ),
})).value
