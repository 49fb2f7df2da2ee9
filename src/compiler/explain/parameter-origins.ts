import type { CatalogResource, SetParameter } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { getResourceDefaults } from '../catalog/resource-defaults.ts'
import type { NodeEvaluation, SpanOwner, UnwrittenOrigin } from '../provenance/node-evaluation.ts'
import type { OverriddenValue, ProvenanceRecorder } from '../provenance/provenance-recorder.ts'
import { digValue, getCallArguments, getFunctionName } from './call-parts.ts'
import { getSpanPlace, type Origin, type OriginKind } from './origin.ts'
import { ValueOrigins } from './value-origins.ts'

/** Finds the statements that set the parameters of a resource, and the origins of the values. */
export class ParameterOrigins {
  readonly #compilation: Compilation
  readonly #recorder: ProvenanceRecorder
  readonly values: ValueOrigins
  readonly #known = new Map<CatalogResource, Map<string, readonly Origin[]>>()

  constructor(compilation: Compilation, recorder: ProvenanceRecorder) {
    this.#compilation = compilation
    this.#recorder = recorder
    this.values = new ValueOrigins(compilation, recorder, (resource, name) => this.of(resource, name))
  }

  /** Returns the statements that set a parameter, the latest statement first; empty if no statement set it. */
  of(resource: CatalogResource, name: string): readonly Origin[] {
    const known = this.#known.get(resource) ?? new Map<string, readonly Origin[]>()
    this.#known.set(resource, known)
    const found = known.get(name)
    if (found) return found
    known.set(name, []) // ends the recursion of a parameter that depends on itself
    const origins = this.#of(resource, name)
    known.set(name, origins)
    return origins
  }

  #of(resource: CatalogResource, name: string): readonly Origin[] {
    const set = resource.parameters.get(name)
    if (!set) return this.#inTitle(resource, name)
    const unwritten = this.#recorder.unwritten(resource, name)
    const overrides = this.#recorder.getOverrides(resource, name) as readonly OverriddenValue<SetParameter>[]
    const earlier = overrides.toReversed().map(
      ({ before, operator }): Origin => ({
        kind: operator === '+>' ? 'added to' : 'replaced',
        name,
        ...getSpanPlace(before.span),
        from: this.#written(resource, name, before, unwritten),
      }),
    )
    const statements = unwritten.flatMap((each) => (each.kind === 'statement' ? [this.#statement(each.statement)] : []))
    return [...this.#written(resource, name, set, unwritten), ...earlier, ...statements]
  }

  #inTitle(resource: CatalogResource, name: string): readonly Origin[] {
    const isIn =
      this.#compilation.table.attributesInTitle(resource).has(name) || name === resource.parameterName('name')
    return isIn ? [{ kind: 'title', name: resource.reference, ...getSpanPlace(resource.span), from: [] }] : []
  }

  #written(
    resource: CatalogResource,
    name: string,
    set: SetParameter,
    unwritten: readonly UnwrittenOrigin[],
  ): readonly Origin[] {
    const spanned = this.#recorder.at(set.span)
    if (spanned) return [this.#spanned(resource, name, spanned)]
    const found = unwritten.flatMap((each): Origin[] => {
      if (each.kind === 'data') return [...this.values.data(each.lookup)]
      if (each.kind === 'default')
        return [
          {
            kind: 'parameter default',
            name,
            ...getSpanPlace(each.evaluated.node.span),
            from: this.values.leaves(each.evaluated),
          },
        ]
      if (each.kind === 'statement') return []
      const container = each.container as CatalogResource
      return [
        {
          kind: 'container',
          name: container.reference,
          ...getSpanPlace(container.span),
          from: this.of(container, name),
        },
      ]
    })
    if (found.length > 0 || unwritten.length > 0) return found
    if (resource.origin !== undefined) return [{ kind: 'export', name: resource.origin.split('|', 1)[0]!, from: [] }]
    return this.#isClassified(resource) ? [{ kind: 'classification', name, from: [] }] : []
  }

  #isClassified({ definition, isClass }: CatalogResource): boolean {
    const { classes } = this.#compilation.request.node
    return isClass && definition.kind === 'class' && !Array.isArray(classes) && Object.hasOwn(classes, definition.name)
  }

  #spanned(resource: CatalogResource, name: string, { statement, operation, body }: SpanOwner): Origin {
    if (!operation) return this.#unspoken(resource, name, statement)
    const value = statement.parts.find(({ node }) => node === operation.value)
    const isHash = operation.kind === 'AttributesOperation'
    const kind = getOriginKind(statement, body?.title.kind === 'LiteralDefault', isHash)
    const from = value ? (isHash ? this.values.narrowed(value, [name]) : this.values.leaves(value)) : []
    return { kind, name, ...getSpanPlace(operation.span), from }
  }

  /**
   * Returns the origin of an attribute that is not written in a statement: it is from `create_resources()`, or from
   * defaults that apply to a collector's override.
   */
  #unspoken(resource: CatalogResource, name: string, statement: NodeEvaluation): Origin {
    const place = getSpanPlace(statement.node.span)
    if (statement.node.kind === 'Collect') {
      const brought = getResourceDefaults(this.#compilation, resource.type, statement.scope).get(name)
      const from = brought ? this.#written(resource, name, brought, []) : []
      return { kind: 'override by a collector', name, ...place, from }
    }
    const given = getCallArguments(statement)
    const paths = [[resource.title, name], [name]]
    const path = paths.flatMap((keys) =>
      given.filter(({ value }) => digValue(value, keys) !== undefined).map((each) => [each, keys] as const),
    )[0]
    const from = path ? this.values.narrowed(...path) : given.flatMap((each) => this.values.sources(each))
    return { kind: 'attributes from a hash', name: `${getFunctionName(statement)}()`, ...place, from }
  }

  /** Returns the origin of a relationship that an arrow or `require()` declared. */
  #statement(statement: NodeEvaluation): Origin {
    const name = statement.node.kind === 'Relationship' ? statement.node.operator : `${getFunctionName(statement)}()`
    return { kind: 'statement', name, ...getSpanPlace(statement.node.span), from: [] }
  }
}

function getOriginKind({ node }: NodeEvaluation, isDefaultBody: boolean, isHash: boolean): OriginKind {
  if (node.kind === 'ResourceDefaults') return 'resource default'
  if (node.kind === 'ResourceOverride') return 'override'
  if (node.kind === 'Collect') return 'override by a collector'
  if (isDefaultBody) return 'default of the expression'
  return isHash ? 'attributes from a hash' : 'attribute'
}
