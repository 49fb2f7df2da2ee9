import { PuppetError } from '../../base/issue.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { CallContext, EvaluationHost } from '../../language/host.ts'
import { readRichData } from '../../language/rich-data/rich-data.ts'
import { formatAsString } from '../../language/types/printing/ruby-text.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import type { Value } from '../../language/values/value.ts'
import { resetByteCount } from '../../language/values/value-size-limits.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { computeTitlePart } from '../../ruby/resource-types.ts'
import { ownRuby, type RubyShare } from '../../ruby/worker-share.ts'
import { CatalogResource } from '../catalog/catalog-resource.ts'
import { Compilation } from '../catalog/compilation.ts'
import { ResourceTable } from '../catalog/resource-table.ts'
import { type CodeDefinition, createMainClass } from '../code/code-definition.ts'
import { CodeTypes } from '../code/code-types.ts'
import { type DefinitionKind, KnownTypes, listSiteManifests } from '../code/definition-lookup.ts'
import { getModuleFiles } from '../code/module-files.ts'
import type { ModuleTypes } from '../code/native-types.ts'
import type { CodeOptions } from '../code/source-cache.ts'
import { createHiera } from '../hiera/hiera.ts'
import { measurePhase } from '../profile/measure-phase.ts'
import type { ProvenanceRecorder } from '../provenance/provenance-recorder.ts'
import type { Reads } from '../reads/compilation-reads.ts'
import { WatchedModuleFiles } from '../reads/watched-module-files.ts'
import type { CompileLog, CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'
import { createRubySession } from '../ruby/ruby-code.ts'
import { RubyTypes } from '../ruby/ruby-types.ts'
import { createCatalogBuilder } from './catalog-builder.ts'
import { createCompilerHost } from './compiler-host.ts'
import { formatExportedResources } from './exported-resources-text.ts'
import { KnownFunctions } from './function-lookup.ts'
import { checkParameterName, ignoredNames } from './node-parameters.ts'

/** Options of `beginCompilation`: the kind of compilation, and recorders. */
interface BeginOptions {
  readonly makesCatalog?: boolean
  readonly share?: RubyShare
  /** Records the inputs that the compilation reads, for a trace. */
  readonly reads?: Reads | undefined
  /** Records the origin of values, for `explain`. */
  readonly provenance?: ProvenanceRecorder | undefined
}

/**
 * Prepares a compilation: creates the host, the top scope with its variables, and a catalog that contains only the main
 * class.
 */
export function beginCompilation(
  request: CompileRequest,
  logs: CompileLog[],
  { makesCatalog = true, share = ownRuby, reads, provenance }: BeginOptions = {},
): Compilation {
  resetByteCount()
  const { environment } = request
  const options = { strict: request.strict, tasks: !makesCatalog }
  const found = getModuleFiles(environment)
  const files = reads ? new WatchedModuleFiles(found, reads) : found
  const compilation = new Compilation(reads ? watchRequest(request, reads) : request, reads, provenance)
  reads?.atEnd(() => {
    for (const [question, answer] of compilation.asked) reads.noteAnswer('outside', [question], answer)
  })
  const { top } = compilation

  // The order matters: the parts created later need the host, and the host needs them only when code runs.
  const host = createCompilerHost(
    compilation,
    files,
    logs,
    makesCatalog ? createCatalogBuilder(compilation) : undefined,
  )
  compilation.host = host
  compilation.hiera = createHiera(compilation.environment, host, { keyFolders: request.keyFolders ?? [] })
  const ruby = createRubySession(compilation, found, share)
  compilation.ruby = ruby
  compilation.functions = new KnownFunctions(compilation)
  const atTop: CallContext = { host, scope: top, span: undefined }
  const rubyTypes = new RubyTypes(ruby, share.types, environment, found)
  const measured = request.profile ? measureTypes(rubyTypes, host) : rubyTypes
  const types = reads ? watchTypes(measured, reads) : measured
  const uses = reads && ((kind: DefinitionKind, name: string) => reads.note('definition', kind, name))
  compilation.types = new KnownTypes(files, options, types, atTop, uses)
  compilation.codeTypes = new CodeTypes(compilation.types, atTop)
  compilation.table = new ResourceTable((type, at, text) => computeTitlePart(ruby, type, at, text))

  addMain(
    compilation,
    measurePhase(host, 'parse', () => importManifests(compilation, options)),
  )
  setTopScopeVariables(compilation, logs)
  return compilation
}

/** Returns a copy of the request whose functions record their calls. */
function watchRequest(request: CompileRequest, reads: Reads): CompileRequest {
  const { searchExports } = request
  return {
    ...request,
    searchExports:
      searchExports &&
      ((search) => {
        const found = searchExports(search)
        reads.noteAnswer('exports', [JSON.stringify(search)], formatExportedResources(found))
        return found
      }),
  }
}

/** Returns the modules' Ruby types, so that each lookup of a type is recorded. */
function watchTypes(types: ModuleTypes, reads: Reads): ModuleTypes {
  return {
    find(name) {
      reads.note('ruby-types')
      return types.find(name)
    },
  }
}

/** Wraps Ruby types so that the time for reading their definitions is measured. */
function measureTypes(types: ModuleTypes, host: EvaluationHost): ModuleTypes {
  return { find: (name) => measurePhase(host, 'read resource types', () => types.find(name)) }
}

/** The main class runs in the top scope. */
function addMain({ top, frames }: Compilation, definition: CodeDefinition): void {
  const place = { scope: top, source: definition, span: undefined }
  const main = new CatalogResource({ type: 'class', title: '', definition, ...place })
  main.addTag('class')
  top.resource = main
  frames.set(top, { definition, resource: main, defaults: new Map() })
}

/** Parses the site manifests, whose top-level code becomes the main class. */
function importManifests({ environment, types, reads }: Compilation, options: CodeOptions): CodeDefinition {
  reads?.note('site')
  const parsed = parseSiteManifests(environment, options)
  types.addSite(parsed)
  return createMainClass(parsed.map(({ program }) => program))
}

function parseSiteManifests(
  environment: CompileRequest['environment'],
  options: CodeOptions,
): ReturnType<typeof listSiteManifests> {
  try {
    return listSiteManifests(environment, options)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const message = `Could not parse for environment ${environment.name}: ${error.diagnostic.message}`
    throw new VerbatimError({ ...error.diagnostic, message }, { cause: error })
  }
}

/**
 * Sets the top-scope variables: node parameters from the classifier, facts that no parameter hides, and the reserved
 * hashes such as `$facts`.
 */
function setTopScopeVariables({ request, top, reads }: Compilation, logs: CompileLog[]): void {
  const { node, facts, serverFacts, trusted, environment } = request
  for (const [name, value] of Object.entries(node.parameters)) setVariable(top, name, readRichData(value))
  for (const values of [facts, serverFacts])
    for (const [name, json] of Object.entries(values)) {
      const value = convertJsonToValue(json)
      if (!top.isBound(name)) setVariable(top, name, values === facts && reads ? reads.fact(value, [name]) : value)
      else if (Object.hasOwn(node.parameters, name)) {
        logs.push(createHiddenFactWarning(node.name, name, top.get(name), value))
        reads?.note('variable', name)
        reads?.note('all-facts', name)
      }
    }
  reads?.note('special-parameters')
  top.set('module_name', '')
  top.set('environment', environment.name)
  const trustedData = convertJsonToValue(trusted)
  top.set('trusted', reads ? reads.trusted(trustedData) : trustedData)
  top.set('server_facts', convertJsonToValue(serverFacts))
  const all = convertJsonToValue(facts)
  top.set('facts', reads ? reads.fact(all, []) : all)
  if (reads) top.watch(reads.variables)
}

function setVariable(top: Scope, name: string, value: Value): void {
  if (ignoredNames.has(name)) return
  checkParameterName(name)
  top.set(name, value)
}

/** Warning that a classifier parameter hides a fact; logged once. Puppet: `Puppet::Node#merge`. */
function createHiddenFactWarning(node: string, name: string, value: Value, fact: Value): CompileLog {
  const text = issues.HIDDEN_FACT.text({ node, name, value: formatAsString(value), fact: formatAsString(fact) })
  return {
    level: 'warning',
    message: text,
    source: 'Puppet',
    file: undefined,
    line: undefined,
    diagnostic: undefined,
    once: true,
  }
}
