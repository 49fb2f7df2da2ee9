import type { Scope } from '../../language/evaluator/scope.ts'
import type { AnyNode } from '../../language/syntax/tree/nodes.ts'
import { toText } from '../../language/types/printing/text.ts'
import { isEqualValue } from '../../language/values/equality.ts'
import { Hash } from '../../language/values/hash.ts'
import { isType } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { LookupEvaluation, NodeEvaluation } from '../provenance/node-evaluation.ts'
import type { ProvenanceRecorder } from '../provenance/provenance-recorder.ts'
import { findCallOrigins } from './call-origins.ts'
import { findElement, findFunctionParameters, getCallArguments, getFunctionName } from './call-parts.ts'
import { findKeyLine } from './data-key-line.ts'
import { findDataOrigins } from './data-origins.ts'
import { getSpanPlace, type Origin, removeDuplicateOrigins } from './origin.ts'
import type { OriginTracer } from './origin-tracer.ts'
import { findTopScopeOrigins } from './top-scope-origins.ts'

/** Largest number of origins returned for one value. If there are more, the last origin has the kind `more`. */
const maxOrigins = 2000

/** Largest nesting depth of the origins that are followed. */
const maxDepth = 60

/** Traces values to their origins. */
export class ValueOrigins implements OriginTracer {
  readonly compilation: Compilation
  readonly recorder: ProvenanceRecorder
  /** Returns the origins of a resource parameter. */
  readonly #ofParameter: (resource: CatalogResource, name: string) => readonly Origin[]
  #depth = 0
  #count = 0

  constructor(
    compilation: Compilation,
    recorder: ProvenanceRecorder,
    ofParameter: (resource: CatalogResource, name: string) => readonly Origin[],
  ) {
    this.compilation = compilation
    this.recorder = recorder
    this.#ofParameter = ofParameter
  }

  leaves(evaluated: NodeEvaluation): readonly Origin[] {
    const found = this.sources(evaluated)
    return found.length > 0 ? found : [{ kind: 'literal', name: '', ...getSpanPlace(evaluated.node.span), from: [] }]
  }

  sources(evaluated: NodeEvaluation): readonly Origin[] {
    return this.#bounded(() => removeDuplicateOrigins(this.#sources(evaluated)))
  }

  narrowed(evaluated: NodeEvaluation, keys: readonly Value[]): readonly Origin[] {
    if (keys.length === 0) return this.leaves(evaluated)
    return this.#bounded(() => this.#narrowed(evaluated, keys) ?? this.leaves(evaluated))
  }

  variable(name: string, scope: Scope, keys: readonly Value[] = []): readonly Origin[] {
    return this.#bounded(() => this.#variable(name, scope, keys))
  }

