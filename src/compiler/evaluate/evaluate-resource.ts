import { throwIssue } from '../../base/issue.ts'
import { NextSignal, ReturnSignal } from '../../language/evaluator/control-flow.ts'
import { evaluateNode } from '../../language/evaluator/evaluation.ts'
import { Scope } from '../../language/evaluator/scope.ts'
import type { WorkMeter } from '../../language/host.ts'
import { formatReference } from '../../language/rich-data/rich-data.ts'
import { toText } from '../../language/types/printing/text.ts'
import type { Value } from '../../language/values/value.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { type CodeDefinition, matchNodePattern } from '../code/code-definition.ts'
import { issues } from '../request/issues.ts'
import { bindParameters } from './bind-parameters.ts'

/** Evaluates the code of a class, node or defined resource, unless it was already evaluated. */
export function evaluateResource(compilation: Compilation, resource: CatalogResource): void {
  if (resource.evaluated) return
  resource.evaluated = true
  const definition = resource.definition as CodeDefinition
  const { profile } = compilation.host
  if (profile) measureDefinition(profile, compilation, resource, definition)
  else evaluateDefinition(compilation, resource, definition)
}

function measureDefinition(
  profile: WorkMeter,
  compilation: Compilation,
  resource: CatalogResource,
  definition: CodeDefinition,
): void {
  const { kind, name } = definition
  profile.measure(
    kind === 'define' ? 'defined type' : 'class',
    kind === 'node' ? `node ${name}` : name === '' ? 'main' : name,
    () => evaluateDefinition(compilation, resource, definition),
  )
}

function evaluateDefinition(compilation: Compilation, resource: CatalogResource, definition: CodeDefinition): void {
  addContainerTags(resource)
  const inherited = evaluateParent(compilation, definition)
  const scope = createBodyScope(compilation, resource, definition, inherited)
  if (definition.kind !== 'define') registerClass(compilation, definition)
  if (definition.kind !== 'define') compilation.classScopes.set(definition.name, scope)
  bindParameters(compilation, resource, definition, scope)
  addToStage(compilation, resource)
  if (definition.pattern) scope.matches = matchNodePattern(definition.pattern, compilation.request.node.name)
  runBody(compilation, definition, scope)
  // Defined types are evaluated later, when the captures of the node's pattern are no longer visible.
  if (definition.pattern) scope.matches = undefined
}

/** Adds the tags of a resource's container, unless they were already added. */
export function addContainerTags(resource: CatalogResource): void {
  if (resource.tagged) return
  resource.tagged = true
  const container = resource.scope.resource as CatalogResource | undefined
  if (container && container !== resource) resource.tags.addAll(container.tags)
}

/**
 * Adds a class to a stage: the stage in its parameter, otherwise the stage of the resource that declares it, otherwise
 * `main`.
 */
export function addToStage(compilation: Compilation, resource: CatalogResource): void {
  if (!resource.isClass) return
  const { table } = compilation
  const container = resource.scope.resource as CatalogResource | undefined
  const own = resource.get('stage')
  const stage = table.find('stage', getStageTitle(own ?? container?.get('stage') ?? 'main'))
  if (!stage) throwIssue(issues.UNKNOWN_STAGE, { stage: getStageTitle(own ?? 'main'), resource: resource.reference })
  if (own === undefined && stage.title !== 'main') {
    resource.set('stage', { value: stage.title, source: resource.source, span: undefined })
    if (container) compilation.provenance?.handedDown(resource, 'stage', container)
  }
  table.contain(stage, resource)
}

/** Returns the title of a stage, which must be given as a string; a reference is rejected. */
function getStageTitle(value: Value): string {
  return formatReference(value) ?? toText(value)
}

function registerClass({ classes, tags }: Compilation, { name }: CodeDefinition): void {
  if (name === '') return
  classes.push(name)
  addTags(tags, name)
}

/** Adds a tag; for a qualified tag, also adds its segments. */
export function addTags(tags: Set<string>, name: string): void {
  tags.add(name)
  if (name.includes('::')) for (const part of name.split('::')) tags.add(part)
}

function evaluateParent(compilation: Compilation, { kind, parent }: CodeDefinition): Scope | undefined {
  if (kind !== 'class' || parent === undefined) return undefined
  const resource = compilation.table.find('class', parent)
  if (!resource) return undefined
  evaluateResource(compilation, resource)
  return compilation.classScopes.get(parent)
}

function createBodyScope(
  compilation: Compilation,
  resource: CatalogResource,
  definition: CodeDefinition,
  inherited: Scope | undefined,
): Scope {
  if (definition.kind === 'class' && definition.name === '') return compilation.top
  const declaredIn = inherited ?? resource.scope
  const callerModuleName = compilation.frames.get(declaredIn.frame)?.definition.moduleName ?? ''
  const { kind, name, moduleName } = definition
  const enclosing = inherited ?? resource.scope.global
  const scope = new Scope(enclosing, { kind, namespace: name, moduleName, callerModuleName, resource, declaredIn })
  compilation.frames.set(scope, { definition, resource, defaults: new Map() })
  return scope
}

/** `return` ends a class or defined type, but is an error in a node definition or top-level code. */
function runBody({ host }: Compilation, { body, kind, name }: CodeDefinition, scope: Scope): void {
  try {
    for (const node of body) evaluateNode(node, host, scope)
  } catch (signal) {
    const isExit = signal instanceof ReturnSignal || signal instanceof NextSignal
    if (!isExit || kind === 'node' || name === '') throw signal
  }
}
