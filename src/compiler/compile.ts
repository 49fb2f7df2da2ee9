import { ownRuby } from '../ruby/ruby-share.ts'
import { begin } from './begin/begin.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { checkRelationships } from './finish/check-relationships.ts'
import { finish } from './finish/finish.ts'
import { catalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest, CompileResult } from './request/compile-request.ts'
import { catalogOf } from './write/catalog-of.ts'
import { exportsOf } from './write/exports-of.ts'
import { fullCatalogOf } from './write/full-catalog-of.ts'
import { staticMetadata } from './write/static.ts'

/** Makes the catalog of a node. The same request gives the same catalog. Throws CatalogError. */
export function compile(request: CompileRequest, share = ownRuby): CompileResult {
  const logs: CompileLog[] = []
  try {
    const compilation = begin(request, logs, { share })
    evaluateCode(compilation)
    finish(compilation)
    checkRelationships(compilation, logs)
    const { catalog, bytes } = catalogOf(compilation, staticMetadata(compilation))
    const exports = request.searchExports ? exportsOf(compilation) : []
    const full = request.wantsFull ? fullCatalogOf(compilation, catalog) : undefined
    const [collects, lookups] = [[...compilation.collects], [...compilation.lookups]]
    return { catalog, bytes, full, logs, exports, collects, lookups, asked: compilation.asked }
  } catch (error) {
    throw catalogError(error, request, logs)
  }
}
