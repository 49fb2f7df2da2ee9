import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { formatDiagnosticLine } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { PuppetFunction } from '../../language/evaluator/closure.ts'
import { makeContext } from '../../language/evaluator/evaluation.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import { resolveDeferred } from '../../language/functions/deferred.ts'
import { builtinFunctions } from '../../language/functions/table.ts'
import type { EvaluationHost, LogLevel } from '../../language/host.ts'
import { findProvenFunction, moduleFunctions } from '../../language/module-functions/table.ts'
import { readRichData } from '../../language/rich-data/read.ts'
import { toRichData } from '../../language/rich-data/write.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import { parseAndValidate } from '../../language/syntax/validation/validate.ts'
import type { Callable } from '../../language/values/callable.ts'
import { findSensitive } from '../../language/values/find-sensitive.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import type { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { resetByteCount } from '../../language/values/value-size-limits.ts'
import {
  type FunctionFile,
  type FunctionFolders,
  findFunctionFile,
  findModuleDirectory,
  findModuleFile,
} from './function-files.ts'
import { ourMask, runHostProgram } from './programs.ts'

/** The run whose Deferred values are evaluated. */
export interface DeferredScope extends FunctionFolders {
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly environment: string
  readonly settings: Readonly<Record<string, ExactJson>>
  /** URL of the script of the thread that sends requests to Vault; without it, Vault cannot be reached. */
  readonly vaultScript?: string
}

/** A log message of a function. */
export interface DeferredLog {
  readonly level: LogLevel
  readonly message: string
  /** Source of the message; undefined for the run. */
  readonly source?: string
}

/** The result of a Deferred value or its error, with the secrets to redact. */
export interface DeferredResult {
  readonly value?: Value
  readonly error?: unknown
  /** The Sensitive arguments and results of the calls. */
  readonly sensitive: readonly Sensitive[]
  readonly logs: readonly DeferredLog[]
}

/** Functions that run in the thread of Ruby, which may wait. */
export interface RubyFunctions {
  readonly templates: ReadonlyMap<string, Callable>
  /** `vault_lookup::lookup`, if no module provides it; it starts no Ruby. */
  readonly vaultLookup: Callable
  create(name: string, file: FunctionFile): Callable
}

/** Writes a value as text of rich data, to send it to another thread. */
export function formatRichData(value: Value): string {
  return formatExactJson(toRichData(value, { richData: true, bytes: 'escaped' }))
}

/** Reads a value from text of rich data. */
export function parseRichData(text: string): Value {
  return readRichData(parseJson(text))
}

/** Thrown for a call that needs the thread of Ruby if the evaluation is in another thread. */
export class RubyNeededError extends Error {}

/**
 * Evaluates Deferred values in the top scope of a node, which contains the facts and no catalog. Without `createRuby`, a
 * value that needs Ruby throws RubyNeededError. Puppet: parser/script_compiler.rb.
 */
export class DeferredEvaluation {
  readonly #scope: DeferredScope
  readonly #top = new Scope(undefined)
  readonly #known = new Map<string, Callable | undefined>()
  readonly #ruby: RubyFunctions | undefined
  #logs: DeferredLog[] = []
  #sensitive: Sensitive[] = []
  readonly host: EvaluationHost

  constructor(
    scope: DeferredScope,
    createRuby: ((host: EvaluationHost, top: Scope) => RubyFunctions) | undefined = undefined,
  ) {
    this.#scope = scope
    const { facts, environment } = scope
    for (const [name, value] of Object.entries(facts)) this.#top.set(name, convertJsonToValue(value))
    this.#top.set('facts', convertJsonToValue(facts))
    this.#top.set('environment', environment)
    this.host = this.#createHost()
    this.#ruby = createRuby?.(this.host, this.#top)
  }

  /** Resolves a value that contains Deferred values. Throws only RubyNeededError. */
  evaluate(value: Value): DeferredResult {
    resetByteCount()
    this.#logs = []
    const sensitive: Sensitive[] = []
    this.#sensitive = sensitive
    const context = { host: this.host, scope: this.#top, span: undefined }
    try {
      const result = resolveDeferred(value, context, (each) => sensitive.push(each))
      return { value: result, sensitive, logs: this.#logs }
    } catch (error) {
      if (error instanceof RubyNeededError) throw error
      return { error, sensitive, logs: this.#logs }
    }
  }

  #createHost(): EvaluationHost {
    const { settings } = this.#scope
    return {
      strict: 'error',
      strictVariables: true,
      findFunction: (name) => this.#findFunction(name),
      findType: () => undefined,
      functionNames: () => builtinFunctions.keys(),
      log: (level, message) => this.#logs.push({ level, message }),
      warn: (diagnostic) => this.#logs.push({ level: 'warning', message: formatDiagnosticLine(diagnostic) }),
      // A node has no Hiera data; the default value is the result, if there is one.
      lookup: () => ({ found: false }),
      setting: (name) => convertJsonToValue(settings[name] ?? null),
      generate: runGenerator,
      files: {
        findInModule: (kind, name) => findModuleFile(kind, name, this.#scope),
        readText(path) {
          const bytes = readExistingFile(path)
          return bytes && decodeLosslessUtf8(bytes)
        },
        readBytes: readExistingFile,
        exists: existsSync,
        contentId: () => undefined,
        moduleDirectory: (name) => findModuleDirectory(name, this.#scope),
      },
      catalog: undefined,
      // The language measures each call, also calls by functions and templates.
      profile: { measure: (_kind, _name, work) => this.#watchSensitive(work()) },
    }
  }

  #watchSensitive<Result>(result: Result): Result {
    this.#sensitive.push(...findSensitive(result))
    return result
  }

  #findFunction(name: string): Callable | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name))
    return this.#known.get(name)
  }

  #find(name: string): Callable | undefined {
    const builtin = builtinFunctions.get(name)
    if (builtin) return builtin
    if (name === 'template' || name === 'inline_template') return this.#needRuby().templates.get(name)
    const file = findFunctionFile(name, this.#scope)
    if (file === undefined)
      return name === 'vault_lookup::lookup' ? this.#needRuby().vaultLookup : moduleFunctions.get(name)
    if (file.kind === 'puppet') return this.#puppetFunction(name, file.path)
    return findProvenFunction(name, readFileSync(file.path)) ?? this.#needRuby().create(name, file)
  }

  #needRuby(): RubyFunctions {
    if (!this.#ruby) throw new RubyNeededError()
    return this.#ruby
  }

  #puppetFunction(name: string, path: string): Callable | undefined {
    const { program } = parseAndValidate({ file: path, text: decodeLosslessUtf8(readFileSync(path)) })
    const found = program.definitions.find((each) => each.kind === 'FunctionDefinition' && each.name === name)
    if (found?.kind !== 'FunctionDefinition') return undefined
    return new PuppetFunction(found.name, found, makeContext(this.host, this.#top))
  }
}

function readExistingFile(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}

/** Runs a program of this machine for `generate()`, and returns its output. Puppet: parser/functions/generate.rb. */
function runGenerator(command: readonly string[]): string {
  const [program = ''] = command
  const { status, out } = runHostProgram({
    command,
    out: 'pipe',
    err: 'out',
    input: null,
    env: { PATH: process.env['PATH'] ?? null },
    cwd: dirname(program),
    seconds: null,
    umask: ourMask,
  }) as { readonly status: number; readonly out: string }
  const output = decodeLosslessUtf8(Buffer.from(out, 'base64'))
  if (status === 0) return output
  return throwArgumentError(
    `Failed to execute generator ${program}: Execution of '${command.join(' ')}' returned ${status}: ${output.trim()}`,
  )
}
