import { formatDiagnosticLine, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { EvaluationError } from '../../language/evaluator/evaluation-error.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import { readRichData } from '../../language/rich-data/rich-data.ts'
import type { Value } from '../../language/values/value.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { isTag, tagIssues } from '../../model/tag.ts'
import { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { settingsClass } from '../code/code-definition.ts'
import { nativeTypes } from '../code/native-types.ts'
import { measurePhase } from '../profile/measure-phase.ts'
import { issues } from '../request/issues.ts'
import { formatSpanLocation } from '../request/message-locations.ts'
import { addResource, declareClasses, ensureInCatalog, includeClasses } from './classes.ts'
import { evaluateCollector } from './collectors.ts'
import { addTags, addToStage, evaluateResource } from './evaluate-resource.ts'

/**
 * Evaluates all code for the node: the site manifests, the node definition, the node's classes, and the definitions
 * that this code declares.
 */
export function evaluateCode(compilation: Compilation): void {
  evaluateSettings(compilation)
  evaluateMain(compilation)
  const nodeScope = evaluateNode(compilation)
  evaluateNodeClasses(compilation, nodeScope ?? compilation.top)
  evaluateGenerators(compilation)
}

/** Adds Stage[main] and Class[Settings], the first resources of every catalog. */
function evaluateSettings(compilation: Compilation): void {
  const { table, request, top, classes, tags } = compilation
  const source = settingsClass
  const stageType = nativeTypes.get('stage')!
  const place = { scope: top, source, span: undefined }
  const stage = new CatalogResource({ type: 'stage', title: 'main', definition: stageType, ...place })
  stage.addTag('stage')
  table.add(stage)
  const given = request.node.classes
  for (const name of Array.isArray(given) ? given : Object.keys(given)) {
    if (!isTag(name)) throwIssue(tagIssues.INVALID_TAG, { name })
    classes.push(name)
    addTags(tags, name)
  }
  const settings = new CatalogResource({ type: 'class', title: 'settings', definition: source, ...place })
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

/** Evaluates the definition for the node, if the code has node definitions; returns its scope. Throws UNKNOWN_NODE. */
function evaluateNode(compilation: Compilation): Scope | undefined {
  const { types, request, top, classScopes } = compilation
  if (!types.hasNodes) return undefined
  const definition = types.node(request.node.name)
  if (!definition) return throwIssue(issues.NO_NODE_STATEMENT, { name: request.node.name })
  evaluateResource(compilation, ensureInCatalog(compilation, definition, top))
  return classScopes.get(definition.name)
}

/** Declares the classes that the classifier assigned; classes with parameters are declared first. */
function evaluateNodeClasses(compilation: Compilation, scope: Scope): void {
  const { classes } = compilation.request.node
  if (Array.isArray(classes)) {
    includeClasses(compilation, classes, scope, true)
    return
  }
  const entries = Object.entries(classes as Readonly<Record<string, Readonly<Record<string, ExactJson>> | null>>)
  const [given, plain]: [Map<string, ReadonlyMap<string, Value>>, string[]] = [new Map(), []]
  for (const [name, parameters] of entries) {
    const values = Object.entries(parameters ?? {}).map(([key, value]) => [key, readRichData(value)] as const)
    if (values.length > 0) given.set(name, new Map(values))
    else plain.push(name)
  }
  declareClasses(compilation, given, scope)
  includeClasses(compilation, plain, scope, true)
}

/** Evaluates collectors and defined types in turn, until neither adds a resource. */
function evaluateGenerators(compilation: Compilation): void {
  for (let round = 0; ; round++) {
    const collect = () => [...compilation.collectors].map((collector) => evaluateCollector(compilation, collector))
    const collected = measurePhase(compilation.host, 'collect resources', collect)
    const evaluated = evaluateDefinitions(compilation)
    if (!evaluated && !collected.includes(true)) return
    if (round > 1000) throwIssue(issues.TOO_MANY_ROUNDS, {})
  }
}

function evaluateDefinitions(compilation: Compilation): boolean {
  const waiting = compilation.table.resources.filter((each) => !each.evaluated && !each.virtual && !each.native)
  for (const resource of waiting) {
    try {
      evaluateResource(compilation, resource)
    } catch (error) {
      throw error instanceof PuppetError ? addResourceLocation(resource, error) : error
    }
  }
  return waiting.length > 0
}

/** Appends the location of the resource whose code failed to the location of the error. */
function addResourceLocation(resource: CatalogResource, error: PuppetError): PuppetError {
  // Puppet adds the compiler's prefix to errors that are not Puppet::Error:
  // Util::Errors#exceptwrap.
  if (isIssue(error, issues.UNKNOWN_STAGE, issues.STAGE_OF_RESOURCE) && !error.diagnostic.span)
    return toCompilerError(error)
  const place = formatSpanLocation(resource.span)
  const message = `Error while evaluating a Resource Statement, ${formatDiagnosticLine(error.diagnostic)}${place === '' ? '' : ` ${place}`}`
  return new EvaluationError({ ...error.diagnostic, message, span: undefined }, { cause: error })
}

function toCompilerError(error: PuppetError): PuppetError {
  const message = `Puppet::Parser::Compiler failed with error ArgumentError: ${error.diagnostic.message}`
  return new VerbatimError({ ...error.diagnostic, message }, { cause: error })
}
