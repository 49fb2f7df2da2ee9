import type { Value } from '../../language/values/value.ts'
import type { Catalog } from '../../model/catalog.ts'
import type { NodeUse } from './coverage.ts'

/** Returns the use of code by a catalog and by its compilation; `reads` are the reads of the compilation. */
export function computeNodeUse(
  { classes, resources }: Pick<Catalog, 'classes' | 'resources'>,
  reads: NodeUse['reads'],
): NodeUse {
  const types = new Set(resources.map(({ type }) => type))
  const sources = resources
    .filter(({ type }) => type === 'File')
    .flatMap(({ parameters }) => listTexts((parameters as ReadonlyMap<string, Value>).get('source')))
  return { reads, classes, types, sources }
}

function listTexts(value: Value): string[] {
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap(listTexts)
  return typeof value === 'string' ? [value] : []
}
