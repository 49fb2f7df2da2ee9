import type { Value } from '../values/value.ts'

/** Where variables live while something is evaluated. */
export class Scope {
  /** The scope that variables are sought in next: an inherited class, the node, the top. */
  readonly enclosing: Scope | undefined
  /** The name space of relative names: the class or define; empty at the top. */
  readonly namespace: string
  /** The module whose code runs; empty outside modules. */
  readonly moduleName: string
  readonly #variables = new Map<string, Value>()

  constructor(enclosing: Scope | undefined, namespace = '', moduleName = '') {
    this.enclosing = enclosing
    this.namespace = namespace
    this.moduleName = moduleName
  }

  /** Whether an unqualified variable is set here or further out. */
  has(name: string): boolean {
    return this.#variables.has(name) || (this.enclosing?.has(name) ?? false)
  }

  /** An unqualified variable; `undefined` also when it is not set. */
  get(name: string): Value {
    return this.#variables.has(name) ? this.#variables.get(name) : this.enclosing?.get(name)
  }

  set(name: string, value: Value): void {
    this.#variables.set(name, value)
  }
}
