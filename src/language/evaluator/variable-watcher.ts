import type { Value } from '../values/value.ts'

/** Receives the reads of a scope's variables. */
export interface VariableWatcher {
  /** Reports a read of a variable, which may be unset. */
  reads(name: string): void
  /** Reports a read of all variable names. */
  readsNames(): void
  /** Reports a read of the names that are not Ruby identifiers. */
  readsOddNames(): void
  /** Reports a read of all names and values. */
  readsAll(): void
}

/** True for a name that is not a Ruby identifier, such as the name of a fact with dots or dashes. */
export function isNonIdentifier(name: string): boolean {
  return /\W/.test(name)
}

/** Variables that report reads to a watcher. Reads of the number of variables are not reported. */
export class WatchedVariables extends Map<string, Value> {
  #watcher: VariableWatcher | undefined

  constructor(variables: ReadonlyMap<string, Value>, watcher: VariableWatcher) {
    super(variables)
    this.#watcher = watcher
  }

  override get(name: string): Value {
    this.#watcher?.reads(name)
    return super.get(name)
  }

  override has(name: string): boolean {
    this.#watcher?.reads(name)
    return super.has(name)
  }

  /** Names that are not Ruby identifiers. */
  oddNames(): string[] {
    this.#watcher?.readsOddNames()
    return [...super.keys()].filter(isNonIdentifier)
  }

  override keys(): MapIterator<string> {
    this.#watcher?.readsNames()
    return super.keys()
  }

  override values(): MapIterator<Value> {
    this.#watcher?.readsAll()
    return super.values()
  }

  override entries(): MapIterator<[string, Value]> {
    this.#watcher?.readsAll()
    return super.entries()
  }

  override forEach(each: (value: Value, name: string, map: Map<string, Value>) => void): void {
    this.#watcher?.readsAll()
    super.forEach(each)
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    this.#watcher?.readsAll()
    return super[Symbol.iterator]()
  }
}
