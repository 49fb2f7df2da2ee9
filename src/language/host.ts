import type { Diagnostic } from '../base/issue.ts'
import type { ExactJson } from '../base/json/exact-json.ts'
import type { Span } from '../base/source.ts'
import type { Observer } from './evaluator/observer.ts'
import type { Scope } from './evaluator/scope.ts'
import type { Collect, ResourceForm } from './syntax/tree/nodes.ts'
import type { Callable } from './values/callable.ts'
import type { Hash } from './values/hash.ts'
import type { Timestamp } from './values/time.ts'
import type { Type } from './values/type.ts'
import type { Value } from './values/value.ts'

/** Puppet's log levels, worst last. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'err' | 'alert' | 'emerg' | 'crit'

/** The leniency of the settings `strict` and `strict_variables`. */
export interface Strictness {
  readonly strict: 'off' | 'warning' | 'error'
  readonly strictVariables: boolean
}

/**
 * All that the language needs from outside. The compiler gives one that makes a catalog, `plumb script` and the parser
 * commands one that refuses resources, a test one made of maps. Everything here is synchronous.
 */
export interface Host extends Strictness {
  /** A function by its full name (`lookup`, `stdlib::ensure`), loaded when needed; built-ins come through here too. */
  findFunction(name: string, from: Scope): Callable | undefined
  /** A type alias, Object type or type set by its full name (`Stdlib::Absolutepath`), loaded when needed. */
  findType(name: string, from: Scope): Type | undefined
  /** All names that `findFunction` could answer to; for hints. */
  functionNames(): Iterable<string>

  /** Names that `findType` could answer to, and types of resources, lower case; for hints about a name like it. */
  typeNames?(near: string): Iterable<string>

  /** The hint for an unknown variable; `similar` suggests a known name. Absent if variables are not facts of a node. */
  unknownVariableHint?(name: string, similar: string | undefined): string

  /** A message of the manifest's: `notice()` and its kin. */
  log(level: LogLevel, message: string, scope: Scope, span?: Span): void
  /** A warning or deprecation of the compiler's own. */
  warn(diagnostic: Diagnostic): void

  /** Looks up data; `found: false` where there is none. Merge is `undefined`, a strategy's name, or its hash. */
  lookup(query: LookupQuery, scope: Scope): { found: true; value: Value } | { found: false }

  /** A `Puppet::LookupContext` that code makes for itself, of a module or of none; absent where there is no Hiera. */
  lookupContext?(module: string | undefined, context: CallContext): Value

  /** A setting as `$settings::name` and `generate` see it; a hash of all as `all_local`. */
  setting(name: string): Value

  /** The output of a command, for `generate()`; absent where commands are not allowed. */
  readonly generate?: ((command: readonly string[]) => string) | undefined

  /**
   * The store's answer to a question, which is the body of a query to PuppetDB: JSON, or the words in which it is refused;
   * absent where there is no store.
   */
  readonly askStore?: ((question: string) => string) | undefined

  /** The answer of DNS or HTTP to a question of a module's Ruby; what is refused, and what fails, is an answer, too. */
  readonly askOutside?: ((kind: 'dns' | 'http', question: ExactJson) => ExactJson) | undefined

  /** The value of `Timestamp()`: the time of the commit, so that a catalog does not depend on the clock; or nothing. */
  readonly time?: Timestamp

  /** Files of the code: modules, templates, `file()`. */
  readonly files: CodeFiles

  /** Told of all that is evaluated; absent where nobody asks where values come from. */
  readonly observer?: Observer | undefined

  /** The builder of the catalog; absent without a catalog (scripts, templates on their own). */
  readonly catalog: CatalogBuilder | undefined
}

/** One question to Hiera. */
export interface LookupQuery {
  readonly key: string
  readonly merge: Value
  readonly valueType: Type | undefined
  /** Values that win over all data. */
  readonly override?: Hash
  /** Values taken when there is no data. */
  readonly defaultValues?: Hash
  /** True for a lookup by a function of Hiera 3: only the global layer for an environment without a hiera.yaml. */
  readonly legacy?: boolean
}

