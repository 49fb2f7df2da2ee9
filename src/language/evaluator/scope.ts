import type { Match } from '../ruby-semantics/regexp/match.ts'
import type { Value } from '../values/value.ts'
import { isOddName, type VariableWatcher, WatchedVariables } from './watched-variables.ts'

/** The owner of a scope. A local scope is a block's: a lambda's, a function's or a template's. */
export type ScopeKind = 'top' | 'node' | 'class' | 'define' | 'local'

/** The resource whose code runs in a scope: a class, a node, or one of a defined type. */
export interface ScopeResource {
  /** Capitalised: `Class`, `Apache::Vhost`. */
  readonly type: string
  readonly title: string
}

/** The facts about a scope that are known when it is made. */
export interface ScopeOptions {
  readonly kind?: ScopeKind
  readonly namespace?: string
  readonly moduleName?: string
  readonly callerModuleName?: string
  readonly resource?: ScopeResource
  /** The scope that resource defaults are sought in next: where the resource was declared. */
  readonly declaredIn?: Scope
}

/** A parameter was read before it had a value; the one who binds the parameters says so in words. */
export class UnsetParameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The place of variables during an evaluation. */
export class Scope {
  readonly kind: ScopeKind
  /** The scope that variables are sought in next: an inherited class, the node, the top; for a local one what it is in. */
  readonly enclosing: Scope | undefined
  readonly declaredIn: Scope | undefined
  /** The name space of relative names: the class or define; empty at the top. */
  readonly namespace: string
  /** The module whose code runs; empty outside modules. */
  readonly moduleName: string
  /** The module that declared the class or resource whose code runs. */
  readonly callerModuleName: string
  /** The resource whose code runs here; that of the top scope is made after it. */
  resource: ScopeResource | undefined
  /** The last match; whoever opens a guarded piece of code puts back what was there. */
  matches: Match | undefined
  /** The output of a template so far; `undefined` outside of templates. */
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

  /** A scope for a block in this one: sees all of it, keeps what it sets to itself. */
  local(): Scope {
    const { namespace, moduleName, callerModuleName, resource } = this
    const scope = new Scope(this, { kind: 'local', namespace, moduleName, callerModuleName, resource })
    scope.matches = this.matches
    scope.output = this.output
    return scope
  }

  /** The scope of the class, define, node or top that this is in, or is. */
  get frame(): Scope {
    let scope: Scope = this
    while (scope.kind === 'local' && scope.enclosing) scope = scope.enclosing
    return scope
  }

  /** The scope of the node, or the top when there is none. */
  get global(): Scope {
    let scope: Scope = this
    while (scope.kind !== 'node' && scope.enclosing) scope = scope.enclosing
    return scope
  }

  /** True for an unqualified variable that is set in this scope or further out. */
  has(name: string): boolean {
    for (let scope: Scope | undefined = this; scope; scope = scope.enclosing)
      if (scope.#variables.has(name)) return true
    return isBuiltIn(name)
  }

  /** An unqualified variable; `undefined` also when it is not set. */
  get(name: string): Value {
    for (let scope: Scope | undefined = this; scope; scope = scope.enclosing) {
      const value = scope.#variables.get(name)
      if (value !== undefined || scope.#variables.has(name)) return value
      if (scope.#unset?.has(name)) throw new UnsetParameter(name)
    }
    return undefined
  }

  /**
   * A group of the last match in this scope, or in the nearest outer scope with a match: a class sees the captures of the
   * `node` or `if` that includes it. Puppet: Scope::MatchScope.
   */
  group(number: number): string | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.enclosing)
      if (scope.matches) return scope.matches.groups[number]
    return undefined
  }

  /** True for a variable that is set in this very scope, where it could not be set again. */
  isBound(name: string): boolean {
    return this.#variables.has(name)
  }

  set(name: string, value: Value): void {
    this.#unset?.delete(name)
    this.#variables.set(name, value)
  }

  /** Parameters that have no value yet: to read one throws `UnsetParameter`. */
  expect(names: Iterable<string>): void {
    this.#unset = new Set(names)
  }

  /** The variables of this very scope. */
  variables(): ReadonlyMap<string, Value> {
    return this.#variables
  }

  /** The names of variables of this very scope that no identifier of Ruby is. */
  oddNames(): readonly string[] {
    const variables = this.#variables
    return variables instanceof WatchedVariables ? variables.oddNames() : [...variables.keys()].filter(isOddName)
  }

  /** From now on tells what is read of its own variables. */
  watch(watcher: VariableWatcher): void {
    this.#variables = new WatchedVariables(this.#variables, watcher)
  }

  /** Who speaks in a log: `Scope(Class[main])`. */
  toString(): string {
    return this.resource ? `Scope(${this.resource.type}[${this.resource.title}])` : 'Scope()'
  }
}

/** Names that every scope knows, with no value outside modules. Puppet: parser/scope.rb BUILT_IN_VARS. */
function isBuiltIn(name: string): boolean {
  return name === 'module_name' || name === 'caller_module_name'
}
