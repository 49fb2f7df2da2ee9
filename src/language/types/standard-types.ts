import { Hash } from '../values/hash.ts'
import { SemVer } from '../values/semver.ts'
import type { ObjectType, Type, TypeSetType } from '../values/type.ts'
import * as make from './constructors.ts'

/** `Data`: values that JSON can represent. */
export const DATA: Type = make.createTypeAliasType('Data', () =>
  make.createVariantType([
    make.SCALAR_DATA,
    make.UNDEF,
    make.createHashType(make.STRING, DATA),
    make.createArrayType(DATA),
  ]),
)

/** `RichDataKey`: valid hash keys of rich data. */
export const RICH_DATA_KEY: Type = make.createTypeAliasType('RichDataKey', () =>
  make.createVariantType([make.STRING, make.NUMERIC]),
)

/** `RichData`: values that a catalog can contain. */
export const RICH_DATA: Type = make.createTypeAliasType('RichData', () =>
  make.createVariantType([
    make.SCALAR,
    make.SEMVER_RANGE,
    make.BINARY,
    make.SENSITIVE,
    make.TYPE,
    TYPE_SET,
    make.URI,
    OBJECT,
    make.UNDEF,
    make.DEFAULT_TYPE,
    make.createHashType(RICH_DATA_KEY, RICH_DATA),
    make.createArrayType(RICH_DATA),
  ]),
)

/** The bare `Object`: any instance of any Object type. */
export const OBJECT: ObjectType = Object.freeze({
  kind: 'Object',
  name: undefined,
  parent: undefined,
  attributes: new Map(),
  functions: new Map(),
  equality: undefined,
  equalityIncludeType: true,
  checks: undefined,
  annotations: undefined,
  typeParameters: new Map(),
  parameters: undefined,
  initHash: undefined,
})

/** `Annotation`: the parent of annotation types. Puppet: pops/types/annotation.rb. */
export const ANNOTATION: ObjectType = Object.freeze({
  ...OBJECT,
  name: 'Annotation',
  initHash: Hash.from({ name: 'Annotation' }),
})

/** Name authority of types defined in Puppet code. */
export const RUNTIME_NAME_AUTHORITY = 'http://puppet.com/2016.1/runtime'

/** The bare `TypeSet`: every type set. */
export const TYPE_SET: TypeSetType = Object.freeze({
  kind: 'TypeSet',
  name: 'DefaultTypeSet',
  nameAuthority: RUNTIME_NAME_AUTHORITY,
  version: SemVer.parse('0.0.0'),
  types: new Map(),
  references: new Map(),
  initHash: Hash.from({
    pcore_uri: 'http://puppet.com/2016.1/pcore',
    pcore_version: '1.0.0',
    name_authority: RUNTIME_NAME_AUTHORITY,
    name: 'DefaultTypeSet',
    version: '0.0.0',
  }),
})
