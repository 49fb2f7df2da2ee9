import type { Compilation } from '../catalog/compilation.ts'
import type { CompileLog } from '../request/compile-request.ts'
import { describeDependencyCycles } from './dependency-cycles.ts'
import { validateStoredRelationships } from './stored-relationships.ts'

/**
 * Rejects relationships that the store would reject, and logs warnings about dependency cycles. Throws
 * INVALID_RELATIONSHIP.
 */
export function checkRelationships(compilation: Compilation, logs: CompileLog[]): void {
  if (compilation.request.searchExports) validateStoredRelationships(compilation)
  warnAboutCycles(compilation, logs)
}

/**
 * Logs a warning about dependency cycles. Agents reject a catalog with a cycle, but the server sends the catalog, as
 * Puppet Server does.
 */
function warnAboutCycles({ table, related }: Compilation, logs: CompileLog[]): void {
  const message = describeDependencyCycles(table, related)
  if (message !== undefined)
    logs.push({ level: 'warning', message, source: 'Puppet', file: undefined, line: undefined, diagnostic: undefined })
}
