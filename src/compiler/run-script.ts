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

/** Runs the manifest without making a catalog; what it is worth, and what it said. Throws CatalogError. */
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

/** Work at the top scope of a compilation, with the compilation's Hiera. */
export type AtTopScope<Result> = (context: CallContext, hiera: Hiera) => Result

/** Does `work` at the top scope of a compilation that evaluates no manifest: what templates on their own see. */
export function atTopScope<Result>(request: CompileRequest, work: AtTopScope<Result>): Result {
  const { host, top, hiera } = begin(request, [])
  return work({ host, scope: top, span: undefined }, hiera)
}

/** Does `work` at the top scope when all code of the node has run. Throws CatalogError when that fails. */
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
