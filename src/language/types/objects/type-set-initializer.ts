import type { StructElement, Type } from '../../values/type.ts'
import * as make from '../make.ts'
import { URI_TEXT } from '../uri-pattern.ts'
import { ANNOTATION } from '../well-known.ts'
import { OBJECT_INITIALIZER, QUALIFIED_NAME, SIMPLE_NAME } from './object-initializer.ts'

const required = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const optional = (name: string, value: Type): StructElement => ({ name, optional: true, value })

const version = make.variantType([make.NON_EMPTY_STRING, make.SEMVER])
const versionRange = make.variantType([make.NON_EMPTY_STRING, make.SEMVER_RANGE])
const some = make.sizeBounds(1)

const annotations = optional('annotations', make.hashType(make.typeType(ANNOTATION), make.HASH))

const reference = make.structType([
  required('name', QUALIFIED_NAME),
  required('version_range', versionRange),
  optional('name_authority', URI_TEXT),
  annotations,
])

/** Type of the hash in `TypeSet[…]`. Puppet: p_type_set_type.rb, TYPE_TYPESET_I12N. */
export const TYPE_SET_INITIALIZER: Type = make.structType([
  optional('pcore_uri', URI_TEXT),
  required('pcore_version', version),
  optional('name_authority', URI_TEXT),
  optional('name', QUALIFIED_NAME),
  optional('version', version),
  optional('types', make.hashType(SIMPLE_NAME, make.variantType([make.TYPE, OBJECT_INITIALIZER]), some)),
  optional('references', make.hashType(SIMPLE_NAME, reference, some)),
  annotations,
])
