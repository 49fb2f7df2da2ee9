import { evaluateNode } from '../language/evaluator/evaluation.ts'
import type { CallContext } from '../language/host.ts'
import type { Value } from '../language/values/value.ts'
import { beginCompilation } from './begin/compilation-setup.ts'
import { getFrame } from './catalog/compilation.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { finishCompilation } from './finish/final-phase.ts'
import type { Hiera } from './hiera/hiera.ts'
import { toCatalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest } from './request/compile-request.ts'

/**
 * Runs the manifest without creating a catalog; returns the value of its last statement and the logs. Throws
 * CatalogError.
 */
export function runScript(request: CompileRequest): { readonly value: Value; readonly logs: readonly CompileLog[] } {
  const logs: CompileLog[] = []
  try {
    const compilation = beginCompilation(request, logs, { makesCatalog: false })
    const { host, top } = compilation
    let value: Value
    for (const program of getFrame(compilation, top).definition.body) value = evaluateNode(program, host, top)
    return { value, logs }
  } catch (error) {
    throw toCatalogError(error, request, logs)
  }
}

/** A function that runs in the top scope of a compilation and can use the compilation's Hiera. */
export type TopScopeWork<Result> = (context: CallContext, hiera: Hiera) => Result

/**
 * Runs `work` in the top scope of a compilation that evaluates no manifest, for the evaluation of separate templates.
 */
export function runInTopScope<Result>(request: CompileRequest, work: TopScopeWork<Result>): Result {
  const { host, top, hiera } = beginCompilation(request, [])
  return work({ host, scope: top, span: undefined }, hiera)
}

/**
 * Runs `work` in the top scope after all code for the node has been evaluated. Throws CatalogError if the evaluation
 * fails.
 */
export function runAfterEvaluation<Result>(request: CompileRequest, work: TopScopeWork<Result>): Result {
  const logs: CompileLog[] = []
  const compilation = beginCompilation(request, logs)
  try {
    evaluateCode(compilation)
    finishCompilation(compilation)
  } catch (error) {
    throw toCatalogError(error, request, logs)
  }
  return work({ host: compilation.host, scope: compilation.top, span: undefined }, compilation.hiera)
}
