import { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import type { ObjectType, Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../make.ts'
import { ANNOTATION, DATA } from '../well-known.ts'
import { namedObjectType, objectType } from './make-object.ts'

const hash = (record: Readonly<Record<string, Value>>): Hash => Hash.from(record)
/** Describes an attribute whose default value is undef. */
const optional = (type: Type): Hash => hash({ type: make.optionalType(type), value: undefined })

/** Type of the parameters in `Error[kind, issue_code]`. */
const matcher = make.variantType([
  make.STRING,
  make.REGEXP,
  make.typeType(make.ENUM),
  make.typeType(make.PATTERN),
  make.typeType(make.NOT_UNDEF),
  make.typeType(make.UNDEF),
])

/** `Error`, returned by functions and plans. Puppet: datatypes/error.rb. */
export const ERROR: ObjectType = objectType(
  hash({
    name: 'Error',
    type_parameters: hash({ kind: matcher, issue_code: matcher }),
    attributes: hash({
      msg: make.NON_EMPTY_STRING,
      kind: optional(make.NON_EMPTY_STRING),
      details: optional(make.hashType(make.NON_EMPTY_STRING, DATA)),
      issue_code: optional(make.NON_EMPTY_STRING),
    }),
    functions: hash({
      message: make.callableType(make.tupleType([], make.sizeBounds(0, 0)), undefined, make.NON_EMPTY_STRING),
    }),
  }),
)

/** `Deferred`: a function call that the agent evaluates. Puppet: pops/pcore.rb. */
export const DEFERRED: ObjectType = objectType(
  hash({
    name: 'Deferred',
    attributes: hash({
      name: make.patternType([new Regexp('\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z')]),
      arguments: optional(make.ARRAY),
    }),
  }),
)

/** Describes an attribute with a default. */
const or = (type: Type, value: Value): Hash => hash({ type, value })
const optionalScalar = make.optionalType(make.SCALAR)

/** A Callable with exactly the given parameters. */
function taking(types: readonly Type[], returns?: Type, block?: Type): Type {
  const count = types.length
  return make.callableType(make.tupleType(types, count === 0 ? make.sizeBounds(0, 0) : undefined), block, returns)
}

const lookupFunctions = (): Hash =>
  hash({
    not_found: taking([], make.UNDEF),
    explain: taking([], make.UNDEF, taking([])),
    interpolate: make.callableType(make.tupleType([make.UNIT], make.sizeBounds(1, 1))),
    cache: taking([optionalScalar, make.ANY]),
    cache_all: taking([make.hashType(optionalScalar, make.ANY)], make.UNDEF),
    cache_has_key: taking([optionalScalar], make.BOOLEAN),
    cached_value: taking([optionalScalar]),
    cached_entries: make.variantType([
      taking([], make.UNDEF, make.callableType(make.tupleType([make.UNIT], make.sizeBounds(1, 1)))),
      taking([], make.UNDEF, make.callableType(make.tupleType([make.UNIT], make.sizeBounds(2, 2)))),
      taking([], make.iterableType(make.tupleType([optionalScalar, make.ANY]))),
    ]),
    cached_file_data: taking([make.STRING, make.optionalType(taking([make.arrayType(make.INTEGER)]))]),
  })

/** `Puppet::LookupContext`: the context argument of Hiera data functions. Puppet: pops/lookup/context.rb. */
export const LOOKUP_CONTEXT: ObjectType = namedObjectType('Puppet::LookupContext', () =>
  hash({
    parent: make.ANY,
    attributes: hash({
      environment_name: hash({ type: make.NON_EMPTY_STRING, kind: 'derived' }),
      module_name: make.variantType([make.NON_EMPTY_STRING, make.UNDEF]),
    }),
    functions: lookupFunctions(),
  }),
)

/** `RubyMethod`: marks Ruby code in a type's description. Puppet: types/ruby_method.rb. */
export const RUBY_METHOD: ObjectType = namedObjectType('RubyMethod', () =>
  hash({
    parent: ANNOTATION,
    attributes: hash({ body: make.STRING, parameters: optional(make.NON_EMPTY_STRING) }),
  }),
)

/**
 * `Puppet::Resource::Param`: a parameter in files written by `puppet generate types`. Puppet:
 * pops/resource/param.rb.
 */
export const RESOURCE_PARAMETER: ObjectType = namedObjectType('Puppet::Resource::Param', () =>
  hash({
    attributes: hash({ type: make.TYPE, name: make.NON_EMPTY_STRING, name_var: or(make.BOOLEAN, false) }),
    equality: ['name'],
  }),
)

/**
 * `Puppet::Resource::ResourceType3`: a type in files written by `puppet generate types`. Puppet:
 * pops/resource/resource_type_impl.rb.
 */
export const RESOURCE_TYPE: ObjectType = namedObjectType('Puppet::Resource::ResourceType3', () =>
  hash({
    attributes: hash({
      name: make.NON_EMPTY_STRING,
      properties: or(make.arrayType(RESOURCE_PARAMETER), []),
      parameters: or(make.arrayType(RESOURCE_PARAMETER), []),
      title_patterns_hash: optional(make.hashType(make.REGEXP, make.arrayType(make.NON_EMPTY_STRING))),
      isomorphic: or(make.BOOLEAN, true),
      capability: or(make.BOOLEAN, false),
    }),
    equality: ['name'],
  }),
)
