import { PuppetError } from '../base/issue.ts'
import { contextOf } from '../language/evaluator/evaluate.ts'
import { VerbatimError } from '../language/evaluator/evaluation-error.ts'
import { Scope } from '../language/evaluator/scope.ts'
import type { Type } from '../language/types/type.ts'
import { valueFromJson } from '../language/values/value-from-json.ts'
import { changedTitlePart } from '../ruby/types.ts'
import type { RubyWatch } from '../ruby/watch.ts'
import { catalogBuilder } from './catalog-builder.ts'
import { CatalogResource } from './catalog-resource.ts'
import { type CodeDefinition, mainClass } from './code-definition.ts'
import type { Compilation } from './compilation.ts'
import type { CompileLog, CompileRequest } from './compile-request.ts'
import { compilerHost } from './compiler-host.ts'
import { KnownTypes, siteManifests } from './known-types.ts'
import { diagnosticLog } from './log-line.ts'
import { ModuleFiles } from './module-files.ts'
import { ResourceTable } from './resource-table.ts'
import { rubyType } from './ruby-types.ts'
import type { CodeOptions } from './source-cache.ts'

/** Everything that a compilation needs, its top scope filled, and nothing in it yet but the class without a name. */
export function begin(
  request: CompileRequest,
  logs: CompileLog[],
  { makesCatalog = true, watch }: { makesCatalog?: boolean; watch?: RubyWatch | undefined } = {},
): Compilation {
  const options = { strict: request.strict, tasks: !makesCatalog }
  const files = new ModuleFiles(request.environment, options)
  const types = new KnownTypes(files, (diagnostic) => logs.push(diagnosticLog(diagnostic)), {
    typeOf: (expression) => contextOf(host, top).evaluate(expression) as Type,
    rubyType: (name) => rubyType(ruby, request.environment, files, name),
  })
  const definition = importManifests(request, types, options)
  const top = new Scope(undefined)
  const main = new CatalogResource({
    type: 'class',
    title: '',
    definition,
    scope: top,
    source: definition,
    span: undefined,
  })
  main.addTag('class')
  top.resource = main
  const catalog = makesCatalog ? catalogBuilder(() => compilation) : undefined
  const { host, ruby } = compilerHost({
    request,
    types,
    files,
    top,
    logs,
    catalog,
    compilation: () => compilation,
    watch,
  })
  const compilation: Compilation = {
    request,
    types,
    host,
    table: new ResourceTable((type, at, text) => changedTitlePart(ruby, type, at, text)),
    top,
    frames: new Map([[top, { definition, resource: main, defaults: new Map() }]]),
    classScopes: new Map([['', top]]),
    classes: [],
    tags: new Set(),
    collectors: new Set(),
    overrides: new Map(),
    relationships: [],
    mayOverride: new Set(),
  }
  setVariables(compilation)
  return compilation
}

/** Reads the site's manifests; what stands at their top is the class without a name. */
function importManifests({ environment }: CompileRequest, types: KnownTypes, options: CodeOptions): CodeDefinition {
  try {
    const parsed = siteManifests(environment, options)
    for (const each of parsed) types.add(each, '')
    return mainClass(parsed.map(({ program }) => program))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const message = `Could not parse for environment ${environment.name}: ${error.diagnostic.message}`
    throw new VerbatimError({ ...error.diagnostic, message }, { cause: error })
  }
}

/** Variables of the top scope: what the classifier gave, else facts; and the hashes that nobody may assign. */
function setVariables({ request, top }: Compilation): void {
  const { node, facts, serverFacts, trusted, environment } = request
  for (const values of [node.parameters, facts, serverFacts])
    for (const [name, value] of Object.entries(values))
      if (name !== 'environment' && !top.isBound(name)) top.set(name, valueFromJson(value))
  top.set('environment', environment.name)
  top.set('trusted', valueFromJson(trusted))
  top.set('server_facts', valueFromJson(serverFacts))
  top.set('facts', valueFromJson(facts))
}
