import { evaluate } from '../language/evaluator/evaluate.ts'
import type { CallContext } from '../language/host.ts'
import type { Value } from '../language/values/value.ts'
import { begin } from './begin/begin.ts'
import { frameOf } from './catalog/compilation.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { finish } from './finish/finish.ts'
import type { Hiera } from './hiera/hiera.ts'
import { catalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest } from './request/compile-request.ts'

/**
 * Runs the manifest without creating a catalog; returns the value of its last statement and the logs. Throws
 * CatalogError.
 */
export function runScript(request: CompileRequest): { readonly value: Value; readonly logs: readonly CompileLog[] } {
  const logs: CompileLog[] = []
  try {
    const compilation = begin(request, logs, { makesCatalog: false })
    const { host, top } = compilation
    let value: Value
    for (const program of frameOf(compilation, top).definition.body) value = evaluate(program, host, top)
    return { value, logs }
  } catch (error) {
    throw catalogError(error, request, logs)
  }
}

/** A function that runs in the top scope of a compilation and can use the compilation's Hiera. */
export type AtTopScope<Result> = (context: CallContext, hiera: Hiera) => Result

/**
 * Runs `work` in the top scope of a compilation that evaluates no manifest, for the evaluation of separate templates.
 */
export function atTopScope<Result>(request: CompileRequest, work: AtTopScope<Result>): Result {
  const { host, top, hiera } = begin(request, [])
  return work({ host, scope: top, span: undefined }, hiera)
}

/**
 * Runs `work` in the top scope after all code for the node has been evaluated. Throws CatalogError if the evaluation
 * fails.
 */
export function afterCompiling<Result>(request: CompileRequest, work: AtTopScope<Result>): Result {
  const logs: CompileLog[] = []
  const compilation = begin(request, logs)
  try {
    evaluateCode(compilation)
    finish(compilation)
  } catch (error) {
    throw catalogError(error, request, logs)
  }
  return work({ host: compilation.host, scope: compilation.top, span: undefined }, compilation.hiera)
}
