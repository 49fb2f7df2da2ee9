import { fail, inOneLine, PuppetError } from '../base/issue.ts'
import type { Json } from '../base/wire.ts'
import { EvaluationError, VerbatimError } from '../language/evaluator/evaluation-error.ts'
import { Scope } from '../language/evaluator/scope.ts'
import type { CallContext } from '../language/host.ts'
import type { Value } from '../language/values/value.ts'
import { catalogBuilder } from './catalog-builder.ts'
import { catalogOf } from './catalog-of.ts'
import { CatalogResource } from './catalog-resource.ts'
import { addResource, declareClasses, ensureInCatalog, includeClasses } from './classes.ts'
import { type CodeDefinition, emptyClass, mainClass, placeOf } from './code-definition.ts'
import { evaluateCollector } from './collectors.ts'
import type { Compilation } from './compilation.ts'
import type { CompileLog, CompileRequest, CompileResult } from './compile-request.ts'
import { compilerHost } from './compiler-host.ts'
import { addTags, addToStage, evaluateResource } from './evaluate-resource.ts'
import { finish } from './finish.ts'
import { illegalJump } from './illegal-jump.ts'
import { issues } from './issues.ts'
import { KnownTypes, siteManifests } from './known-types.ts'
import { warningLog } from './log-line.ts'
import { ModuleFiles } from './module-files.ts'
import { nativeTypes } from './native-types.ts'
import { ResourceTable } from './resource-table.ts'
import { staticMetadata } from './static.ts'
import { valueFromJson } from './value-from-json.ts'

/** Why a catalog could not be made; its message ends with the node's name, as Puppet's does. */
export class CatalogError extends PuppetError {
  /** What had been said until then. */
  readonly logs: readonly CompileLog[]

  constructor(error: PuppetError, node: string, logs: readonly CompileLog[]) {
    super(error.diagnostic, { cause: error })
    this.message = `${inOneLine(error.diagnostic)} on node ${node}`
    this.logs = logs
  }
}

/** Makes the catalog of a node. The same request gives the same catalog. Throws CatalogError. */
export function compile(request: CompileRequest): CompileResult {
  const logs: CompileLog[] = []
  try {
    const compilation = begin(request, logs)
    setVariables(compilation)
    evaluateSettings(compilation)
    evaluateMain(compilation)
    const nodeScope = evaluateNode(compilation)
    evaluateNodeClasses(compilation, nodeScope ?? compilation.top)
    evaluateGenerators(compilation)
    finish(compilation)
    return { catalog: catalogOf(compilation, staticMetadata(compilation)), logs }
  } catch (error) {
    const known = error instanceof PuppetError ? error : illegalJump(error)
    throw known ? new CatalogError(known, request.node.name, logs) : error
  }
}

/** Does `work` at the top scope of a compilation that evaluates no manifest: what templates on their own see. */
export function atTopScope<Result>(request: CompileRequest, work: (context: CallContext) => Result): Result {
  const compilation = begin(request, [])
  setVariables(compilation)
  return work({ host: compilation.host, scope: compilation.top, span: undefined })
}

/** Everything that a compilation needs, and nothing in it yet but the class without a name. */
function begin(request: CompileRequest, logs: CompileLog[]): Compilation {
  const files = new ModuleFiles(request.environment)
  const types = new KnownTypes(files, (diagnostic) => logs.push(warningLog(diagnostic)))
  const definition = importManifests(request, types)
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
  const host = compilerHost({
    request,
    types,
    files,
    top,
    logs,
    catalog: catalogBuilder(() => compilation),
    compilation: () => compilation,
  })
  const compilation: Compilation = {
    request,
    types,
    host,
    table: new ResourceTable(),
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
  return compilation
}

/** Reads the site's manifests; what stands at their top is the class without a name. */
function importManifests({ environment }: CompileRequest, types: KnownTypes): CodeDefinition {
  try {
    const parsed = siteManifests(environment)
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

/** Stage[main], and Class[Settings] in it: the head of every catalog. */
function evaluateSettings(compilation: Compilation): void {
  const { table, request, top, classes, tags } = compilation
  const source = emptyClass('settings')
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
  const entries = Object.entries(classes as Readonly<Record<string, Readonly<Record<string, Json>> | null>>)
  const [given, plain]: [Map<string, ReadonlyMap<string, Value>>, string[]] = [new Map(), []]
  for (const [name, parameters] of entries) {
    const values = Object.entries(parameters ?? {}).map(([key, value]) => [key, valueFromJson(value)] as const)
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
  const place = placeOf(resource.span)
  const message = `Error while evaluating a Resource Statement, ${inOneLine(error.diagnostic)}${place === '' ? '' : ` ${place}`}`
  return new EvaluationError({ ...error.diagnostic, message, span: undefined }, { cause: error })
}
