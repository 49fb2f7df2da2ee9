import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import type { Evaluated } from '../provenance/evaluated.ts'
import type { Recorder } from '../provenance/recorder.ts'
import { functionName } from './call-parts.ts'
import { type Frame, placeAt } from './origin.ts'
import type { ValueOrigins } from './value-origins.ts'

/** Largest number of nested containers to follow. */
const maxContainers = 200

/**
 * Returns the statements (declarations, calls, conditions) that led to a resource; the innermost statement is first.
 */
export function framesOf(
  compilation: Compilation,
  recorder: Recorder,
  values: ValueOrigins,
  resource: CatalogResource,
): readonly Frame[] {
  const frames: Frame[] = []
  let each: CatalogResource | undefined = resource
  for (let count = 0; each && count < maxContainers; count++) {
    const container = each.scope.resource as CatalogResource | undefined
    const within: string | undefined = container === each ? undefined : container?.reference
    const heir = recorder.heirOf(each) as CatalogResource | undefined
    if (heir) {
      const { span } = heir.definition as CodeDefinition
      frames.push({ kind: 'inherited', name: heir.reference, ...placeAt(span), from: [] })
      each = heir
      continue
    }
    if (each.origin !== undefined)
      frames.push({ kind: 'exported', name: each.origin.split('|', 1)[0]!, within, from: [] })
    else frames.push(...declarationOf(compilation, recorder, values, each, within))
    // No statement declares `Class[main]`, so the loop ends here.
    if (!container || container === each || container.reference === 'Class[main]') break
    each = container
  }
  return frames
}

/** Returns the collectors and `realize()` calls that realized a virtual resource. */
export function collectionsOf(recorder: Recorder, resource: CatalogResource): readonly Frame[] {
  return recorder.collectorsOf(resource).flatMap((collector) => {
    const statement = recorder.statementsOf(collector).at(-1)
    const name = statement ? collectorName(statement) : ''
    const within = statement?.scope.resource && `${statement.scope.resource.type}[${statement.scope.resource.title}]`
    return [{ kind: 'collected', name, within, ...placeAt(statement?.node.span), from: [] }]
  })
}

function collectorName(statement: Evaluated): string {
  const { node } = statement
  if (node.kind !== 'Collect') return `${functionName(statement)}()`
  return node.query.exported ? '<<| |>>' : '<| |>'
}

function declarationOf(
  { request }: Compilation,
  recorder: Recorder,
  values: ValueOrigins,
  resource: CatalogResource,
  within: string | undefined,
): readonly Frame[] {
  const statements = recorder.statementsOf(resource).toReversed()
  const name = resource.reference
  if (statements.length === 0) {
    const { classes } = request.node
    const given = Array.isArray(classes) ? classes : Object.keys(classes)
    const isGiven =
      resource.isClass && given.some((each) => each.replace(/^::/, '') === (resource.definition as CodeDefinition).name)
    if (isGiven) return [{ kind: 'classified', name, from: [] }]
    const { span } = resource.definition as CodeDefinition
    return [{ kind: 'declared', name, ...placeAt(resource.span ?? span), from: [] }]
  }
  let isDeclared = false
  return statements.flatMap((each): Frame[] => {
    const frame = frameOf(each, values, within)
    if (!frame) return []
    if (isDeclared || frame.kind === 'condition') return [frame]
    isDeclared = true
    return [{ ...frame, kind: 'declared', name: frame.kind === 'call' ? `${name} by ${frame.name}` : name }]
  })
}

function frameOf(statement: Evaluated, values: ValueOrigins, within: string | undefined): Frame | undefined {
  const { node } = statement
  const place = placeAt(node.span)
  switch (node.kind) {
    case 'Resource':
      return { kind: 'declared', name: '', within, ...place, from: [] }
    case 'CallNamedFunction':
    case 'CallMethod':
      return { kind: 'call', name: `${functionName(statement)}()`, within, ...place, from: [] }
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
