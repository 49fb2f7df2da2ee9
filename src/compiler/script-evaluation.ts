import { evaluateNode } from '../language/evaluator/evaluation.ts'
import type { CallContext } from '../language/host.ts'
import type { Value } from '../language/values/value.ts'
import { beginCompilation } from './begin/compilation-setup.ts'
import { type Compilation, getFrame } from './catalog/compilation.ts'
import { evaluateCode } from './evaluate/evaluate-code.ts'
import { finishCompilation } from './finish/final-phase.ts'
import type { Hiera } from './hiera/hiera.ts'
import type { Reads } from './reads/compilation-reads.ts'
import { toCatalogError } from './request/catalog-error.ts'
import type { CompileLog, CompileRequest, CompileResult } from './request/compile-request.ts'
import { buildUnidentifiedCatalog } from './write/catalog-output.ts'

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

/** A catalog, with the names of the parameters that identify a resource by capitalized type. */
export interface WorkedCatalog extends Pick<CompileResult, 'catalog' | 'logs'> {
  readonly namevars: ReadonlyMap<string, readonly string[]>
  /** Types that Ruby files of modules define, capitalized. */
  readonly moduleTypes: readonly string[]
}

/** Code that was evaluated, whose catalog can still change. */
export interface EvaluatedCode {
  readonly compilation: Compilation
  readonly logs: readonly CompileLog[]
}

/** Evaluates the code for the node, and does not finish the catalog; `reads` records its inputs. Throws CatalogError. */
export function evaluateForWork(request: CompileRequest, reads?: Reads): EvaluatedCode {
  const logs: CompileLog[] = []
  try {
    const compilation = beginCompilation(request, logs, { reads })
    evaluateCode(compilation)
    return { compilation, logs }
  } catch (error) {
    throw toCatalogError(error, request, logs)
  }
}

/** Finishes the catalog, with all resources that were declared after the evaluation. Throws CatalogError. */
export function finishWork({ compilation, logs }: EvaluatedCode): WorkedCatalog {
  try {
    finishCompilation(compilation)
    const catalog = buildUnidentifiedCatalog(compilation, { metadata: new Map(), recursiveMetadata: new Map() })
    const natives = compilation.table.resources.flatMap(({ type, native }) =>
      native ? [[type, native.namevars] as const] : [],
    )
    const namevars = new Map(natives)
    const isOfModule = (type: string) => compilation.types.rubyTypeFile(type.toLowerCase()) !== undefined
    return { catalog, logs, namevars, moduleTypes: [...namevars.keys()].filter(isOfModule) }
  } catch (error) {
    throw toCatalogError(error, compilation.request, logs)
  }
}
