import { budgets } from '../base/budgets.ts'
import { fail } from '../base/issue.ts'
import { lineOf } from '../base/source.ts'
import { dataFunctions } from '../hiera/data-functions.ts'
import { createHiera, type Hiera } from '../hiera/hiera.ts'
import { PuppetFunction } from '../language/evaluator/closure.ts'
import { contextOf } from '../language/evaluator/evaluate.ts'
import type { Scope } from '../language/evaluator/scope.ts'
import { provenFunction } from '../language/functions/modules/table.ts'
import { builtinFunctions } from '../language/functions/table.ts'
import type { CatalogBuilder, Host } from '../language/host.ts'
import { findNamedType } from '../language/types/find-named-type.ts'
import type { Callable } from '../language/values/callable.ts'
import { Hash } from '../language/values/hash.ts'
import { Timestamp } from '../language/values/time.ts'
import type { Value } from '../language/values/value.ts'
import { LegacyRubyFunction, RubyFunction } from '../ruby/functions.ts'
import type { RubyShare } from '../ruby/ruby-share.ts'
import type { RubySession } from '../ruby/session.ts'
import { templateFunctions } from '../ruby/templates.ts'
import { codeFiles } from './code-files.ts'
import { CodeTypes } from './code-types.ts'
import type { Compilation } from './compilation.ts'
import type { CompileLog, CompileRequest } from './compile-request.ts'
import { generatorsOf } from './generators.ts'
import { issues } from './issues.ts'
import type { KnownTypes } from './known-types.ts'
import { diagnosticLog } from './log-line.ts'
import type { ModuleFiles } from './module-files.ts'
import { rubySession } from './ruby-code.ts'

/** What a compilation's host is made of. */
export interface HostParts {
  readonly request: CompileRequest
  readonly types: KnownTypes
  readonly files: ModuleFiles
  readonly top: Scope
  readonly logs: CompileLog[]
  readonly catalog: CatalogBuilder | undefined
  /** The compilation itself, once it has begun. */
  compilation(): Compilation
  readonly share: RubyShare
}

/** The host of code that makes a catalog, the Ruby that it runs, and its data. */
export function compilerHost(parts: HostParts): {
  readonly host: Host
  readonly ruby: RubySession
  readonly hiera: Hiera
} {
  const { request, types, files, top, logs } = parts
  const functions = new Map<string, Callable | undefined>()
  const { settings } = request
  const remembered = <Found>(known: Map<string, Found | undefined>, name: string, find: () => Found | undefined) => {
    if (!known.has(name)) known.set(name, find())
    return known.get(name)
  }
  let said = 0
  const say = (log: CompileLog) => {
    const { messages, messagesText } = budgets.environment
    said += log.message.length + log.source.length
    if (logs.length >= messages.bound) fail(issues.TOO_MANY_MESSAGES, { most: messages.bound })
    if (said > messagesText.bound) fail(issues.MESSAGES_TOO_LONG, { most: messagesText.bound })
    logs.push(log)
  }
  const host: Host = {
    strict: request.strict,
    strictVariables: request.strictVariables,
    findFunction: (name) => remembered(functions, name, () => findFunction(name)),
    findType: (name) => codeTypes.find(name),
    typeNames: (near) => types.typeNames(near),
    functionNames: () => [...builtinFunctions.keys(), ...dataFunctions.keys(), ...templates.keys()],
    log(level, message, scope, span) {
      const line = span && lineOf(span)
      say({ level, message, source: scope.toString(), file: span?.source.file, line, diagnostic: undefined })
    },
    warn(diagnostic) {
      const known = diagnostic.once && logs.some((log) => log.diagnostic?.message === diagnostic.message)
      if (!known) say(diagnosticLog(diagnostic))
    },
    lookup: (query, scope) => hiera.lookup(query, scope),
    lookupContext: (module, context) => hiera.contextFor(module, context),
    setting(name) {
      if (name === 'all_local') return Hash.from(settings)
      return Object.hasOwn(settings, name) ? (settings[name] as Value) : undefined
    },
    time: new Timestamp(BigInt(Math.trunc(request.environment.tree.time)) * 1_000_000_000n),
    generate: generatorsOf(request.generators ?? []),
    files: codeFiles(files),
    catalog: parts.catalog,
  }

  const codeTypes = new CodeTypes(types, (name) => findNamedType(name, { host, scope: top }))
  const hiera = createHiera(request.environment, host, { keyFolders: request.keyFolders ?? [] })
  const ruby = rubySession(parts, host)
  const templates = templateFunctions(ruby)

  function findFunction(name: string): Callable | undefined {
    return (
      builtinFunctions.get(name) ??
      dataFunctions.get(name) ??
      templates.get(name) ??
      puppetFunction(name) ??
      moduleFunction(name)
    )
  }

  function puppetFunction(name: string): Callable | undefined {
    const definition = types.function(name)
    return definition && new PuppetFunction(definition.name, definition, contextOf(host, top))
  }

  /** A function that a module brings in Ruby; run without it where ours is proven to equal that very file. */
  function moduleFunction(name: string): Callable | undefined {
    const path = types.rubyFunction(name)
    const found = path ?? types.legacyRubyFunction(name)
    if (found === undefined) return undefined
    const code = host.files.readBytes(found)
    const native = code && provenFunction(name, code)
    if (native) return native
    return path === undefined ? new LegacyRubyFunction(ruby, name) : new RubyFunction(ruby, name, path)
  }

  return { host, ruby, hiera }
}
