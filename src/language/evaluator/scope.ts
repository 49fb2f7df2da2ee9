import type { RegexpMatch } from '../ruby-semantics/regexp/match.ts'
import type { Value } from '../values/value.ts'
import { isNonIdentifier, type VariableWatcher, WatchedVariables } from './variable-watcher.ts'

/** Kind of code that owns a scope; `local` is a lambda, a function or a template. */
export type ScopeKind = 'top' | 'node' | 'class' | 'define' | 'local'

/** The resource whose code runs in a scope: a class, a node definition or a defined resource. */
export interface ScopeResource {
  /** Capitalized resource type: `Class`, `Apache::Vhost`. */
  readonly type: string
  readonly title: string
}

/** Properties of a new scope. */
export interface ScopeOptions {
  readonly kind?: ScopeKind
  readonly namespace?: string
  readonly moduleName?: string
  readonly callerModuleName?: string
  readonly resource?: ScopeResource
  /** The next scope to search for resource defaults: the scope that declared the resource. */
  readonly declaredIn?: Scope
}

/**
 * Thrown when a parameter is read before it has a value. The code that sets the parameters turns it into Puppet's
 * message.
 */
export class UnsetParameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A scope: the variables that code sees, and the captures of the last regular expression match. */
export class Scope {
  readonly kind: ScopeKind
  /**
   * The next scope to search for variables: the scope of the inherited class, the node scope or the top scope; for a
   * local scope, the enclosing scope.
   */
  readonly enclosing: Scope | undefined
  readonly declaredIn: Scope | undefined
  /** Namespace for relative names: the name of the class or defined type; empty in the top scope. */
  readonly namespace: string
  /** Module whose code runs; empty outside modules. */
  readonly moduleName: string
  /** Module that declared the class or resource whose code runs. */
  readonly callerModuleName: string
  /** The resource whose code runs; assigned after creation for the top scope. */
  resource: ScopeResource | undefined
  /** Captures of the last match; `preserveMatches` restores them after a conditional. */
  matches: RegexpMatch | undefined
  /** Template output so far; `undefined` outside templates. */
  output: Value[] | undefined
  #variables = new Map<string, Value>()
  #unset: Set<string> | undefined

  constructor(enclosing: Scope | undefined, options: ScopeOptions = {}) {
    this.kind = options.kind ?? (enclosing ? 'local' : 'top')
    this.enclosing = enclosing
    this.declaredIn = options.declaredIn
    this.namespace = options.namespace ?? ''
    this.moduleName = options.moduleName ?? ''
    this.callerModuleName = options.callerModuleName ?? ''
    this.resource = options.resource
  }

  /** Opens a scope for a block. The block sees all variables of this scope; its own assignments stay local. */
  local(): Scope {
    const { namespace, moduleName, callerModuleName, resource } = this
    const scope = new Scope(this, { kind: 'local', namespace, moduleName, callerModuleName, resource })
    scope.matches = this.matches
    scope.output = this.output
    return scope
  }

  /** The enclosing class, define, node or top scope; this scope itself unless local. */
  get frame(): Scope {
    let scope: Scope = this
    while (scope.kind === 'local' && scope.enclosing) scope = scope.enclosing
    return scope
  }

  /** The node scope, or the top scope if there is none. */
  get global(): Scope {
    let scope: Scope = this
    while (scope.kind !== 'node' && scope.enclosing) scope = scope.enclosing
    return scope
  }

  /** True for an unqualified variable set in this scope or an enclosing one. */
  has(name: string): boolean {
    for (let scope: Scope | undefined = this; scope; scope = scope.enclosing)
      if (scope.#variables.has(name)) return true
    return isBuiltIn(name)
  }

  /** Value of an unqualified variable; `undefined` also if it is not set. */
  get(name: string): Value {
    for (let scope: Scope | undefined = this; scope; scope = scope.enclosing) {
      const value = scope.#variables.get(name)
      if (value !== undefined || scope.#variables.has(name)) return value
      if (scope.#unset?.has(name)) throw new UnsetParameter(name)
    }
    return undefined
  }

  /**
   * A capture of the last match in this scope, or in the nearest outer scope with a match: a class
   * sees the captures of the `node` or `if` that includes it. Puppet: Scope::MatchScope.
   */
  group(number: number): string | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.enclosing)
      if (scope.matches) return scope.matches.groups[number]
    return undefined
  }

  /** True if the variable is set in this scope itself, where it cannot be reassigned. */
  isBound(name: string): boolean {
    return this.#variables.has(name)
  }

  set(name: string, value: Value): void {
    this.#unset?.delete(name)
    this.#variables.set(name, value)
  }

  /** Declares parameters that have no value yet. Reading such a parameter throws `UnsetParameter`. */
  expect(names: Iterable<string>): void {
    this.#unset = new Set(names)
  }

  /** Variables of this scope only. */
  variables(): ReadonlyMap<string, Value> {
    return this.#variables
  }

  /** Names of this scope's variables that are not Ruby identifiers. */
  oddNames(): readonly string[] {
    const variables = this.#variables
    return variables instanceof WatchedVariables ? variables.oddNames() : [...variables.keys()].filter(isNonIdentifier)
  }

  /** Reports all further reads of this scope's variables to the watcher. */
  watch(watcher: VariableWatcher): void {
    this.#variables = new WatchedVariables(this.#variables, watcher)
  }

  /** Text that names the scope as the source of log messages: `Scope(Class[main])`. */
  toString(): string {
    return this.resource ? `Scope(${this.resource.type}[${this.resource.title}])` : 'Scope()'
  }
}

/** True for a variable that every scope has, empty outside modules. Puppet: parser/scope.rb BUILT_IN_VARS. */
function isBuiltIn(name: string): boolean {
  return name === 'module_name' || name === 'caller_module_name'
}
