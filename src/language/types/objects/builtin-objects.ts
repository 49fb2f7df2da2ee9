import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import type { ObjectType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { ANNOTATION, DATA } from '../standard-types.ts'
import { createNamedObjectType, createObjectType } from './make-object.ts'

const toHash = (record: Readonly<Record<string, Value>>): Hash => Hash.from(record)
/** Describes an attribute whose default value is undef. */
const describeOptional = (type: Type): Hash => toHash({ type: make.createOptionalType(type), value: undefined })

/** Type of the parameters in `Error[kind, issue_code]`. */
const matcher = make.createVariantType([
  make.STRING,
  make.REGEXP,
  make.createTypeType(make.ENUM),
  make.createTypeType(make.PATTERN),
  make.createTypeType(make.NOT_UNDEF),
  make.createTypeType(make.UNDEF),
])

/** `Error`, returned by functions and plans. Puppet: datatypes/error.rb. */
export const ERROR: ObjectType = createObjectType(
  toHash({
    name: 'Error',
    type_parameters: toHash({ kind: matcher, issue_code: matcher }),
    attributes: toHash({
      msg: make.NON_EMPTY_STRING,
      kind: describeOptional(make.NON_EMPTY_STRING),
      details: describeOptional(make.createHashType(make.NON_EMPTY_STRING, DATA)),
      issue_code: describeOptional(make.NON_EMPTY_STRING),
    }),
    functions: toHash({
      message: make.createCallableType(
        make.createTupleType([], make.createSizeBounds(0, 0)),
        undefined,
        make.NON_EMPTY_STRING,
      ),
    }),
  }),
)

/** `Deferred`: a function call that the agent evaluates. Puppet: pops/pcore.rb. */
export const DEFERRED: ObjectType = createObjectType(
  toHash({
    name: 'Deferred',
    attributes: toHash({
      name: make.createPatternType([new Regexp('\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z')]),
      arguments: describeOptional(make.ARRAY),
    }),
  }),
)

/** Describes an attribute with a default. */
const describeAttribute = (type: Type, value: Value): Hash => toHash({ type, value })
const optionalScalar = make.createOptionalType(make.SCALAR)

/** A Callable with exactly the given parameters. */
function createCallable(types: readonly Type[], returns?: Type, block?: Type): Type {
  const count = types.length
  return make.createCallableType(
    make.createTupleType(types, count === 0 ? make.createSizeBounds(0, 0) : undefined),
    block,
    returns,
  )
}

const describeLookupFunctions = (): Hash =>
  toHash({
    not_found: createCallable([], make.UNDEF),
    explain: createCallable([], make.UNDEF, createCallable([])),
    interpolate: make.createCallableType(make.createTupleType([make.UNIT], make.createSizeBounds(1, 1))),
    cache: createCallable([optionalScalar, make.ANY]),
    cache_all: createCallable([make.createHashType(optionalScalar, make.ANY)], make.UNDEF),
    cache_has_key: createCallable([optionalScalar], make.BOOLEAN),
    cached_value: createCallable([optionalScalar]),
    cached_entries: make.createVariantType([
      createCallable(
        [],
        make.UNDEF,
        make.createCallableType(make.createTupleType([make.UNIT], make.createSizeBounds(1, 1))),
      ),
      createCallable(
        [],
        make.UNDEF,
        make.createCallableType(make.createTupleType([make.UNIT], make.createSizeBounds(2, 2))),
      ),
      createCallable([], make.createIterableType(make.createTupleType([optionalScalar, make.ANY]))),
    ]),
    cached_file_data: createCallable([
      make.STRING,
      make.createOptionalType(createCallable([make.createArrayType(make.INTEGER)])),
    ]),
  })

/** `Puppet::LookupContext`: the context argument of Hiera data functions. Puppet: pops/lookup/context.rb. */
export const LOOKUP_CONTEXT: ObjectType = createNamedObjectType('Puppet::LookupContext', () =>
  toHash({
    parent: make.ANY,
    attributes: toHash({
      environment_name: toHash({ type: make.NON_EMPTY_STRING, kind: 'derived' }),
      module_name: make.createVariantType([make.NON_EMPTY_STRING, make.UNDEF]),
    }),
    functions: describeLookupFunctions(),
  }),
)

/** `RubyMethod`: marks Ruby code in a type's description. Puppet: types/ruby_method.rb. */
export const RUBY_METHOD: ObjectType = createNamedObjectType('RubyMethod', () =>
  toHash({
    parent: ANNOTATION,
    attributes: toHash({ body: make.STRING, parameters: describeOptional(make.NON_EMPTY_STRING) }),
  }),
)

/**
 * `Puppet::Resource::Param`: a parameter in files written by `puppet generate types`. Puppet:
 * pops/resource/param.rb.
 */
export const RESOURCE_PARAMETER: ObjectType = createNamedObjectType('Puppet::Resource::Param', () =>
  toHash({
    attributes: toHash({
      type: make.TYPE,
      name: make.NON_EMPTY_STRING,
      name_var: describeAttribute(make.BOOLEAN, false),
    }),
    equality: ['name'],
  }),
)

/**
 * `Puppet::Resource::ResourceType3`: a type in files written by `puppet generate types`. Puppet:
 * pops/resource/resource_type_impl.rb.
 */
export const RESOURCE_TYPE: ObjectType = createNamedObjectType('Puppet::Resource::ResourceType3', () =>
  toHash({
    attributes: toHash({
      name: make.NON_EMPTY_STRING,
      properties: describeAttribute(make.createArrayType(RESOURCE_PARAMETER), []),
      parameters: describeAttribute(make.createArrayType(RESOURCE_PARAMETER), []),
      title_patterns_hash: describeOptional(
        make.createHashType(make.REGEXP, make.createArrayType(make.NON_EMPTY_STRING)),
      ),
      isomorphic: describeAttribute(make.BOOLEAN, true),
      capability: describeAttribute(make.BOOLEAN, false),
    }),
    equality: ['name'],
  }),
)
