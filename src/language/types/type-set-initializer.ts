import { Regexp } from '../values/regexp.ts'
import * as make from './make.ts'
import { ANNOTATIONS, OBJECT_INITIALIZER, QUALIFIED_NAME, SIMPLE_NAME } from './object-initializer.ts'
import type { StructElement, Type } from './type.ts'

const required = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const optional = (name: string, value: Type): StructElement => ({ name, optional: true, value })

const uri = make.patternType([new Regexp('[A-Za-z][A-Za-z0-9+.-]*:\\S')])
const version = make.variantType([make.NON_EMPTY_STRING, make.SEMVER])
const versionRange = make.variantType([make.NON_EMPTY_STRING, make.SEMVER_RANGE])
const some = make.sizeBounds(1)

const reference = make.structType([
  required('name', QUALIFIED_NAME),
  required('version_range', versionRange),
  optional('name_authority', uri),
  ANNOTATIONS,
])

/** What `TypeSet[…]` takes (Puppet: p_type_set_type.rb, TYPE_TYPESET_I12N). */
export const TYPE_SET_INITIALIZER: Type = make.structType([
  optional('pcore_uri', uri),
  required('pcore_version', version),
  optional('name_authority', uri),
  optional('name', QUALIFIED_NAME),
  optional('version', version),
  optional('types', make.hashType(SIMPLE_NAME, make.variantType([make.TYPE, OBJECT_INITIALIZER]), some)),
  optional('references', make.hashType(SIMPLE_NAME, reference, some)),
  ANNOTATIONS,
])
