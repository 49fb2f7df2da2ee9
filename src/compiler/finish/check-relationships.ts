import type { Compilation } from '../catalog/compilation.ts'
import type { CompileLog } from '../request/compile-request.ts'
import { dependencyCycles } from './dependency-cycles.ts'
import { validateStoredRelationships } from './stored-relationships.ts'

/** Refuses relationships that the store would refuse, and warns of circles. Throws INVALID_RELATIONSHIP. */
export function checkRelationships(compilation: Compilation, logs: CompileLog[]): void {
  if (compilation.request.searchExports) validateStoredRelationships(compilation)
  warnOfCycles(compilation, logs)
}

/** Its agent will refuse such a catalog; it goes out, as Puppet's does. */
function warnOfCycles({ table, related }: Compilation, logs: CompileLog[]): void {
  const message = dependencyCycles(table, related)
  if (message !== undefined)
    logs.push({ level: 'warning', message, source: 'Puppet', file: undefined, line: undefined, diagnostic: undefined })
}
