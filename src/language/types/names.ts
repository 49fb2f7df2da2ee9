import { ANNOTATION, DEFERRED, ERROR, LOOKUP_CONTEXT } from './builtin-objects.ts'
import * as make from './make.ts'
import type { Type } from './type.ts'
import * as known from './well-known.ts'

/** The types that the language has by itself, by lower-case name. */
const builtins: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['annotation', ANNOTATION],
  ['any', make.ANY],
  ['array', make.ARRAY],
  ['binary', make.BINARY],
  ['boolean', make.BOOLEAN],
  ['callable', make.CALLABLE],
  ['catalogentry', make.CATALOG_ENTRY],
  ['class', make.CLASS],
  ['collection', make.COLLECTION],
  ['data', known.DATA],
  ['default', make.DEFAULT_TYPE],
  ['deferred', DEFERRED],
  ['enum', make.ENUM],
  ['error', ERROR],
  ['float', make.FLOAT],
  ['hash', make.HASH],
  ['init', make.INIT],
  ['integer', make.INTEGER],
  ['iterable', make.ITERABLE],
  ['iterator', make.ITERATOR],
  ['notundef', make.NOT_UNDEF],
  ['numeric', make.NUMERIC],
  ['object', known.OBJECT],
  ['optional', make.OPTIONAL],
  ['pattern', make.PATTERN],
  ['puppet::lookupcontext', LOOKUP_CONTEXT],
  ['puppet::lookupkey', make.typeAliasType('Puppet::LookupKey', () => known.RICH_DATA_KEY)],
  ['puppet::lookupvalue', make.typeAliasType('Puppet::LookupValue', () => known.RICH_DATA)],
  ['regexp', make.REGEXP],
  ['resource', make.RESOURCE],
  ['richdata', known.RICH_DATA],
  ['richdatakey', known.RICH_DATA_KEY],
  ['runtime', make.RUNTIME],
  ['scalar', make.SCALAR],
  ['scalardata', make.SCALAR_DATA],
  ['semver', make.SEMVER],
  ['semverrange', make.SEMVER_RANGE],
  ['sensitive', make.SENSITIVE],
  ['string', make.STRING],
  ['struct', make.STRUCT],
  ['timespan', make.TIMESPAN],
  ['timestamp', make.TIMESTAMP],
  ['tuple', make.TUPLE],
  ['type', make.TYPE],
  ['typealias', make.typeReferenceType('UnresolvedAlias')],
  ['typereference', make.typeReferenceType('UnresolvedReference')],
  ['typeset', known.TYPE_SET],
  ['undef', make.UNDEF],
  ['uri', make.URI],
  ['variant', make.VARIANT],
])

/** A type of the language by its name, in any case, with or without a leading `::`. */
export function builtinType(name: string): Type | undefined {
  return builtins.get(name.replace(/^::/, '').toLowerCase())
}

/** The names of all types of the language, as they are written. */
export function builtinTypeNames(): string[] {
  return [...builtins.values()].map((type) => ('name' in type && typeof type.name === 'string' ? type.name : type.kind))
}
