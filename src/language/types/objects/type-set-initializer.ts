import type { StructElement, Type } from '../../values/type.ts'
import * as make from '../constructors.ts'
import { ANNOTATION } from '../standard-types.ts'
import { URI_TEXT } from '../uri-pattern.ts'
import { OBJECT_INITIALIZER, QUALIFIED_NAME, SIMPLE_NAME } from './object-initializer.ts'

const createRequiredKey = (name: string, value: Type): StructElement => ({ name, optional: false, value })
const createOptionalKey = (name: string, value: Type): StructElement => ({ name, optional: true, value })

const version = make.createVariantType([make.NON_EMPTY_STRING, make.SEMVER])
const versionRange = make.createVariantType([make.NON_EMPTY_STRING, make.SEMVER_RANGE])
const some = make.createSizeBounds(1)

const annotations = createOptionalKey('annotations', make.createHashType(make.createTypeType(ANNOTATION), make.HASH))

const reference = make.createStructType([
  createRequiredKey('name', QUALIFIED_NAME),
  createRequiredKey('version_range', versionRange),
  createOptionalKey('name_authority', URI_TEXT),
  annotations,
])

/** Type of the hash in `TypeSet[…]`. Puppet: p_type_set_type.rb, TYPE_TYPESET_I12N. */
export const TYPE_SET_INITIALIZER: Type = make.createStructType([
  createOptionalKey('pcore_uri', URI_TEXT),
  createRequiredKey('pcore_version', version),
  createOptionalKey('name_authority', URI_TEXT),
  createOptionalKey('name', QUALIFIED_NAME),
  createOptionalKey('version', version),
  createOptionalKey(
    'types',
    make.createHashType(SIMPLE_NAME, make.createVariantType([make.TYPE, OBJECT_INITIALIZER]), some),
  ),
  createOptionalKey('references', make.createHashType(SIMPLE_NAME, reference, some)),
  annotations,
])
