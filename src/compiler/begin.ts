import { fail, PuppetError } from '../base/issue.ts'
import { contextOf } from '../language/evaluator/evaluate.ts'
import { VerbatimError } from '../language/evaluator/evaluation-error.ts'
import { Scope } from '../language/evaluator/scope.ts'
import { rubyText } from '../language/functions/ruby-text.ts'
import type { Type } from '../language/types/type.ts'
import { startCounting } from '../language/values/bounded.ts'
import { fromRichData } from '../language/values/rich-data.ts'
import type { Value } from '../language/values/value.ts'
import { valueFromJson } from '../language/values/value-from-json.ts'
import { ownRuby, type RubyShare } from '../ruby/ruby-share.ts'
import { changedTitlePart } from '../ruby/types.ts'
import { catalogBuilder } from './catalog-builder.ts'
import { CatalogResource } from './catalog-resource.ts'
import { type CodeDefinition, mainClass } from './code-definition.ts'
import type { Compilation } from './compilation.ts'
import type { CompileLog, CompileRequest } from './compile-request.ts'
import { compilerHost } from './compiler-host.ts'
import { issues } from './issues.ts'
import { KnownTypes, siteManifests } from './known-types.ts'
import { diagnosticLog } from './log-line.ts'
import { moduleFiles } from './module-files.ts'
import { ResourceTable } from './resource-table.ts'
import { rubyType } from './ruby-types.ts'
import type { CodeOptions } from './source-cache.ts'

/** Everything that a compilation needs, its top scope filled, and nothing in it yet but the class without a name. */
export function begin(
  request: CompileRequest,
  logs: CompileLog[],
  { makesCatalog = true, share = ownRuby }: { makesCatalog?: boolean; share?: RubyShare } = {},
): Compilation {
  startCounting()
  const options = { strict: request.strict, tasks: !makesCatalog }
  const files = moduleFiles(request.environment)
  const types = new KnownTypes(files, options, (diagnostic) => logs.push(diagnosticLog(diagnostic)), {
    typeOf: (expression) => contextOf(host, top).evaluate(expression) as Type,
    rubyType: (name) => rubyType({ session: ruby, types: share.types, environment: request.environment, files }, name),
  })
  const definition = importManifests(request, types, options)
  types.checkAliases()
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
  const catalog = makesCatalog ? catalogBuilder(request.searchExports !== undefined, () => compilation) : undefined
  const { host, ruby, hiera } = compilerHost({
    request,
    types,
    files,
    top,
    logs,
    catalog,
    compilation: () => compilation,
    share,
  })
  const compilation: Compilation = {
    request,
    types,
    host,
    hiera,
    table: new ResourceTable((type, at, text) => changedTitlePart(ruby, type, at, text)),
    top,
    frames: new Map([[top, { definition, resource: main, defaults: new Map() }]]),
    classScopes: new Map([['', top]]),
    classes: [],
    tags: new Set(),
    collectors: new Set(),
    collects: new Set(),
    overrides: new Map(),
    relationships: [],
    related: [],
    mayOverride: new Set(),
  }
  setVariables(compilation, logs)
  return compilation
}

/** Reads the site's manifests; what stands at their top is the class without a name. */
function importManifests({ environment }: CompileRequest, types: KnownTypes, options: CodeOptions): CodeDefinition {
  const parsed = parsedManifests(environment, options)
  for (const each of parsed) types.add(each, '')
  return mainClass(parsed.map(({ program }) => program))
}

function parsedManifests(
  environment: CompileRequest['environment'],
  options: CodeOptions,
): ReturnType<typeof siteManifests> {
  try {
    return siteManifests(environment, options)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const message = `Could not parse for environment ${environment.name}: ${error.diagnostic.message}`
    throw new VerbatimError({ ...error.diagnostic, message }, { cause: error })
  }
}

/** Variables of the top scope: what the classifier gave, else facts; and the hashes that nobody may assign. */
function setVariables({ request, top }: Compilation, logs: CompileLog[]): void {
  const { node, facts, serverFacts, trusted, environment } = request
  for (const [name, value] of Object.entries(node.parameters)) setVariable(top, name, fromRichData(value))
  for (const values of [facts, serverFacts])
    for (const [name, json] of Object.entries(values)) {
      const value = valueFromJson(json)
      if (!top.isBound(name)) setVariable(top, name, value)
      else if (Object.hasOwn(node.parameters, name)) logs.push(hiddenFact(node.name, name, top.get(name), value))
    }
  top.set('module_name', '')
  top.set('environment', environment.name)
  top.set('trusted', valueFromJson(trusted))
  top.set('server_facts', valueFromJson(serverFacts))
  top.set('facts', valueFromJson(facts))
}

/** Names that a node's parameters and facts say in vain: these have values of their own. */
const ignored = new Set(['environment', 'trusted'])

function setVariable(top: Scope, name: string, value: Value): void {
  if (ignored.has(name)) return
  if (name === 'facts' || name === 'server_facts') fail(issues.RESERVED_NODE_PARAMETER, { name })
  if (/^\d+$/.test(name)) fail(issues.NUMERIC_NODE_PARAMETER, { name })
  if (name === 'module_name') fail(issues.MODULE_NAME_AS_PARAMETER, {})
  top.set(name, value)
}

/** What is said of a fact that a classifier's parameter hides. Puppet: `Puppet::Node#merge`, which says it once. */
function hiddenFact(node: string, name: string, value: Value, fact: Value): CompileLog {
  const text = issues.HIDDEN_FACT.text({ node, name, value: rubyText(value), fact: rubyText(fact) })
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
