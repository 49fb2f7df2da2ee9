import type { SourceSpan } from '../../base/source.ts'
import type { Observer } from '../../language/evaluator/observer.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { LookupQuery } from '../../language/host.ts'
import type { AnyNode, Expression, Operation, ResourceBody } from '../../language/syntax/tree/nodes.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { Explainer } from '../hiera/explainer.ts'
import type {
  LookupEvaluation,
  NodeEvaluation,
  SpanOwner,
  UnwrittenOrigin,
  VariableAssignment,
  VariableRead,
} from './node-evaluation.ts'

/** An evaluation in progress. */
interface Growing extends NodeEvaluation {
  value: Value
  /**
   * True if the evaluation does not contribute to the surrounding evaluation, because it is in the code of another
   * class, or is a separate statement.
   */
  readonly isOwn: boolean
  readonly parts: Growing[]
  readonly lookups: LookupEvaluation[]
  readonly reads: VariableRead[]
}

/** An override of a parameter, with the value before the override. */
export interface OverriddenValue<Before> {
  readonly before: Before
  readonly operator: '=>' | '+>'
}

/** Records the origins of a catalog's values during one compilation. */
export class ProvenanceRecorder implements Observer {
  readonly #stack: Growing[] = []
  readonly #spans = new WeakMap<SourceSpan, SpanOwner>()
  readonly #assigned = new WeakMap<Scope, Map<string, VariableAssignment>>()
  readonly #calls = new WeakMap<Scope, NodeEvaluation>()
  readonly #statements = new WeakMap<object, readonly NodeEvaluation[]>()
  readonly #unwritten = new WeakMap<object, Map<string, UnwrittenOrigin[]>>()
  readonly #overridden = new WeakMap<object, Map<string, OverriddenValue<unknown>[]>>()
  readonly #heirs = new WeakMap<object, object>()
  readonly #collected = new WeakMap<object, object[]>()
  #last: Growing | undefined
  #lastLookup: LookupEvaluation | undefined

  // ---- Called by the evaluator

  evaluating(given: AnyNode, scope: Scope, rule: (node: AnyNode) => Value): Value {
    const node = copySpans(given)
    const outer = this.#stack.at(-1)
    const isOwn = !outer || (scope.kind !== 'local' && scope !== outer.scope)
    const evaluated: Growing = { node: given, scope, value: undefined, isOwn, parts: [], lookups: [], reads: [] }
    if (node !== given) this.#noteSpans(node, evaluated)
    this.#stack.push(evaluated)
    try {
      evaluated.value = rule(node)
    } finally {
      this.#stack.pop()
      // This statement also runs if return() ends the evaluation of the node.
      if (!isOwn) attachEvaluation(evaluated, outer!)
    }
    this.#last = evaluated
    if (given.kind === 'Assignment') this.#assign(given.left, evaluated.parts[0], [], given.span, scope)
    return evaluated.value
  }

