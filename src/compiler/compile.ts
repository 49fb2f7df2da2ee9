import type { ExactJson } from '../base/exact-json.ts'
import { fail, inOneLine, PuppetError } from '../base/issue.ts'
import { EvaluationError, VerbatimError } from '../language/evaluator/evaluation-error.ts'
import { Scope } from '../language/evaluator/scope.ts'
import { fromRichData } from '../language/values/rich-data.ts'
import type { Value } from '../language/values/value.ts'
import { ownRuby } from '../ruby/ruby-share.ts'
import { begin } from './begin.ts'
import { catalogError } from './catalog-error.ts'
import { catalogOf } from './catalog-of.ts'
import { CatalogResource, isTag } from './catalog-resource.ts'
import { addResource, declareClasses, ensureInCatalog, includeClasses } from './classes.ts'
import { placeOf, settingsClass } from './code-definition.ts'
import { evaluateCollector } from './collectors.ts'
import type { Compilation } from './compilation.ts'
import type { CompileLog, CompileRequest, CompileResult } from './compile-request.ts'
import { dependencyCycles } from './dependency-cycles.ts'
import { addTags, addToStage, evaluateResource } from './evaluate-resource.ts'
import { exportsOf } from './exports-of.ts'
import { finish } from './finish.ts'
import { issues } from './issues.ts'
import { nativeTypes } from './native-types.ts'
import type { AtTopScope } from './run-script.ts'
import { staticMetadata } from './static.ts'
import { validateStoredRelationships } from './stored-relationships.ts'

/** Makes the catalog of a node. The same request gives the same catalog. Throws CatalogError. */
export function compile(request: CompileRequest, share = ownRuby): CompileResult {
  const logs: CompileLog[] = []
  try {
    const compilation = begin(request, logs, { share })
    evaluate(compilation)
    if (request.searchExports) validateStoredRelationships(compilation)
    warnOfCycles(compilation, logs)
    const catalog = catalogOf(compilation, staticMetadata(compilation))
    const exports = request.searchExports ? exportsOf(compilation) : []
    return { catalog, logs, exports, collects: [...compilation.collects] }
  } catch (error) {
    throw catalogError(error, request, logs)
  }
}

/** Its agent will refuse such a catalog; it goes out, as Puppet's does. */
function warnOfCycles({ table, related }: Compilation, logs: CompileLog[]): void {
  const message = dependencyCycles(table, related)
  if (message !== undefined)
    logs.push({ level: 'warning', message, source: 'Puppet', file: undefined, line: undefined, diagnostic: undefined })
}

/** Does `work` at the top scope when all code of the node has run. Throws CatalogError when that fails. */
export function afterCompiling<Result>(request: CompileRequest, work: AtTopScope<Result>): Result {
  const logs: CompileLog[] = []
  const compilation = begin(request, logs)
  try {
    evaluate(compilation)
  } catch (error) {
    throw catalogError(error, request, logs)
  }
  return work({ host: compilation.host, scope: compilation.top, span: undefined }, compilation.hiera)
}

function evaluate(compilation: Compilation): void {
  evaluateSettings(compilation)
  evaluateMain(compilation)
  const nodeScope = evaluateNode(compilation)
  evaluateNodeClasses(compilation, nodeScope ?? compilation.top)
  evaluateGenerators(compilation)
  finish(compilation)
}

/** Stage[main], and Class[Settings] in it: the head of every catalog. */
function evaluateSettings(compilation: Compilation): void {
  const { table, request, top, classes, tags } = compilation
  const source = settingsClass
  const stageType = nativeTypes.get('stage')!
  const stage = new CatalogResource({
    type: 'stage',
    title: 'main',
    definition: stageType,
    scope: top,
    source,
    span: undefined,
  })
  stage.addTag('stage')
  table.add(stage)
  const given = request.node.classes
  for (const name of Array.isArray(given) ? given : Object.keys(given)) {
    if (!isTag(name)) fail(issues.INVALID_TAG, { name })
    classes.push(name)
    addTags(tags, name)
  }
  const settings = new CatalogResource({
    type: 'class',
    title: 'settings',
    definition: source,
    scope: top,
    source,
    span: undefined,
  })
  settings.addTag('class')
  settings.addTag('settings')
  settings.evaluated = true
  table.add(settings)
  compilation.classScopes.set('settings', new Scope(top, { kind: 'class', namespace: 'settings', resource: settings }))
  classes.push('settings')
  addTags(tags, 'settings')
  addToStage(compilation, settings)
}