/** The files of the code that is being compiled. Paths are as messages and catalogs say them. */
export interface CodeFiles {
  /** `MODULE/REST` below `MODULE/<kind>/`, such as `ntp/ntp.conf.epp` among `templates`. */
  findInModule(kind: 'files' | 'templates' | 'scripts', name: string): string | undefined
  /** The text of a file that was found, or of an absolute path where the host allows it. */
  readText(path: string): string | undefined
  readBytes(path: string): Uint8Array | undefined
  /** A file of Ruby, for who goes by its code alone. */
  readRuby(path: string): Uint8Array | undefined
  /** Presence of a file or folder at the path. */
  exists(path: string): boolean
  /** Names the bytes of a file for ever. */
  contentId(path: string): string | undefined
  /** The folder of a module; `undefined` when there is none. */
  moduleDirectory(name: string): string | undefined
}

/** The surroundings of a function's call, beside the arguments. */
export interface CallContext {
  readonly host: Host
  /** The caller's scope. */
  readonly scope: Scope
  /** The call, for messages. */
  readonly span: Span | undefined
}

/** An attribute of a resource, as evaluated. */
export interface Attribute {
  readonly name: string
  readonly operator: '=>' | '+>'
  readonly value: Value
  readonly span: Span
}

/** A body of a resource expression, evaluated: one resource for each title. */
export interface ResourceRequest {
  readonly form: ResourceForm
  /** Lower case, `::`-separated, no leading `::`: `file`, `apache::vhost`, `class`. */
  readonly type: string
  readonly titles: readonly string[]
  /** The only title given to `create_resources` where that is no String, as the keys of a hash may be. */
  readonly titleValue?: Value
  readonly attributes: readonly Attribute[]
  readonly span: Span
}

/** An end of a relationship: references, or a collector. */
export type RelationshipEnd = readonly Type[] | Collector

/** A collector that was registered; it can stand in a relationship. */
export interface Collector {
  readonly kind: 'Collector'
}

/** The catalog under construction. */
export interface CatalogBuilder {
  /** True where exported resources are kept for other nodes to collect. */
  readonly storeconfigs: boolean
  /** Makes the resources and returns their references. */
  declare(request: ResourceRequest, scope: Scope): readonly Type[]
  /** Attributes for resources of a type that do not give them, in this scope and those that it encloses. */
  setDefaults(type: string, attributes: readonly Attribute[], scope: Scope, span: Span): void
  override(references: readonly Type[], attributes: readonly Attribute[], scope: Scope, span: Span): void
  collect(collect: Collect, attributes: readonly Attribute[], scope: Scope): Collector
  relate(from: RelationshipEnd, to: RelationshipEnd, operator: '->' | '~>', scope: Scope, span: Span): void
  /** `include`, `contain`, `require`: names without a leading `::`; returns the class references. */
  includeClasses(
    names: readonly string[],
    how: 'include' | 'contain' | 'require',
    scope: Scope,
    span?: Span,
  ): readonly Type[]
  /** `realize` of references. */
  realize(references: readonly Type[], scope: Scope): void
  /** Presence of a resource in the catalog, as `defined(File['/x'])` asks. */
  hasResource(type: string, title: string): boolean
  /** The value of a parameter of a resource in the catalog; `undefined` when there is no such resource. */
  resourceParameter(type: string, title: string, name: string): { value: Value } | undefined
  /** The value that a parameter of a resource was set to, without defaults; `undefined` also when there is no such. */
  ownParameter(type: string, title: string, name: string): Value
  /** Presence of a class, a defined type or a type of that name, as `defined('name')` asks. */
  isTypeKnown(name: string): boolean
  isClassKnown(name: string): boolean
  /** The scope of an evaluated class, for `$class::variable`. */
  classScope(name: string): Scope | undefined
  /** `tag()` and `tagged()`. */
  tag(names: readonly string[], scope: Scope): void
  isTagged(names: readonly string[], scope: Scope): boolean
}