  entering(scope: Scope): void {
    const call = this.#stack.at(-1)
    if (call && !this.#calls.has(scope)) this.#calls.set(scope, call)
  }

  reads(name: string, scope: Scope): void {
    this.#stack.at(-1)?.reads.push({ name, scope })
  }

  // ---- Called by the compiler

  /** Runs a data lookup, and records its result. */
  lookingUp<Result extends { readonly found: boolean }>(
    { key }: LookupQuery,
    scope: Scope,
    work: (explainer: Explainer) => Result,
  ): Result {
    const explainer = new Explainer()
    const result = work(explainer)
    this.#lastLookup = { key, found: result.found, scope, explanation: explainer.explanation }
    this.#stack.at(-1)?.lookups.push(this.#lastLookup)
    return result
  }

  /** Records that a parameter was bound to the result of the last lookup. */
  boundByData(resource: object, name: string): void {
    if (this.#lastLookup) this.#add(resource, name, { kind: 'data', lookup: this.#lastLookup })
  }

  /** Records that a parameter was bound to its default value, which is the result of the last evaluation. */
  boundByDefault(resource: object, name: string): void {
    if (this.#last) this.#add(resource, name, { kind: 'default', evaluated: this.#last })
  }

  /** Records that a resource inherited a metaparameter from its container. */
  handedDown(resource: object, name: string, container: object): void {
    this.#add(resource, name, { kind: 'container', container })
  }

  /** Records the statements that are being evaluated when a resource or a deferred operation is created. */
  stated(what: object): void {
    if (this.#statements.has(what)) return
    const from = this.#stack.findLastIndex(({ isOwn }) => isOwn)
    this.#statements.set(what, from < 0 ? [] : this.#stack.slice(from))
  }

  /**
   * Records that a statement added a value to a metaparameter. The statement is the statement of `cause`; without
   * `cause`, the current statement.
   */
  addedTo(resource: object, name: string, cause?: object): void {
    const statement = cause ? this.#statements.get(cause)?.at(-1) : this.#stack.at(-1)
    if (statement) this.#add(resource, name, { kind: 'statement', statement })
  }

  overridden<Before>(resource: object, name: string, before: Before, operator: '=>' | '+>'): void {
    const known = this.#overridden.get(resource) ?? new Map<string, OverriddenValue<unknown>[]>()
    this.#overridden.set(resource, known)
    known.set(name, [...(known.get(name) ?? []), { before, operator }])
  }

  /** Records that a class was declared because another class inherits from it. */
  inherited(parent: object, heir: object): void {
    if (!this.#heirs.has(parent)) this.#heirs.set(parent, heir)
  }

  /** Records that a collector realized a virtual resource. */
  collected(resource: object, collector: object): void {
    this.#collected.set(resource, [...(this.#collected.get(resource) ?? []), collector])
  }

  // ---- Called after the compilation

  /** Returns the statement for which the span was copied; each evaluation has its own copy of the spans. */
  at(span: SourceSpan | undefined): SpanOwner | undefined {
    return span && this.#spans.get(span)
  }

  assignedTo(scope: Scope, name: string): VariableAssignment | undefined {
    return this.#assigned.get(scope)?.get(name)
  }

  /** Returns the call that ran a block, function or template in this scope. */
  getCall(scope: Scope): NodeEvaluation | undefined {
    return this.#calls.get(scope)
  }

  /** Returns the statements that declared a resource or a deferred operation; the outermost statement is first. */
  getStatements(what: object): readonly NodeEvaluation[] {
    return this.#statements.get(what) ?? []
  }

  unwritten(resource: object, name: string): readonly UnwrittenOrigin[] {
    return this.#unwritten.get(resource)?.get(name) ?? []
  }

  getOverrides(resource: object, name: string): readonly OverriddenValue<unknown>[] {
    return this.#overridden.get(resource)?.get(name) ?? []
  }

  getInheritingClass(parent: object): object | undefined {
    return this.#heirs.get(parent)
  }

  getCollectors(resource: object): readonly object[] {
    return this.#collected.get(resource) ?? []
  }

  #add(resource: object, name: string, origin: UnwrittenOrigin): void {
    const known = this.#unwritten.get(resource) ?? new Map<string, UnwrittenOrigin[]>()
    this.#unwritten.set(resource, known)
    known.set(name, [...(known.get(name) ?? []), origin])
  }

  #noteSpans(node: AnyNode, statement: NodeEvaluation): void {
    this.#spans.set(node.span, { statement, operation: undefined, body: undefined })
    for (const [operation, body] of listOperations(node))
      this.#spans.set(operation.span, { statement, operation, body })
  }

  #assign(
    target: Expression,
    right: NodeEvaluation | undefined,
    keys: readonly Value[],
    span: SourceSpan,
    scope: Scope,
  ): void {
    if (!right) return
    if (target.kind === 'Parenthesized') this.#assign(target.expression, right, keys, span, scope)
    else if (target.kind === 'LiteralList')
      for (const [index, each] of target.values.entries()) {
        const key = right.value instanceof Hash && each.kind === 'Variable' ? each.name : index
        this.#assign(each, right, [...keys, key], span, scope)
      }
    else if (target.kind === 'Variable') {
      const known = this.#assigned.get(scope) ?? new Map<string, VariableAssignment>()
      this.#assigned.set(scope, known.set(target.name, { right, keys, span }))
    }
  }
}

/** The value of a block is the value of its last statement; in a template, the output of all statements counts. */
function attachEvaluation(evaluated: Growing, { node, scope, parts }: Growing): void {
  if (node.kind === 'Block' && !scope.output) parts.length = 0
  parts.push(evaluated)
}

/** Copies a node that is a declaration or a call, and gives the copy new spans; returns other nodes unchanged. */
function copySpans(node: AnyNode): AnyNode {
  switch (node.kind) {
    case 'Resource':
      return {
        ...copySpan(node),
        bodies: node.bodies.map((body) => ({ ...body, operations: body.operations.map(copySpan) })),
      }
    case 'ResourceDefaults':
    case 'ResourceOverride':
    case 'Collect':
      return { ...copySpan(node), operations: node.operations.map(copySpan) }
    case 'CallNamedFunction':
    case 'CallMethod':
      return copySpan(node)
    default:
      return node
  }
}

function copySpan<Node extends AnyNode>(node: Node): Node {
  return { ...node, span: { ...node.span } }
}

function listOperations(node: AnyNode): readonly (readonly [Operation, ResourceBody | undefined])[] {
  switch (node.kind) {
    case 'Resource':
      return node.bodies.flatMap((body) => body.operations.map((each) => [each, body] as const))
    case 'ResourceDefaults':
    case 'ResourceOverride':
    case 'Collect':
      return node.operations.map((each) => [each, undefined] as const)
    default:
      return []
  }
}
