import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { Regexp } from '../../values/regexp.ts'
import type { StructElement, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { describeMismatch } from '../mismatch/mismatch.ts'
import { ANNOTATION } from '../standard-types.ts'

/**
 * Throws RUNTIME_ERROR if a value has the wrong type: `subject has wrong type, …`. Puppet:
 * type_asserter.rb.
 */
export function assertValueType(subject: string, type: Type, value: Value): void {
  const said = describeMismatch(`${subject} has wrong type,`, type, value)
  if (said !== '') throwArgumentError(said)
}

const createRequiredKey = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const createOptionalKey = (name: string, value: Type): StructElement => ({ name, optional: true, value })

/** Type of the name of an attribute, function or parameter. */
export const MEMBER_NAME: Type = make.createPatternType([new Regexp('\\A[a-z_]\\w*\\z')])
/** Type of a name without a namespace: `Name`. */
export const SIMPLE_NAME: Type = make.createPatternType([new Regexp('\\A[A-Z]\\w*\\z')])
/** Type of a name with or without namespaces: `Name`, `Module::Name`. */
export const QUALIFIED_NAME: Type = make.createPatternType([new Regexp('\\A[A-Z]\\w*(?:::[A-Z]\\w*)*\\z')])

/** Element for the optional annotations of a type: hashes by annotation type. */
const ANNOTATIONS: StructElement = createOptionalKey(
  'annotations',
  make.createOptionalType(
    make.createHashType(make.createTypeType(ANNOTATION), make.createHashType(MEMBER_NAME, make.ANY)),
  ),
)

const members = make.createHashType(MEMBER_NAME, make.NOT_UNDEF)
const final = createOptionalKey('final', make.BOOLEAN)
const override = createOptionalKey('override', make.BOOLEAN)

/** Type of the hash in `Object[…]`. Puppet: p_object_type.rb, TYPE_OBJECT_I12N. */
export const OBJECT_INITIALIZER: Type = make.createStructType([
  createOptionalKey('name', QUALIFIED_NAME),
  createOptionalKey('parent', make.TYPE),
  createOptionalKey('type_parameters', members),
  createOptionalKey('attributes', members),
  createOptionalKey('constants', make.createHashType(MEMBER_NAME, make.ANY)),
  createOptionalKey(
    'functions',
    make.createHashType(make.createVariantType([MEMBER_NAME, make.createLiteralStringType('[]')]), make.NOT_UNDEF),
  ),
  createOptionalKey('equality', make.createVariantType([MEMBER_NAME, make.createArrayType(MEMBER_NAME)])),
  createOptionalKey('equality_include_type', make.BOOLEAN),
  createOptionalKey('checks', make.ANY),
  ANNOTATIONS,
])

/** Type of the hash that describes an attribute. */
export const ATTRIBUTE_INITIALIZER: Type = make.createStructType([
  createRequiredKey('type', make.TYPE),
  final,
  override,
  createOptionalKey('kind', make.createEnumType(['constant', 'derived', 'given_or_derived', 'reference'])),
  createOptionalKey('value', make.ANY),
  ANNOTATIONS,
])

/** Type of a function's declared type. */
export const FUNCTION_TYPE: Type = make.createTypeType(make.CALLABLE)

/** Type of the hash that describes a function. */
export const FUNCTION_INITIALIZER: Type = make.createStructType([
  createRequiredKey('type', FUNCTION_TYPE),
  final,
  override,
  ANNOTATIONS,
])
