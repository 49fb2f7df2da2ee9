import { throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { EvaluationContext } from '../../language/evaluator/context.ts'
import { makeContext } from '../../language/evaluator/evaluation.ts'
import { evaluateDefault } from '../../language/evaluator/parameters.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { Parameter } from '../../language/syntax/tree/nodes.ts'
import { describeParameters, type ParameterSpec } from '../../language/types/mismatch/mismatch.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { CodeDefinition } from '../code/code-definition.ts'
import { nativeMetaparameters } from '../code/native-types.ts'
import { issues } from '../request/issues.ts'
import { appendLocation } from '../request/message-locations.ts'

/**
 * Sets the variables of a class or defined type and checks their types. A value is the given parameter, otherwise data
 * from Hiera, otherwise the default.
 */
export function bindParameters(
  compilation: Compilation,
  resource: CatalogResource,
  definition: CodeDefinition,
  scope: Scope,
): void {
  scope.set('module_name', definition.moduleName)
  if (scope !== compilation.top) scope.set('caller_module_name', scope.callerModuleName)
  if (definition.kind === 'class') lookUpParameters(compilation, resource, definition, scope)
  const title = definition.kind === 'class' ? resource.title.toLowerCase() : resource.titleValue
  const name = resource.get('name') ?? title
  scope.set('title', title)
  scope.set('name', definition.kind === 'class' && typeof name === 'string' ? name.toLowerCase() : name)
  const values = new Map<string, Value>()
  for (const [key, { value }] of resource.parameters)
    if (key !== 'name' && key !== 'title') {
      values.set(key, value)
      scope.set(key, value)
    }
  setDefaultValues(compilation, resource, definition, scope, values)
  assertParameters(compilation, resource, definition, values)
  if (values.size === resource.parameters.size) resource.checked = true
}

/** Checks the types of a resource's final parameters, because overrides may have changed the values. */
export function validateParameters(compilation: Compilation, resource: CatalogResource): void {
  if (resource.checked) return
  const values = Array.from(
    resource.parameters,
    ([name, { value }]) => [name, resource.isSensitive(name) ? new Sensitive(value) : value] as const,
  )
  assertParameters(compilation, resource, resource.definition as CodeDefinition, new Map(values))
}

/** Looks up missing class parameters in Hiera (automatic parameter lookup). */
function lookUpParameters(
  { host, provenance }: Compilation,
  resource: CatalogResource,
  { name, parameters }: CodeDefinition,
  scope: Scope,
): void {
  for (const parameter of parameters) {
    if (resource.get(parameter.name) !== undefined) continue
    const query = { key: `${name}::${parameter.name}`, merge: undefined }
    const found = host.lookup(query, scope)
    if (!found.found || (found.value === undefined && parameter.value)) continue
    resource.set(parameter.name, { value: found.value, source: resource.source, span: undefined })
    provenance?.boundByData(resource, parameter.name)
  }
}

/** Evaluates defaults in order of definition; a default can refer to earlier parameters. */
function setDefaultValues(
  { host, provenance }: Compilation,
  resource: CatalogResource,
  definition: CodeDefinition,
  scope: Scope,
  values: Map<string, Value>,
): void {
  const { parameters } = definition
  const waiting = parameters.filter((parameter) => parameter.value && values.get(parameter.name) === undefined)
  if (waiting.length === 0) return
  scope.expect(parameters.map((parameter) => parameter.name).filter((name) => !values.has(name)))
  // A variable that is assigned in a default is visible only to the other defaults.
  const context = makeContext(host, scope.local())
  for (const parameter of waiting) {
    const value = evaluateParameterDefault(parameter, resource, definition, context)
    resource.set(parameter.name, { value, source: resource.source, span: undefined })
    provenance?.boundByDefault(resource, parameter.name)
    values.set(parameter.name, value)
    scope.set(parameter.name, value)
  }
}

/**
 * Evaluates a default. If an error has no location, adds the location of the definition. Puppet: resource/type.rb
 * `exceptwrap`.
 */
function evaluateParameterDefault(
  parameter: Parameter,
  { reference }: CatalogResource,
  definition: CodeDefinition,
  context: EvaluationContext,
): Value {
  try {
    return evaluateDefault(reference, definition.parameters, parameter, context)
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error
    const { diagnostic } = error
    const message = appendLocation(diagnostic.message, definition.span)
    throw new VerbatimError({ ...diagnostic, message }, { cause: error })
  }
}

function assertParameters(
  compilation: Compilation,
  resource: CatalogResource,
  definition: CodeDefinition,
  values: ReadonlyMap<string, Value>,
): void {
  const specs = getParameterSpecs(compilation, definition)
  const message = describeParameters(resource.reference, specs, values)
  if (message !== undefined)
    throwIssue(issues.PARAMETER_MISMATCH, { message, hint: suggestParameterName(specs, values) })
}

/** Hint that suggests a parameter name for the first unknown name. */
function suggestParameterName(specs: readonly ParameterSpec[], values: ReadonlyMap<string, Value>): string | undefined {
  const names = specs.map(({ name }) => name)
  const stranger = [...values.keys()].find((name) => !names.includes(name))
  return stranger === undefined ? undefined : formatSuggestion(stranger, names)
}

const known = new WeakMap<Compilation, Map<CodeDefinition, readonly ParameterSpec[]>>()

/** Returns the parameters that a definition accepts: its own parameters, the metaparameters, and `name`. */
function getParameterSpecs(compilation: Compilation, definition: CodeDefinition): readonly ParameterSpec[] {
  const specs = known.get(compilation) ?? new Map<CodeDefinition, readonly ParameterSpec[]>()
  known.set(compilation, specs)
  const found = specs.get(definition) ?? buildParameterSpecs(compilation, definition)
  specs.set(definition, found)
  return found
}

function buildParameterSpecs({ types }: Compilation, definition: CodeDefinition): ParameterSpec[] {
  const typed = types.parameterTypes(definition)
  const own = definition.parameters.map(({ name, value }) => ({
    name,
    type: typed.get(name),
    optional: value !== undefined,
  }))
  const names = new Set(own.map(({ name }) => name))
  const others = ['name', ...nativeMetaparameters].filter((name) => !names.has(name))
  return [...others.map((name) => ({ name, type: undefined, optional: true })), ...own]
}
