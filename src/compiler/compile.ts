import { ownRuby } from '../ruby/worker-share.ts'
import { beginCompilation } from './begin/compilation-setup.ts'
import type { Compilation } from './catalog/compilation.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { checkRelationships } from './finish/check-relationships.ts'
import { finishCompilation } from './finish/final-phase.ts'
import { measurePhase } from './profile/measure-phase.ts'
import { PhaseClock } from './profile/phase-clock.ts'
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
  const clock = new PhaseClock(request)
  try {
    const compilation = clock.run('begin', () => beginCompilation(request, logs, { share, reads }))
    clock.run('evaluate', () => evaluateCode(compilation))
    clock.run('finish', () => {
      finishCompilation(compilation)
      checkRelationships(compilation, logs)
    })
    const written = clock.run('write', () => writeCatalog(compilation))
    const [collects, lookups] = [[...compilation.collects], [...compilation.lookups]]
    reads?.end()
    const costs = { phases: clock.durations, rubyCalls: compilation.rubyCalls.byOutcome }
    return { ...written, logs, collects, lookups, asked: compilation.asked, costs }
  } catch (error) {
    throw toCatalogError(error, request, logs)
  }
}

function writeCatalog(
  compilation: Compilation,
): Pick<CompileResult, 'catalog' | 'bytes' | 'metadataAt' | 'exports' | 'full'> {
  const { request, host } = compilation
  const metadata = measurePhase(host, 'read file metadata', () => getStaticMetadata(compilation))
  const { catalog, bytes, metadataAt } = buildCatalog(compilation, metadata)
  const exports = request.searchExports ? listNodeExports(compilation) : []
  const full = request.wantsFull ? buildFullCatalog(compilation, catalog) : undefined
  return { catalog, bytes, metadataAt, exports, full }
}

/**
 * Returns the file metadata of a static catalog. Its commit times are not traced, since they are replaced when the
 * catalog is reused.
 */
function getStaticMetadata(compilation: Compilation): StaticMetadata {
  const { reads } = compilation
  return reads ? reads.fillingTime(() => buildStaticMetadata(compilation)) : buildStaticMetadata(compilation)
}
