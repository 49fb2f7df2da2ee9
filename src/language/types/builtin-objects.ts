import { Hash } from '../values/hash.ts'
import { Regexp } from '../values/regexp.ts'
import type { Value } from '../values/value.ts'
import * as make from './make.ts'
import { objectType } from './make-object.ts'
import type { ObjectType, Type } from './type.ts'
import { DATA } from './well-known.ts'

const hash = (record: Readonly<Record<string, Value>>): Hash => Hash.from(record)
/** An attribute that undef stands in for. */
const optional = (type: Type): Hash => hash({ type: make.optionalType(type), value: undefined })

/** What the parameters of `Error[kind, issue_code]` may be. */
const matcher = make.variantType([
  make.STRING,
  make.REGEXP,
  make.typeType(make.ENUM),
  make.typeType(make.PATTERN),
  make.typeType(make.NOT_UNDEF),
  make.typeType(make.UNDEF),
])

/** `Error`, as functions and plans give it (Puppet: datatypes/error.rb). */
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

/** `Deferred`: a call that the agent makes (Puppet: pops/pcore.rb). */
export const DEFERRED: ObjectType = objectType(
  hash({
    name: 'Deferred',
    attributes: hash({
      name: make.patternType([new Regexp('\\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\\z')]),
      arguments: optional(make.ARRAY),
    }),
  }),
)

/** `Puppet::LookupContext`: what a data function of Hiera gets (Puppet: pops/lookup/context.rb). */
export const LOOKUP_CONTEXT: ObjectType = objectType(
  hash({
    name: 'Puppet::LookupContext',
    attributes: hash({
      environment_name: make.NON_EMPTY_STRING,
      module_name: make.variantType([make.NON_EMPTY_STRING, make.UNDEF]),
    }),
  }),
)
