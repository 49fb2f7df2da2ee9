import { expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { begin } from '../../../src/compiler/begin/begin.ts'
import { evaluateCode } from '../../../src/compiler/evaluate/evaluate-code.ts'
import { explainedCatalog } from '../../../src/compiler/explain/explain.ts'
import { finish } from '../../../src/compiler/finish/finish.ts'
import { Recorder } from '../../../src/compiler/provenance/recorder.ts'
import type { CompileLog, CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { catalogOf } from '../../../src/compiler/write/catalog-of.ts'
import { catalogText } from '../../../src/model/catalog-text.ts'
import { readCases, requestIn, withFiles } from '../case.ts'

/** A catalog's bytes and messages, or why there is none. */
function outcomeOf(request: CompileRequest, provenance: Recorder | undefined): unknown {
  const logs: CompileLog[] = []
  try {
    const compilation = begin(request, logs, { provenance })
    evaluateCode(compilation)
    finish(compilation)
    const { catalog } = catalogOf(compilation, { metadata: new Map(), recursiveMetadata: new Map() })
    return {
      text: catalogText(catalog, { richData: true }),
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
    expect(outcomeOf(request, new Recorder())).toEqual(outcome)
    if (typeof outcome === 'string') return
    const catalog = explainedCatalog(request)
    const unexplained = catalog.resources.flatMap((resource) =>
      catalog
        .explain({ resource, parameter: undefined })
        .parameters.filter(({ origins }) => origins.length === 0)
        .map(({ name }) => `${resource}[${name}]`),
    )
    expect(unexplained).toEqual([])
  }),
)
