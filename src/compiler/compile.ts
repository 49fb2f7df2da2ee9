import { ownRuby } from '../ruby/worker-share.ts'
import { beginCompilation } from './begin/compilation-setup.ts'
import type { Compilation } from './catalog/compilation.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { checkRelationships } from './finish/check-relationships.ts'
import { finishCompilation } from './finish/final-phase.ts'
import type { Reads } from './reads/compilation-reads.ts'
import { toCatalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest, CompileResult } from './request/compile-request.ts'
import { buildCatalog } from './write/catalog-output.ts'
import { listNodeExports } from './write/exported-resources.ts'
import { buildFullCatalog } from './write/full-catalog.ts'
import { buildStaticMetadata, type StaticMetadata } from './write/static-catalog-metadata.ts'

/**
 * Compiles the catalog of a node; records the reads of the compilation if `reads` is given. Equal requests give equal
 * catalogs. Throws CatalogError.
 */
export function compile(request: CompileRequest, share = ownRuby, reads?: Reads): CompileResult {
  const logs: CompileLog[] = []
  try {
    const compilation = beginCompilation(request, logs, { share, reads })
    evaluateCode(compilation)
    finishCompilation(compilation)
    checkRelationships(compilation, logs)
    const { catalog, bytes, metadataAt } = buildCatalog(compilation, getStaticMetadata(compilation))
    const exports = request.searchExports ? listNodeExports(compilation) : []
    const full = request.wantsFull ? buildFullCatalog(compilation, catalog) : undefined
    const [collects, lookups] = [[...compilation.collects], [...compilation.lookups]]
    reads?.end()
    return { catalog, bytes, metadataAt, full, logs, exports, collects, lookups, asked: compilation.asked }
  } catch (error) {
    throw toCatalogError(error, request, logs)
  }
}

/**
 * Returns the file metadata of a static catalog. Its commit times are not traced, since they are replaced when the
 * catalog is reused.
 */
function getStaticMetadata(compilation: Compilation): StaticMetadata {
  const { reads } = compilation
  return reads ? reads.fillingTime(() => buildStaticMetadata(compilation)) : buildStaticMetadata(compilation)
}
