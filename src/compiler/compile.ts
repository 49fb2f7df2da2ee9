import { ownRuby } from '../ruby/ruby-share.ts'
import { begin } from './begin/begin.ts'
import type { Compilation } from './catalog/compilation.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { checkRelationships } from './finish/check-relationships.ts'
import { finish } from './finish/finish.ts'
import type { Reads } from './reads/reads.ts'
import { catalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest, CompileResult } from './request/compile-request.ts'
import { catalogOf } from './write/catalog-of.ts'
import { exportsOf } from './write/exports-of.ts'
import { fullCatalogOf } from './write/full-catalog-of.ts'
import { type StaticMetadata, staticMetadata } from './write/static.ts'

/**
 * Compiles the catalog of a node; records the reads of the compilation if `reads` is given. Equal requests give equal
 * catalogs. Throws CatalogError.
 */
export function compile(request: CompileRequest, share = ownRuby, reads?: Reads): CompileResult {
  const logs: CompileLog[] = []
  try {
    const compilation = begin(request, logs, { share, reads })
    evaluateCode(compilation)
    finish(compilation)
    checkRelationships(compilation, logs)
    const { catalog, bytes, metadataAt } = catalogOf(compilation, metadataOf(compilation))
    const exports = request.searchExports ? exportsOf(compilation) : []
    const full = request.wantsFull ? fullCatalogOf(compilation, catalog) : undefined
    const [collects, lookups] = [[...compilation.collects], [...compilation.lookups]]
    reads?.end()
    return { catalog, bytes, metadataAt, full, logs, exports, collects, lookups, asked: compilation.asked }
  } catch (error) {
    throw catalogError(error, request, logs)
  }
}

/**
 * Returns the file metadata of a static catalog. Its commit times are not traced, since they are replaced when the
 * catalog is reused.
 */
function metadataOf(compilation: Compilation): StaticMetadata {
  const { reads } = compilation
  return reads ? reads.fillingTime(() => staticMetadata(compilation)) : staticMetadata(compilation)
}
