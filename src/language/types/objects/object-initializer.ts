import { refuse } from '../../ruby-semantics/argument-error.ts'
import { Regexp } from '../../values/regexp.ts'
import type { StructElement, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../make.ts'
import { describeMismatch } from '../mismatch/mismatch.ts'
import { ANNOTATION } from '../well-known.ts'

/**
 * Throws RUNTIME_ERROR if a value has the wrong type: `subject has wrong type, …`. Puppet:
 * type_asserter.rb.
 */
export function assertType(subject: string, type: Type, value: Value): void {
  const said = describeMismatch(`${subject} has wrong type,`, type, value)
  if (said !== '') refuse(said)
}

const required = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const optional = (name: string, value: Type): StructElement => ({ name, optional: true, value })

/** Type of the name of an attribute, function or parameter. */
export const MEMBER_NAME: Type = make.patternType([new Regexp('\\A[a-z_]\\w*\\z')])
/** Type of a name without a namespace: `Name`. */
export const SIMPLE_NAME: Type = make.patternType([new Regexp('\\A[A-Z]\\w*\\z')])
/** Type of a name with or without namespaces: `Name`, `Module::Name`. */
export const QUALIFIED_NAME: Type = make.patternType([new Regexp('\\A[A-Z][\\w]*(?:::[A-Z][\\w]*)*\\z')])

/** Element for the optional annotations of a type: hashes by annotation type. */
const ANNOTATIONS: StructElement = optional(
  'annotations',
  make.optionalType(make.hashType(make.typeType(ANNOTATION), make.hashType(MEMBER_NAME, make.ANY))),
)

const members = make.hashType(MEMBER_NAME, make.NOT_UNDEF)
const final = optional('final', make.BOOLEAN)
const override = optional('override', make.BOOLEAN)

/** Type of the hash in `Object[…]`. Puppet: p_object_type.rb, TYPE_OBJECT_I12N. */
export const OBJECT_INITIALIZER: Type = make.structType([
  optional('name', QUALIFIED_NAME),
  optional('parent', make.TYPE),
  optional('type_parameters', members),
  optional('attributes', members),
  optional('constants', make.hashType(MEMBER_NAME, make.ANY)),
  optional('functions', make.hashType(make.variantType([MEMBER_NAME, make.literalStringType('[]')]), make.NOT_UNDEF)),
  optional('equality', make.variantType([MEMBER_NAME, make.arrayType(MEMBER_NAME)])),
  optional('equality_include_type', make.BOOLEAN),
  optional('checks', make.ANY),
  ANNOTATIONS,
])

/** Type of the hash that describes an attribute. */
export const ATTRIBUTE_INITIALIZER: Type = make.structType([
  required('type', make.TYPE),
  final,
  override,
  optional('kind', make.enumType(['constant', 'derived', 'given_or_derived', 'reference'])),
  optional('value', make.ANY),
  ANNOTATIONS,
])

/** Type of a function's declared type. */
export const FUNCTION_TYPE: Type = make.typeType(make.CALLABLE)

/** Type of the hash that describes a function. */
export const FUNCTION_INITIALIZER: Type = make.structType([
  required('type', FUNCTION_TYPE),
  final,
  override,
  ANNOTATIONS,
])
