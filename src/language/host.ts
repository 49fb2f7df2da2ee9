import type { Diagnostic } from '../base/issue.ts'
import type { ExactJson } from '../base/json/exact-json.ts'
import type { SourceSpan } from '../base/source.ts'
import type { Observer } from './evaluator/observer.ts'
import type { Scope } from './evaluator/scope.ts'
import type { Collect, ResourceForm } from './syntax/tree/nodes.ts'
import type { Callable } from './values/callable.ts'
import type { Hash } from './values/hash.ts'
import type { Timestamp } from './values/time.ts'
import type { Type } from './values/type.ts'
import type { Value } from './values/value.ts'

/** Puppet's log levels, from least to most severe; in Puppet, `crit` is the most severe. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'err' | 'alert' | 'emerg' | 'crit'

/** Values of the settings `strict` and `strict_variables`. */
export interface Strictness {
  readonly strict: 'off' | 'warning' | 'error'
  readonly strictVariables: boolean
}

/**
 * The environment in which the language runs. The compiler's host builds a catalog. The hosts of `plumb script` and the
 * parser commands have no catalog and reject resources. Tests use a host made of maps. All methods are synchronous.
 */
export interface EvaluationHost extends Strictness {
  /**
   * Finds a function, built-in or from a module, by its full name (`lookup`, `stdlib::ensure`); loads it if necessary.
   */
  findFunction(name: string, from: Scope): Callable | undefined
  /** Finds a type alias, Object type or type set by its full name (`Stdlib::Absolutepath`); loads it if necessary. */
  findType(name: string, from: Scope): Type | undefined
  /** Names of all functions that `findFunction` can find, for hints. */
  functionNames(): Iterable<string>

  /**
   * Lower-case names of types that `findType` can find and of resource types, for hints about the misspelled name
   * `near`.
   */
  typeNames?(near: string): Iterable<string>

  /**
   * Hint for an unknown variable; `similar` is a known name to suggest. Absent if variables are not facts of a node.
   */
  unknownVariableHint?(name: string, similar: string | undefined): string

  /** Logs a message from Puppet code, such as `notice()`. */
  log(level: LogLevel, message: string, scope: Scope, span?: SourceSpan): void
  /** Reports a warning or deprecation found by the language itself. */
  warn(diagnostic: Diagnostic): void

  /**
   * Looks up data; `found` is false if there is no data. `merge` is `undefined`, the name of a strategy, or its hash.
   */
  lookup(query: LookupQuery, scope: Scope): { found: true; value: Value } | { found: false }

  /** Completes a `Puppet::LookupContext` created by Puppet code, for a module or without one; absent without Hiera. */
  lookupContext?(module: string | undefined, context: CallContext): Value

  /** Value of a setting, for `$settings::name` and `generate`. The name `all_local` gives a hash of all settings. */
  setting(name: string): Value

  /** Runs a command for `generate()` and returns its output; absent if commands are not allowed. */
  readonly generate?: ((command: readonly string[]) => string) | undefined

  /**
   * Sends the body of a PuppetDB query to the store. Returns JSON, or the error message of a rejected query. Absent
   * without a store.
   */
  readonly askStore?: ((question: string) => string) | undefined

  /**
   * Sends a DNS or HTTP request of a module's Ruby code, or reads a secret. A rejected or failed request also
   * returns a result.
   */
  readonly askOutside?: ((kind: 'dns' | 'http' | 'secret', question: ExactJson) => ExactJson) | undefined

  /**
   * Value of `Timestamp()`: the time of the commit, so that a catalog does not depend on the clock. If absent,
   * `Timestamp()` fails.
   */
  readonly time?: Timestamp

  /** Files of the compiled code, for modules, templates and `file()`. */
  readonly files: CodeFiles

  /** Observes all evaluations to find where values come from; absent in ordinary compilations. */
  readonly observer?: Observer | undefined

  /** Measures calls, templates and lookups; absent in ordinary compilations. */
  readonly profile?: WorkMeter | undefined

  /** The catalog under construction; absent without one, as in scripts and in templates rendered alone. */
  readonly catalog: CatalogBuilder | undefined
}

/** Kinds of measured work. */
export type WorkKind = 'phase' | 'class' | 'defined type' | 'function' | 'lambda' | 'template' | 'Hiera level'

/** Measures the duration of work and of the work inside it. */
export interface WorkMeter {
  measure<Result>(kind: WorkKind, name: string, work: () => Result): Result
}

