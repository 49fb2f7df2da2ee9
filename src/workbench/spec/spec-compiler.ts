import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import type { Compilation } from '../../compiler/catalog/compilation.ts'
import type { CompileLog, CompileRequest } from '../../compiler/request/compile-request.ts'
import {
  type EvaluatedCode,
  evaluateForWork,
  finishWork,
  type WorkedCatalog,
} from '../../compiler/script-evaluation.ts'
import { buildTrustedFacts } from '../../node/facts/trusted.ts'
import { toCatalogJson } from './catalog-json.ts'
import { computeRelations } from './catalog-relations.ts'
import { resolveDeferredValues } from './deferred-values.ts'
import { answerCall, describeFunction, FunctionError, type RubyBlocks } from './function-calls.ts'
import { recordReadPaths } from './read-paths.ts'
import { SpecEnvironments } from './spec-environments.ts'
import { parseSpecRequest, type SpecInputs, type SpecRequest } from './spec-request.ts'

/** Values for `$settings::` and the code of the run that do not depend on an example. */
export type SpecSettings = Pick<CompileRequest, 'settings' | 'rubyTimeout' | 'generators'>

/** Receives the paths in a module that the examples of a spec file read. */
export interface SpecReads {
  readonly module: string
  take(spec: string, path: string): void
}

const issues = defineIssues({
  NO_CALL: { text: () => 'The suite sent a call without a function' },
})

/** Compiles for the examples of one suite. Equal inputs are compiled once. */
export class SpecCompiler {
  readonly #settings: SpecSettings
  readonly #blocks: RubyBlocks
  readonly #reads: SpecReads | undefined
  readonly #environments = new SpecEnvironments()
  /** The compilation of the last call, which the next call of the same example continues. */
  #open: { readonly compilation: Compilation; readonly state: string } | undefined
  readonly #catalogs = new LRUCache<string, WorkedCatalog>({
    maxSize: budgets.spec.cachedResources.bound,
    sizeCalculation: ({ catalog }) => catalog.resources.length + 1,
  })

  constructor(settings: SpecSettings, blocks: RubyBlocks, reads?: SpecReads) {
    this.#settings = settings
    this.#reads = reads
    this.#blocks = blocks
  }

  /** Returns the reply to a request, as JSON text. An error of the code is a reply, too. */
  answer(text: string): string {
    try {
      return JSON.stringify({ ok: this.#run(parseSpecRequest(text)) })
    } catch (error) {
      return JSON.stringify({ error: toErrorJson(error) })
    }
  }

  #run(request: SpecRequest): Json {
    const { operation, inputs } = request
    if (operation === 'compile') return this.#compileToJson(request)
    if (operation === 'relate') return { ...computeRelations(this.#compile(request)) } as unknown as Json
    if (operation === 'function')
      return describeFunction(
        this.#evaluate({ ...request, inputs: { ...inputs, calls: [] } }),
        inputs.calls[0]?.name ?? '',
      )
    return this.#answerLast(request)
  }

  #compileToJson(request: SpecRequest): Json {
    const worked = this.#compile(request)
    return { catalog: toCatalogJson(worked, request.inputs.exported), logs: worked.logs.map(toLogJson) }
  }

  #compile(request: SpecRequest): WorkedCatalog {
    const known = this.#catalogs.get(request.key)
    if (known) return known
    const evaluated = this.#begin(request.inputs)
    this.#answerAll(evaluated.compilation, request.inputs.calls)
    const result = resolveDeferredValues(finishWork(evaluated), evaluated.compilation)
    this.#catalogs.set(request.key, result)
    return result
  }

  /** Answers the last call, in the compilation with the effects of the calls before it. */
  #answerLast(request: SpecRequest): Json {
    const calls = request.inputs.calls.slice(0, -1)
    const last = request.inputs.calls.at(-1) ?? throwIssue(issues.NO_CALL, {})
    const compilation = this.#evaluate({ ...request, inputs: { ...request.inputs, calls } })
    this.#open = { compilation, state: describeState({ ...request.inputs, calls: [...calls, last] }) }
    return answerCall(compilation, last, this.#blocks)
  }

  /** Evaluates the code and the calls, or continues with the compilation of the last request. */
  #evaluate({ inputs }: SpecRequest): Compilation {
    const state = describeState(inputs)
    if (this.#open?.state === state) return this.#open.compilation
    const { compilation } = this.#begin(inputs)
    this.#answerAll(compilation, inputs.calls)
    this.#open = { compilation, state }
    return compilation
  }

  #begin(inputs: SpecInputs): EvaluatedCode {
    const request = this.#toCompileRequest(inputs)
    if (!this.#reads) return evaluateForWork(request)
    const { module, take } = this.#reads
    const reads = recordReadPaths(request.environment, module, (path) => take(inputs.spec ?? '', path))
    return evaluateForWork({ ...request, environment: reads.environment }, reads)
  }

  /** Repeats calls for their effects. A call that fails again has no effect. */
  #answerAll(compilation: Compilation, calls: SpecInputs['calls']): void {
    for (const call of calls)
      try {
        answerCall(compilation, call, this.#blocks)
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error
      }
  }

  #toCompileRequest(inputs: SpecInputs): CompileRequest {
    const { node, parameters, facts, extensions, external, serverFacts, strict, strictVariables, exported } = inputs
    const environment = this.#environments.select(inputs)
    const { settings, ...others } = this.#settings
    return {
      node: { name: node, environment: environment.name, parameters, classes: [] },
      facts,
      trusted: buildTrustedFacts({ authenticated: 'remote', certname: node, extensions }, external),
      serverFacts,
      environment,
      staticChecksum: undefined,
      ...others,
      settings: { ...settings, environment: environment.name },
      // rspec-puppet creates a folder for each example.
      scratchFolder: typeof settings?.vardir === 'string' ? settings.vardir : undefined,
      keepsExported: exported,
      strict,
      strictVariables,
    }
  }
}

/** Identifies the state of a compilation: its inputs, with the calls so far. */
function describeState(inputs: SpecInputs): string {
  return JSON.stringify(inputs, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** A log message for Ruby: level, message, file and line. */
function toLogJson({ level, message, file, line }: CompileLog): Json {
  return [level, message, file ?? null, line ?? null]
}

/** An error for Ruby. `kind` selects the class of the exception. */
function toErrorJson(error: unknown): Json {
  if (!(error instanceof PuppetError)) return { kind: 'bug', message: String((error as Error)?.stack ?? error) }
  const raised = findFunctionError(error)
  if (!raised) return { kind: 'error', message: error.message }
  return { kind: 'function', message: raised.exceptionMessage, class: raised.exceptionClass }
}

function findFunctionError(error: unknown): FunctionError | undefined {
  if (error instanceof FunctionError) return error
  return error instanceof PuppetError && error.cause !== undefined ? findFunctionError(error.cause) : undefined
}
