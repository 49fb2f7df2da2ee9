import { expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { beginCompilation } from '../../../src/compiler/begin/compilation-setup.ts'
import { evaluateCode } from '../../../src/compiler/evaluate/evaluate-code.ts'
import { explainCatalog } from '../../../src/compiler/explain/catalog-explanation.ts'
import { finishCompilation } from '../../../src/compiler/finish/final-phase.ts'
import { ProvenanceRecorder } from '../../../src/compiler/provenance/provenance-recorder.ts'
import type { CompileLog, CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { buildCatalog } from '../../../src/compiler/write/catalog-output.ts'
import { formatCatalog } from '../../../src/model/catalog-text.ts'
import { readCases, requestIn, withFiles } from '../case.ts'

/** A catalog's bytes and messages, or why there is none. */
function outcomeOf(request: CompileRequest, provenance: ProvenanceRecorder | undefined): unknown {
  const logs: CompileLog[] = []
  try {
    const compilation = beginCompilation(request, logs, { provenance })
    evaluateCode(compilation)
    finishCompilation(compilation)
    const { catalog } = buildCatalog(compilation, { metadata: new Map(), recursiveMetadata: new Map() })
    return {
      text: formatCatalog(catalog, { richData: true }),
      logs: logs.map(({ level, message, line }) => ({ level, message, line })),
    }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return error.message
  }
}

it.each(readCases())('a catalog is the same when somebody watches: %s', (_name, each) =>
  withFiles(each, async (folder) => {
    const request = await requestIn(each, folder)
    const outcome = outcomeOf(request, undefined)
    expect(outcomeOf(request, new ProvenanceRecorder())).toEqual(outcome)
    if (typeof outcome === 'string') return
    const catalog = explainCatalog(request)
    const unexplained = catalog.resources.flatMap((resource) =>
      catalog
        .explain({ resource, parameter: undefined })
        .parameters.filter(({ origins }) => origins.length === 0)
        .map(({ name }) => `${resource}[${name}]`),
    )
    expect(unexplained).toEqual([])
  }),
)
