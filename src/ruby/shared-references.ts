import { Hash } from '../language/values/hash.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Value } from '../language/values/value.ts'

/**
 * Lists and hashes that occur several times in a value as the same object. Ruby distinguishes them
 * from equal copies, and writes YAML anchors for them. Each has a number, in the order of output.
 */
export class SharedParts {
  readonly #parts: ReadonlySet<object>
  readonly #said = new Map<object, number>()

  private constructor(parts: ReadonlySet<object>) {
    this.#parts = parts
  }

  /** Finds the repeated parts of a value; `undefined` if no part occurs twice. */
  static of(value: Value): SharedParts | undefined {
    if (!isContainer(value)) return undefined
    const shared = new Set<object>()
    collectSharedParts(value, new Set(), shared)
    return shared.size === 0 ? undefined : new SharedParts(shared)
  }

  has(part: object): boolean {
    return this.#parts.has(part)
  }

  /** Returns the number of a part that was already written; `undefined` for other parts. */
  earlier(part: object): number | undefined {
    return this.#said.get(part)
  }

  /** Assigns the number of a part written for the first time. */
  first(part: object): number {
    this.#said.set(part, this.#said.size + 1)
    return this.#said.size
  }
}

type Container = readonly Value[] | Hash | Sensitive

function isContainer(value: Value): value is Container {
  return Array.isArray(value) || value instanceof Hash || value instanceof Sensitive
}

/** The constant that all empty hashes share; it does not count as a repeated part. */
const nobodys: object = Hash.empty

function collectSharedParts(value: Container, seen: Set<object>, shared: Set<object>): void {
  if (value === nobodys) return
  if (!(value instanceof Sensitive)) {
    if (seen.has(value)) {
      shared.add(value)
      return
    }
    seen.add(value)
  }
  if (value instanceof Hash) {
    for (const [, part] of value) if (isContainer(part)) collectSharedParts(part, seen, shared)
    return
  }
  for (const part of value instanceof Sensitive ? [value.unwrap()] : value)
    if (isContainer(part)) collectSharedParts(part, seen, shared)
}
