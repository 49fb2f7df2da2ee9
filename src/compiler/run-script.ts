import type { Hiera } from '../hiera/hiera.ts'
import { evaluate } from '../language/evaluator/evaluate.ts'
import type { CallContext } from '../language/host.ts'
import type { Value } from '../language/values/value.ts'
import { begin } from './begin.ts'
import { catalogError } from './catalog-error.ts'
import { frameOf } from './compilation.ts'
import type { CompileLog, CompileRequest } from './compile-request.ts'

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

/** What is done at the top scope of a compilation, with its data. */
export type AtTopScope<Result> = (context: CallContext, hiera: Hiera) => Result

/** Does `work` at the top scope of a compilation that evaluates no manifest: what templates on their own see. */
export function atTopScope<Result>(request: CompileRequest, work: AtTopScope<Result>): Result {
  const { host, top, hiera } = begin(request, [])
  return work({ host, scope: top, span: undefined }, hiera)
}
