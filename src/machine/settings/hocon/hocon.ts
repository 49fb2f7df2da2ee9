import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import type { Source } from '../../../base/source.ts'
import { hoconIssues } from './issues.ts'
import type { Concatenation, HoconNode, HoconObject, HoconScalar, Substitution } from './nodes.ts'
import { type IncludePolicy, parseNodes } from './parse.ts'

/** Options for reading a HOCON text. */
export interface HoconOptions {
  /** Values for substitutions that the text does not define. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Handling of `include`; rejected by default. */
  readonly includes?: IncludePolicy
}

/** Converts HOCON to JSON: merges keys and resolves `${substitutions}` from the text, then from `env`. */
export function parseHocon(source: Source, { env = {}, includes = 'refused' }: HoconOptions = {}): JsonObject {
  const root: History = [parseNodes(source, includes)]
  return new Resolver(root, env).whole()
}

/** A JSON object, keys in any order. */
export type JsonObject = { [key: string]: Json }

const { bound: mostSubstituted } = budgets.push.hoconSubstituted
/** Number of copied characters or items that together count as one value in the size limit. */
const copiedAsOne = 16
/** Maximum nesting depth of values, including substituted values; any thread's stack is large enough for it. */
const deepest = 500

/** All values of a key in order; the last one is the final value. */
type History = readonly HoconNode[]

class Resolver {
  readonly #root: History
  readonly #env: Readonly<Record<string, string | undefined>>
  /**
   * Histories that are being resolved, by their first node, each with its value so far. A
   * self-reference resolves to that value.
   */
  readonly #begun = new Map<HoconNode, { value: Json | undefined }>()
  readonly #children = new Map<HoconNode, Map<string, HoconNode[]>>()
  /** Merged objects that are not referenced elsewhere and may therefore be modified. */
  #own = new WeakSet<object>()
  /** Number of nested substitutions around the current value. */
  #depth = 0
  #level = 0
  #substituted = 0

  constructor(root: History, env: Readonly<Record<string, string | undefined>>) {
    this.#root = root
    this.#env = env
  }

  whole(): JsonObject {
    return (this.#resolveHistory(this.#root) ?? {}) as JsonObject
  }

  #resolveHistory(history: History): Json | undefined {
    const first = history[0]
    if (!first) return undefined
    const begun = this.#begun.get(first)
    if (begun) return begun.value
    const soFar: { value: Json | undefined } = { value: undefined }
    this.#begun.set(first, soFar)
    for (const node of history) {
      const next = this.#resolve(node)
      if (next !== undefined)
        soFar.value = isObject(soFar.value) && isObject(next) ? this.#merged(soFar.value, next) : next
    }
    this.#begun.delete(first)
    return soFar.value
  }

  /**
   * Limits the number of values, because a few lines with mutual references can exceed any memory.
   * Throws HOCON_TOO_MUCH.
   */
  #spend(values: number): void {
    this.#substituted += values
    if (this.#substituted > mostSubstituted) throwIssue(hoconIssues.HOCON_TOO_MUCH, {})
  }

  #resolve(node: HoconNode): Json | undefined {
    if (this.#depth > 0) this.#spend(1)
    if (++this.#level > deepest) throwIssue(hoconIssues.HOCON_TOO_DEEP, {})
    const value = this.#valueOf(node)
    this.#level--
    return value
  }

  #valueOf(node: HoconNode): Json | undefined {
    switch (node.kind) {
      case 'scalar':
        return node.value
      case 'array':
        return node.items.map((item) => this.#resolve(item)).filter((item) => item !== undefined)
      case 'object':
        return this.#resolveObject(node)
      case 'substitution':
        return this.#substitute(node)
      case 'concatenation':
        return this.#join(node)
    }
  }

  #resolveObject(node: HoconObject): Json {
    const object = createEmptyObject()
    for (const [key, history] of this.#groupChildren(node)) {
      const value = this.#resolveHistory(history)
      if (value !== undefined) object[key] = value
    }
    return object
  }

