import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import type { NodeEvaluation } from '../provenance/node-evaluation.ts'
import type { ProvenanceRecorder } from '../provenance/provenance-recorder.ts'
import { getFunctionName } from './call-parts.ts'
import { type ExplanationFrame, getSpanPlace } from './origin.ts'
import type { ValueOrigins } from './value-origins.ts'

/** Largest number of nested containers to follow. */
const maxContainers = 200

/**
 * Returns the statements (declarations, calls, conditions) that led to a resource; the innermost statement is first.
 */
export function listDeclarationFrames(
  compilation: Compilation,
  recorder: ProvenanceRecorder,
  values: ValueOrigins,
  resource: CatalogResource,
): readonly ExplanationFrame[] {
  const frames: ExplanationFrame[] = []
  let each: CatalogResource | undefined = resource
  for (let count = 0; each && count < maxContainers; count++) {
    const container = each.scope.resource as CatalogResource | undefined
    const within: string | undefined = container === each ? undefined : container?.reference
    const heir = recorder.getInheritingClass(each) as CatalogResource | undefined
    if (heir) {
      const { span } = heir.definition as CodeDefinition
      frames.push({ kind: 'inherited', name: heir.reference, ...getSpanPlace(span), from: [] })
      each = heir
      continue
    }
    if (each.origin !== undefined)
      frames.push({ kind: 'exported', name: each.origin.split('|', 1)[0]!, within, from: [] })
    else frames.push(...listStatementFrames(compilation, recorder, values, each, within))
    // No statement declares `Class[main]`, so the loop ends here.
    if (!container || container === each || container.reference === 'Class[main]') break
    each = container
  }
  return frames
}

/** Returns the collectors and `realize()` calls that realized a virtual resource. */
export function listCollectorFrames(
  recorder: ProvenanceRecorder,
  resource: CatalogResource,
): readonly ExplanationFrame[] {
  return recorder.getCollectors(resource).flatMap((collector) => {
    const statement = recorder.getStatements(collector).at(-1)
    const name = statement ? formatCollectorName(statement) : ''
    const within = statement?.scope.resource && `${statement.scope.resource.type}[${statement.scope.resource.title}]`
    return [{ kind: 'collected', name, within, ...getSpanPlace(statement?.node.span), from: [] }]
  })
}

function formatCollectorName(statement: NodeEvaluation): string {
  const { node } = statement
  if (node.kind !== 'Collect') return `${getFunctionName(statement)}()`
  return node.query.exported ? '<<| |>>' : '<| |>'
}

function listStatementFrames(
  { request }: Compilation,
  recorder: ProvenanceRecorder,
  values: ValueOrigins,
  resource: CatalogResource,
  within: string | undefined,
): readonly ExplanationFrame[] {
  const statements = recorder.getStatements(resource).toReversed()
  const name = resource.reference
  if (statements.length === 0) {
    const { classes } = request.node
    const given = Array.isArray(classes) ? classes : Object.keys(classes)
    const isGiven =
      resource.isClass && given.some((each) => each.replace(/^::/, '') === (resource.definition as CodeDefinition).name)
    if (isGiven) return [{ kind: 'classified', name, from: [] }]
    const { span } = resource.definition as CodeDefinition
    return [{ kind: 'declared', name, ...getSpanPlace(resource.span ?? span), from: [] }]
  }
  let isDeclared = false
  return statements.flatMap((each): ExplanationFrame[] => {
    const frame = toFrame(each, values, within)
    if (!frame) return []
    if (isDeclared || frame.kind === 'condition') return [frame]
    isDeclared = true
    return [{ ...frame, kind: 'declared', name: frame.kind === 'call' ? `${name} by ${frame.name}` : name }]
  })
}

function toFrame(
  statement: NodeEvaluation,
  values: ValueOrigins,
  within: string | undefined,
): ExplanationFrame | undefined {
  const { node } = statement
  const place = getSpanPlace(node.span)
  switch (node.kind) {
    case 'Resource':
      return { kind: 'declared', name: '', within, ...place, from: [] }
    case 'CallNamedFunction':
    case 'CallMethod':
      return { kind: 'call', name: `${getFunctionName(statement)}()`, within, ...place, from: [] }
    case 'If':
    case 'Unless':
    case 'Case':
    case 'Selector': {
      const test = statement.parts[0]
      const from = test ? values.sources(test) : []
      return { kind: 'condition', name: node.kind.toLowerCase(), within, ...place, from }
    }
    default:
      return undefined
  }
}
