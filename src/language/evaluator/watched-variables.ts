import type { Value } from '../values/value.ts'

/** Told of what is read of a scope's variables. */
export interface VariableWatcher {
  /** A variable, or that it is not set. */
  reads(name: string): void
  /** The names of all. */
  readsNames(): void
  /** Those names that are odd. */
  readsOddNames(): void
  /** All names and values. */
  readsAll(): void
}

/** True of a variable's name that no identifier of Ruby is: that of a fact. */
export function isOddName(name: string): boolean {
  return /\W/.test(name)
}

/** Variables that tell what is read of them; their number is no secret. */
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

  /** Names that no identifier of Ruby is. */
  oddNames(): string[] {
    this.#watcher?.readsOddNames()
    return [...super.keys()].filter(isOddName)
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