function evaluateMain(compilation: Compilation): void {
  const main = compilation.top.resource as CatalogResource
  addResource(compilation, main, compilation.top)
  evaluateResource(compilation, main)
}

/** Runs the code for the node, if any code is for nodes; its scope. Throws UNKNOWN_NODE. */
function evaluateNode(compilation: Compilation): Scope | undefined {
  const { types, request, top, classScopes } = compilation
  if (!types.hasNodes) return undefined
  const definition = types.node(request.node.name)
  if (!definition) return fail(issues.UNKNOWN_NODE, { name: request.node.name })
  evaluateResource(compilation, ensureInCatalog(compilation, definition, top))
  return classScopes.get(definition.name)
}

/** Classes that the classifier gave: first those with parameters. */
function evaluateNodeClasses(compilation: Compilation, scope: Scope): void {
  const { classes } = compilation.request.node
  if (Array.isArray(classes)) {
    includeClasses(compilation, classes, scope, true)
    return
  }
  const entries = Object.entries(classes as Readonly<Record<string, Readonly<Record<string, ExactJson>> | null>>)
  const [given, plain]: [Map<string, ReadonlyMap<string, Value>>, string[]] = [new Map(), []]
  for (const [name, parameters] of entries) {
    const values = Object.entries(parameters ?? {}).map(([key, value]) => [key, fromRichData(value)] as const)
    if (values.length > 0) given.set(name, new Map(values))
    else plain.push(name)
  }
  declareClasses(compilation, given, scope)
  includeClasses(compilation, plain, scope, true)
}

/** Collectors and definitions in turn, until neither brings anything new. */
function evaluateGenerators(compilation: Compilation): void {
  for (let round = 0; ; round++) {
    const collected = [...compilation.collectors].map((collector) => evaluateCollector(compilation, collector))
    const evaluated = evaluateDefinitions(compilation)
    if (!evaluated && !collected.includes(true)) return
    if (round > 1000) fail(issues.TOO_MANY_ROUNDS, {})
  }
}

function evaluateDefinitions(compilation: Compilation): boolean {
  const waiting = compilation.table.resources.filter((each) => !each.evaluated && !each.virtual && !each.native)
  for (const resource of waiting) {
    try {
      evaluateResource(compilation, resource)
    } catch (error) {
      throw error instanceof PuppetError ? errorOf(resource, error) : error
    }
  }
  return waiting.length > 0
}

/** The resource whose code failed is named by its place, after the place in its code. */
function errorOf(resource: CatalogResource, error: PuppetError): PuppetError {
  // Puppet: what is no error of its own is said to be the compiler's, Util::Errors#exceptwrap.
  if (argumentErrors.has(error.diagnostic.code) && !error.diagnostic.span) return failureOfCompiler(error)
  const place = placeOf(resource.span)
  const message = `Error while evaluating a Resource Statement, ${inOneLine(error.diagnostic)}${place === '' ? '' : ` ${place}`}`
  return new EvaluationError({ ...error.diagnostic, message, span: undefined }, { cause: error })
}

const argumentErrors: ReadonlySet<string> = new Set([issues.UNKNOWN_STAGE.code, issues.STAGE_OF_RESOURCE.code])

function failureOfCompiler(error: PuppetError): PuppetError {
  const message = `Puppet::Parser::Compiler failed with error ArgumentError: ${error.diagnostic.message}`
  return new VerbatimError({ ...error.diagnostic, message }, { cause: error })
}