/** A lookup of one key in Hiera. */
export interface LookupQuery {
  readonly key: string
  readonly merge: Value
  /** Values that override all data. */
  readonly override?: Hash
  /** Values used for keys without data. */
  readonly defaultValues?: Hash
  /**
   * True for a lookup by a Hiera 3 function, which reads only the global layer in an environment without hiera.yaml.
   */
  readonly legacy?: boolean
}

/** Files of the code being compiled, by their paths as printed in messages and catalogs. */
export interface CodeFiles {
  /**
   * Finds `MODULE/REST` in the folder `kind` of the module, such as `ntp/ntp.conf.epp` in `templates`; returns its
   * path.
   */
  findInModule(kind: 'files' | 'templates' | 'scripts', name: string): string | undefined
  /** Reads a file that `findInModule` found, or an absolute path if the host allows it. */
  readText(path: string): string | undefined
  readBytes(path: string): Uint8Array | undefined
  /** True if a file or folder exists at the path. */
  exists(path: string): boolean
  /** Identifier of the bytes of a file; changes when the bytes change. */
  contentId(path: string): string | undefined
  /** Path of a module's folder; `undefined` if there is no such module. */
  moduleDirectory(name: string): string | undefined
}

/** Context of a function call, in addition to the arguments. */
export interface CallContext {
  readonly host: EvaluationHost
  /** The caller's scope. */
  readonly scope: Scope
  /** Location of the call, for messages. */
  readonly span: SourceSpan | undefined
}

/** An evaluated attribute of a resource. */
export interface EvaluatedAttribute {
  readonly name: string
  readonly operator: '=>' | '+>'
  readonly value: Value
  readonly span: SourceSpan
}

/** An evaluated body of a resource expression; declares one resource for each title. */
export interface ResourceRequest {
  readonly form: ResourceForm
  /** Type name in lower case, `::`-separated, without a leading `::`: `file`, `apache::vhost`, `class`. */
  readonly type: string
  readonly titles: readonly string[]
  /** The only title passed to `create_resources` if it is not a String: a hash can have keys of any type. */
  readonly titleValue?: Value
  readonly attributes: readonly EvaluatedAttribute[]
  readonly span: SourceSpan
}

/** One side of a relationship: references, or a collector. */
export type RelationshipEnd = readonly Type[] | RegisteredCollector

/** A registered collector, which can be one side of a relationship. */
export interface RegisteredCollector {
  readonly kind: 'Collector'
}

/** The catalog under construction. */
export interface CatalogBuilder {
  /** True if exported resources are stored for other nodes to collect. */
  readonly storeconfigs: boolean
  /** Declares the resources and returns their references. */
  declare(request: ResourceRequest, scope: Scope): readonly Type[]
  /** Sets defaults of a resource type for resources declared in the scope and in the scopes inside it. */
  setDefaults(type: string, attributes: readonly EvaluatedAttribute[], scope: Scope, span: SourceSpan): void
  override(references: readonly Type[], attributes: readonly EvaluatedAttribute[], scope: Scope, span: SourceSpan): void
  collect(collect: Collect, attributes: readonly EvaluatedAttribute[], scope: Scope): RegisteredCollector
  relate(from: RelationshipEnd, to: RelationshipEnd, operator: '->' | '~>', scope: Scope, span: SourceSpan): void
  /**
   * Includes classes as `include`, `contain` or `require` does. Names have no leading `::`. Returns class references.
   */
  includeClasses(
    names: readonly string[],
    how: 'include' | 'contain' | 'require',
    scope: Scope,
    span?: SourceSpan,
  ): readonly Type[]
  /** Realizes the referenced virtual resources, as `realize` does. */
  realize(references: readonly Type[], scope: Scope): void
  /** True if the catalog contains the resource; used by `defined(File['/x'])`. */
  hasResource(type: string, title: string): boolean
  /**
   * Value of a parameter of a resource in the catalog; `undefined` if the resource does not exist or lacks this
   * parameter.
   */
  resourceParameter(type: string, title: string, name: string): { value: Value } | undefined
  /**
   * Value of a parameter that is set on the resource itself, without defaults; `undefined` if the resource does not
   * exist or the parameter is not set.
   */
  ownParameter(type: string, title: string, name: string): Value
  /** True if a resource type or a defined type of that name exists; used by `defined('name')`. */
  isTypeKnown(name: string): boolean
  isClassKnown(name: string): boolean
  /** Scope of an evaluated class, for `$class::variable`; `undefined` if the class was not evaluated. */
  classScope(name: string): Scope | undefined
  /** Adds tags to the resource whose code runs, as `tag()` does. */
  tag(names: readonly string[], scope: Scope): void
  isTagged(names: readonly string[], scope: Scope): boolean
}
