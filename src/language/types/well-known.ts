import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import type { Value } from '../values/value.ts'
import * as make from './make.ts'
import type { AttributeDefinition, ObjectType, Type, TypeSetType } from './type.ts'

/** `Data`: what JSON can say. */
export const DATA: Type = make.typeAliasType('Data', () =>
  make.variantType([make.SCALAR_DATA, make.UNDEF, make.hashType(make.STRING, DATA), make.arrayType(DATA)]),
)

/** `RichDataKey`: what keys of rich data may be. */
export const RICH_DATA_KEY: Type = make.typeAliasType('RichDataKey', () =>
  make.variantType([make.STRING, make.NUMERIC]),
)

/** `RichData`: what can travel in a catalog. */
export const RICH_DATA: Type = make.typeAliasType('RichData', () =>
  make.variantType([
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
    make.hashType(RICH_DATA_KEY, RICH_DATA),
    make.arrayType(RICH_DATA),
  ]),
)

/** The bare `Object`: any instance of any Object type. */
export const OBJECT: ObjectType = plainObject(undefined, undefined, [])

/** The bare `TypeSet`. */
export const TYPE_SET: TypeSetType = Object.freeze({
  kind: 'TypeSet',
  name: undefined,
  types: new Map(),
  references: new Map(),
  initHash: Hash.empty,
})

const optionalString = make.optionalType(make.NON_EMPTY_STRING)

/** `Error`, as functions and plans give it (Puppet: datatypes/error.rb). */
export const ERROR: ObjectType = plainObject('Error', undefined, [
  required('msg', make.NON_EMPTY_STRING),
  optional('kind', optionalString),
  optional('details', make.optionalType(make.hashType(make.NON_EMPTY_STRING, DATA))),
  optional('issue_code', optionalString),
])

/** `Deferred`: a call that the agent makes (Puppet: pops/pcore.rb). */
export const DEFERRED: ObjectType = plainObject('Deferred', undefined, [
  required('name', make.patternType([new Regexp('\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z')])),
  optional('arguments', make.optionalType(make.arrayType(make.ANY))),
])

function required(name: string, type: Type): AttributeDefinition {
  return { name, type, kind: undefined, override: false, final: false, hasValue: false, value: undefined }
}

function optional(name: string, type: Type, value?: Value): AttributeDefinition {
  return { ...required(name, type), hasValue: true, value }
}

function plainObject(
  name: string | undefined,
  parent: Type | undefined,
  attributes: readonly AttributeDefinition[],
): ObjectType {
  return Object.freeze({
    kind: 'Object',
    name,
    parent,
    attributes: new Map(attributes.map((attribute) => [attribute.name, attribute])),
    functions: new Map(),
    constants: new Map(),
    equality: undefined,
    equalityIncludeType: true,
    serialization: undefined,
    annotations: undefined,
    typeParameters: new Map(),
    initHash: name === undefined ? undefined : Hash.empty,
  })
}