  data(lookup: LookupEvaluation): readonly Origin[] {
    return this.#bounded(() =>
      findDataOrigins(lookup, {
        lineOf: (file, key) => findKeyLine(this.compilation.environment, file, key),
        variable: (name, scope) => {
          const [first = '', ...keys] = name.split('.')
          return this.variable(first, scope, keys)
        },
      }),
    )
  }

  #bounded(find: () => readonly Origin[]): readonly Origin[] {
    if (this.#depth === 0) this.#count = 0
    if (this.#depth >= maxDepth || this.#count >= maxOrigins) return [{ kind: 'more', name: '', from: [] }]
    this.#depth++
    try {
      const found = find()
      this.#count += found.length
      return found
    } finally {
      this.#depth--
    }
  }

  #sources(evaluated: NodeEvaluation): readonly Origin[] {
    const { node, scope, parts } = evaluated
    switch (node.kind) {
      case 'Variable':
        return this.variable(node.name, scope)
      case 'Access':
        return this.#access(evaluated, [])
      case 'CallNamedFunction':
      case 'CallMethod':
        return findCallOrigins(evaluated, this)
      case 'If':
      case 'Unless':
      case 'Case':
      case 'Selector':
        return parts.flatMap((each, index) => (index === 0 ? this.condition(each) : this.sources(each)))
      case 'Lambda':
      case 'Resource':
      case 'QualifiedReference':
        return []
      default:
        return parts.flatMap((each) => this.sources(each))
    }
  }

  /** Returns the origins of a condition; none for a literal. */
  condition(test: NodeEvaluation): readonly Origin[] {
    const from = this.sources(test)
    return from.length === 0 ? [] : [{ kind: 'condition', name: '', ...getSpanPlace(test.node.span), from }]
  }

  /** Returns the origins of an access such as `$facts['os']['family']`, `$list[0]` or `File['/x']['mode']`. */
  #access({ node, parts }: NodeEvaluation, more: readonly Value[]): readonly Origin[] {
    const [left, ...keys] = parts
    if (!left) return []
    if (isType(left.value)) return this.#ofReference(left.value, keys, node)
    const single = keys.length === 1
    const from = single ? (this.#narrowed(left, [keys[0]!.value, ...more]) ?? this.sources(left)) : this.sources(left)
    return [...from, ...keys.flatMap((key) => this.sources(key))]
  }

  #ofReference(reference: Value, keys: readonly NodeEvaluation[], node: AnyNode): readonly Origin[] {
    if (!isType(reference)) return []
    const [type, title] =
      reference.kind === 'Resource'
        ? [reference.typeName, reference.title]
        : ['class', reference.kind === 'Class' ? reference.className : undefined]
    const resource = type !== undefined && title !== undefined ? this.compilation.table.find(type, title) : undefined
    if (!resource) return keys.flatMap((key) => this.sources(key))
    return keys.map(({ value }) => {
      const name = resource.parameterName(toText(value))
      const from = this.#ofParameter(resource, name)
      return { kind: 'resource parameter', name: `${resource.reference}[${name}]`, ...getSpanPlace(node.span), from }
    })
  }

  /** Returns the origins of the element at the path `keys`; `undefined` if no part of the code has this path. */
  #narrowed(evaluated: NodeEvaluation, keys: readonly Value[]): readonly Origin[] | undefined {
    const { node, scope, parts, value } = evaluated
    switch (node.kind) {
      case 'Variable':
        return this.variable(node.name, scope, keys)
      case 'Access':
        return this.#access(evaluated, keys)
      case 'LiteralHash': {
        const at = parts.findLastIndex((key, index) => index % 2 === 0 && isEqualValue(key.value, keys[0]))
        return at < 0 ? undefined : this.narrowed(parts[at + 1]!, keys.slice(1))
      }
      case 'LiteralList': {
        const part = typeof keys[0] === 'number' ? parts[keys[0]] : undefined
        return part && this.narrowed(part, keys.slice(1))
      }
      case 'Arithmetic': {
        const [left, right] = parts
        if (node.operator !== '+' || !(value instanceof Hash) || !left || !right) return undefined
        return this.narrowed(hasKey(right.value, keys[0]) ? right : left, keys)
      }
      case 'Parenthesized':
      case 'Block':
        return parts.length === 1 ? this.narrowed(parts[0]!, keys) : undefined
      default:
        return undefined
    }
  }

  #variable(name: string, scope: Scope, keys: readonly Value[]): readonly Origin[] {
    const found = this.#owner(name.replace(/^::/, name.lastIndexOf('::') === 0 ? '' : '::'), scope)
    const what = `$${name}`
    if (!found) {
      if (/^(?:::)?settings::/.test(name)) return [{ kind: 'setting', name: name.replace(/^.*::/, ''), from: [] }]
      return /^\d+$/.test(name) ? [{ kind: 'match', name: what, from: [] }] : []
    }
    const { owner, leaf } = found
    const assigned = this.recorder.assignedTo(owner, leaf)
    if (assigned) {
      const from = this.narrowed(assigned.right, [...assigned.keys, ...keys])
      return [{ kind: 'variable', name: what, ...getSpanPlace(assigned.span), from }]
    }
    if (owner.kind === 'top') return findTopScopeOrigins(this.compilation, leaf, keys)
    const call = this.recorder.getCall(owner)
    if (owner.kind === 'local') return call ? [this.#argument(leaf, owner, call, keys)] : []
    return this.#ofOwner(owner.resource as CatalogResource | undefined, leaf)
  }

  /** Finds the scope in which a variable is set, and its name in that scope. */
  #owner(name: string, scope: Scope): { readonly owner: Scope; readonly leaf: string } | undefined {
    const end = name.lastIndexOf('::')
    const leaf = end < 0 ? name : name.slice(end + 2)
    let owner: Scope | undefined = scope
    if (end >= 0) owner = this.compilation.classScopes.get(name.slice(0, end).replace(/^::/, ''))
    for (; owner; owner = owner.enclosing) if (owner.isBound(leaf)) return { owner, leaf }
    return undefined
  }

  #ofOwner(resource: CatalogResource | undefined, name: string): readonly Origin[] {
    if (!resource) return []
    const { reference, span } = resource
    if (name === 'title' || name === 'name')
      return [{ kind: 'title', name: reference, ...getSpanPlace(span), from: [] }]
    if (!resource.parameters.has(name)) return []
    const from = this.#ofParameter(resource, name)
    return [{ kind: 'parameter', name: `${reference}[${name}]`, ...getSpanPlace(span), from }]
  }

  #argument(name: string, owner: Scope, call: NodeEvaluation, keys: readonly Value[]): Origin {
    const about = {
      kind: 'argument',
      name: `$${name} of ${getFunctionName(call)}()`,
      ...getSpanPlace(call.node.span),
    } as const
    const given = getCallArguments(call)
    const parameters = findFunctionParameters(call, this.compilation)
    const index = parameters?.findIndex((each) => each.name === name) ?? -1
    if (parameters && index >= 0) {
      const own = given[index]
      if (own) return { ...about, from: this.narrowed(own, keys) }
      const fallback = call.parts.find((part) => part.node === parameters[index]!.value)
      return { ...about, from: fallback ? this.narrowed(fallback, keys) : [] }
    }
    const value = owner.get(name)
    const hash = given[1]
    if (/^(?:inline_)?epp$/.test(getFunctionName(call))) {
      if (hash && hasKey(hash.value, name)) return { ...about, from: this.narrowed(hash, [name, ...keys]) }
      const fallback = call.parts.find(
        (part) => !given.includes(part) && part.node.kind !== 'Epp' && isEqualValue(part.value, value),
      )
      return { ...about, from: fallback ? this.narrowed(fallback, keys) : [] }
    }
    return { ...about, from: removeDuplicateOrigins(given.flatMap((each) => this.#element(each, value, keys))) }
  }

  /**
   * Returns the origins of the list or hash element with this value; of the complete list or hash if several elements
   * have the value.
   */
  #element(evaluated: NodeEvaluation, value: Value, keys: readonly Value[]): readonly Origin[] {
    const { node, scope } = evaluated
    const element = findElement(evaluated, value)
    if (element) return this.narrowed(element, keys)
    const key = findElementKey(evaluated.value, value)
    return node.kind === 'Variable' && key !== undefined
      ? this.variable(node.name, scope, [key, ...keys])
      : this.leaves(evaluated)
  }
}

/** Returns the key or index of the element with this value; `undefined` unless exactly one element has the value. */
function findElementKey(holder: Value, value: Value): Value {
  const entries: readonly (readonly [Value, Value])[] =
    holder instanceof Hash ? [...holder] : Array.isArray(holder) ? [...(holder as readonly Value[]).entries()] : []
  const found = entries.filter(([, each]) => isEqualValue(each, value))
  return found.length === 1 ? found[0]![0] : undefined
}

/** Returns true if the value is a hash with this key. */
function hasKey(value: Value, key: Value): boolean {
  return value instanceof Hash && value.has(key)
}
