import type { Type } from '../values/type.ts'
import { bareTypes } from './bare-types.ts'
import * as make from './constructors.ts'
import {
  DEFERRED,
  ERROR,
  LOOKUP_CONTEXT,
  RESOURCE_PARAMETER,
  RESOURCE_TYPE,
  RUBY_METHOD,
} from './objects/builtin-objects.ts'
import { MEMBER_NAME, QUALIFIED_NAME, SIMPLE_NAME } from './objects/object-initializer.ts'
import { PCORE_TYPES } from './objects/pcore-types.ts'
import * as known from './standard-types.ts'
import { URI_PATTERN, URI_TEXT } from './uri-pattern.ts'

/** Built-in types by lower-case name. */
const builtins: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...Array.from(PCORE_TYPES, ([name, type]) => [name.toLowerCase(), type] as const),
  ...bareTypes,
  ['annotation', known.ANNOTATION],
  ['deferred', DEFERRED],
  ['error', ERROR],
  ['pcore::membername', make.createTypeAliasType('Pcore::MemberName', () => MEMBER_NAME)],
  ['pcore::qref', make.createTypeAliasType('Pcore::QRef', () => QUALIFIED_NAME)],
  ['pcore::simpletypename', make.createTypeAliasType('Pcore::SimpleTypeName', () => SIMPLE_NAME)],
  ['pcore::typename', make.createTypeAliasType('Pcore::TypeName', () => QUALIFIED_NAME)],
  ['pcore::uri', make.createTypeAliasType('Pcore::URI', () => URI_TEXT)],
  ['pcore::uri_rx', make.createTypeAliasType('Pcore::URI_RX', () => make.createRegexpType(URI_PATTERN))],
  ['puppet::lookupcontext', LOOKUP_CONTEXT],
  ['puppet::resource::param', RESOURCE_PARAMETER],
  ['puppet::resource::resourcetype3', RESOURCE_TYPE],
  ['rubymethod', RUBY_METHOD],
  ['puppet::lookupkey', make.createTypeAliasType('Puppet::LookupKey', () => known.RICH_DATA_KEY)],
  ['puppet::lookupvalue', make.createTypeAliasType('Puppet::LookupValue', () => known.RICH_DATA)],
])

/** Finds a built-in type by name, case-insensitive, with or without a leading `::`. */
export function findBuiltinType(name: string): Type | undefined {
  return builtins.get(name.replace(/^::/, '').toLowerCase())
}

/** Names of all built-in types, capitalized. */
export function listBuiltinTypeNames(): string[] {
  return [...builtins.values()].map((type) => ('name' in type && typeof type.name === 'string' ? type.name : type.kind))
}