  #substitute({ path, optional, span }: Substitution): Json | undefined {
    const own = path[0] === ''
    const wanted = own ? path.slice(1) : path
    this.#depth++
    const found = this.#lookUp(wanted, this.#root) ?? (own ? undefined : this.#env[wanted.join('.')])
    this.#depth--
    this.#own = new WeakSet()
    if (found === undefined && !optional) throwIssue(hoconIssues.HOCON_UNRESOLVED, { path: wanted.join('.') }, span)
    return found
  }

  #lookUp(path: readonly string[], history: History): Json | undefined {
    const [key, ...rest] = path
    if (key === undefined) return this.#resolveHistory(history)
    if (history.every((node) => node.kind === 'object')) {
      const below = history.flatMap((node) => this.#groupChildren(node as HoconObject).get(key) ?? [])
      this.#spend(below.length / copiedAsOne)
      return below.length === 0 ? undefined : this.#lookUp(rest, below)
    }
    let value: Json | undefined = this.#resolveHistory(history)
    for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    return value
  }

  #join({ parts, span }: Concatenation): Json | undefined {
    let value: Json | undefined
    let text: string | undefined
    const solid = parts.filter((part) => !isBlank(part))
    const resolved = new Map(solid.map((part) => [part, this.#resolve(part)]))
    const structured = [...resolved.values()].some((each) => typeof each === 'object' && each !== null)
    for (const part of structured ? solid : parts) {
      const next = isBlank(part) ? part.text : resolved.get(part)
      if (next === undefined) continue
      if (!structured) text = (text ?? '') + this.#formatScalar(part, next)
      else if (value === undefined) value = next
      else if (isObject(value) && isObject(next)) value = this.#merged(value, next)
      else if (Array.isArray(value) && Array.isArray(next)) {
        this.#spend(value.length / copiedAsOne)
        value = [...value, ...next]
      } else throwIssue(hoconIssues.HOCON_MIXED, { what: describeKind(value), with: describeKind(next) }, span)
    }
    return structured ? value : text
  }

  #formatScalar(part: HoconNode, value: Json): string {
    if (part.kind === 'scalar') return part.text
    const text = String(value)
    this.#spend(text.length / copiedAsOne)
    return text
  }

  /** Merges two objects. The first object is modified in place if only this resolver references it. */
  #merged(first: Members, second: Members): JsonObject {
    let result = first as JsonObject
    if (!this.#own.has(first)) {
      const members = Object.entries(first)
      if (this.#depth > 0) this.#spend(members.length)
      result = createEmptyObject()
      for (const [key, value] of members) result[key] = value
      this.#own.add(result)
    }
    for (const [key, value] of Object.entries(second)) {
      const before = result[key]
      result[key] = isObject(before) && isObject(value) ? this.#merged(before, value) : value
    }
    return result
  }

  #groupChildren(node: HoconObject): Map<string, HoconNode[]> {
    const known = this.#children.get(node)
    if (known) return known
    const children = new Map<string, HoconNode[]>()
    for (const { path, value, span } of node.fields) {
      const [key, ...rest] = path
      const below: HoconNode = rest.length === 0 ? value : { kind: 'object', fields: [{ path: rest, value, span }] }
      const history = children.get(key!)
      if (history) history.push(below)
      else children.set(key!, [below])
    }
    this.#children.set(node, children)
    return children
  }
}

function createEmptyObject(): JsonObject {
  return Object.create(null)
}

function isBlank(part: HoconNode): part is HoconScalar {
  return part.kind === 'scalar' && part.blank
}

type Members = { readonly [key: string]: Json }

function isObject(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describeKind(value: Json): string {
  if (Array.isArray(value)) return 'an array'
  return isObject(value) ? 'an object' : 'a simple value'
}
