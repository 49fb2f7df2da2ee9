import { Hash } from '../language/values/hash.ts'
import { Sensitive } from '../language/values/sensitive.ts'
import type { Value } from '../language/values/value.ts'

/**
 * The lists and hashes that stand in several places of a value: the same ones, not alike. Ruby can tell, and writes anchors in
 * YAML for them. Each has a number, in the order in which it is said.
 */
export class SharedParts {
  readonly #parts: ReadonlySet<object>
  readonly #said = new Map<object, number>()

  private constructor(parts: ReadonlySet<object>) {
    this.#parts = parts
  }

  /** `undefined` for a value in which each part stands once. */
  static of(value: Value): SharedParts | undefined {
    if (!isContainer(value)) return undefined
    const shared = new Set<object>()
    scan(value, new Set(), shared)
    return shared.size === 0 ? undefined : new SharedParts(shared)
  }

  has(part: object): boolean {
    return this.#parts.has(part)
  }

  /** The number of a part that was said before. */
  earlier(part: object): number | undefined {
    return this.#said.get(part)
  }

  /** The number of a part that is said now, for the first time. */
  first(part: object): number {
    this.#said.set(part, this.#said.size + 1)
    return this.#said.size
  }
}

type Container = readonly Value[] | Hash | Sensitive

function isContainer(value: Value): value is Container {
  return Array.isArray(value) || value instanceof Hash || value instanceof Sensitive
}

/** Every value of no entries that nobody made is the same hash. */
const nobodys: object = Hash.empty

function scan(value: Container, seen: Set<object>, shared: Set<object>): void {
  if (value === nobodys) return
  if (!(value instanceof Sensitive)) {
    if (seen.has(value)) {
      shared.add(value)
      return
    }
    seen.add(value)
  }
  if (value instanceof Hash) {
    for (const [, part] of value) if (isContainer(part)) scan(part, seen, shared)
    return
  }
  for (const part of value instanceof Sensitive ? [value.unwrap()] : value)
    if (isContainer(part)) scan(part, seen, shared)
}
