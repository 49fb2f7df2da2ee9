import { fail } from '../../base/issue.ts'
import type { Source } from '../../base/source.ts'
import type { Json } from '../../base/wire.ts'
import { issues } from './issues.ts'
import type { Concatenation, HoconNode, HoconObject, Scalar, Substitution } from './nodes.ts'
import { type Includes, parseNodes } from './parse.ts'

/** How a HOCON text is read. */
export interface HoconOptions {
  /** What stands for a substitution that the text does not know. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether it may name other texts; refused, unless told otherwise. */
  readonly includes?: Includes
}

/** A HOCON text as JSON: keys merged, `${substitutions}` filled in from the text, then from `env`. */
export function parseHocon(source: Source, { env = {}, includes = 'refused' }: HoconOptions = {}): JsonObject {
  const root: History = [parseNodes(source, includes)]
  return new Resolver(root, env).whole()
}

export type JsonObject = { [key: string]: Json }

/** What was said of one key, the last word last. */
type History = readonly HoconNode[]

class Resolver {
  readonly #root: History
  readonly #env: Readonly<Record<string, string | undefined>>
  /** The histories being resolved, and how much of each: what refers to itself means what was said before. */
  readonly #resolving = new Map<HoconNode, number>()
  readonly #children = new Map<HoconNode, Map<string, HoconNode[]>>()

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
    const end = this.#resolving.get(first) ?? history.length
    let value: Json | undefined
    for (let index = 0; index < end; index++) {
      this.#resolving.set(first, index)
      const next = this.#resolve(history[index]!)
      if (next !== undefined) value = isObject(value) && isObject(next) ? merged(value, next) : next
    }
    if (end === history.length) this.#resolving.delete(first)
    else this.#resolving.set(first, end)
    return value
  }

  #resolve(node: HoconNode): Json | undefined {
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
    const object: JsonObject = Object.create(null)
    for (const [key, history] of this.#childrenOf(node)) {
      const value = this.#resolveHistory(history)
      if (value !== undefined) object[key] = value
    }
    return object
  }

  #substitute({ path, optional, span }: Substitution): Json | undefined {
    const own = path[0] === ''
    const wanted = own ? path.slice(1) : path
    const found = this.#lookUp(wanted, this.#root) ?? (own ? undefined : this.#env[wanted.join('.')])
    if (found === undefined && !optional) fail(issues.HOCON_UNRESOLVED, { path: wanted.join('.') }, span)
    return found
  }

  #lookUp(path: readonly string[], history: History): Json | undefined {
    const [key, ...rest] = path
    if (key === undefined) return this.#resolveHistory(history)
    if (history.every((node) => node.kind === 'object')) {
      const below = history.flatMap((node) => this.#childrenOf(node as HoconObject).get(key) ?? [])
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
      if (!structured) text = (text ?? '') + (part.kind === 'scalar' ? part.text : String(next))
      else if (value === undefined) value = next
      else if (isObject(value) && isObject(next)) value = merged(value, next)
      else if (Array.isArray(value) && Array.isArray(next)) value = [...value, ...next]
      else fail(issues.HOCON_MIXED, { what: kindOf(value), with: kindOf(next) }, span)
    }
    return structured ? value : text
  }

  #childrenOf(node: HoconObject): Map<string, HoconNode[]> {
    const known = this.#children.get(node)
    if (known) return known
    const children = new Map<string, HoconNode[]>()
    for (const { path, value } of node.fields) {
      const [key, ...rest] = path
      const below: HoconNode = rest.length === 0 ? value : { kind: 'object', fields: [{ path: rest, value }] }
      const history = children.get(key!)
      if (history) history.push(below)
      else children.set(key!, [below])
    }
    this.#children.set(node, children)
    return children
  }
}

function isBlank(part: HoconNode): part is Scalar {
  return part.kind === 'scalar' && part.blank
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function merged(first: { readonly [key: string]: Json }, second: { readonly [key: string]: Json }): JsonObject {
  const result: JsonObject = Object.assign(Object.create(null), first)
  for (const [key, value] of Object.entries(second)) {
    const before = result[key]
    result[key] = isObject(before) && isObject(value) ? merged(before, value) : value
  }
  return result
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'an array'
  return isObject(value) ? 'an object' : 'a simple value'
}
