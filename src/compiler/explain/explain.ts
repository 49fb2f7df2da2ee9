import { defineIssues, fail } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { toRichData } from '../../language/rich-data/write.ts'
import { holdsSensitive } from '../../language/values/find-sensitive.ts'
import { types } from '../../node/resources/types.ts'
import { begin } from '../begin/begin.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { isMetaparameter, takesParameter } from '../code/native-types.ts'
import { evaluateCode } from '../evaluate/evaluate-code.ts'
import { finish } from '../finish/finish.ts'
import { Recorder } from '../provenance/recorder.ts'
import { catalogError } from '../request/catalog-error.ts'
import type { CompileLog, CompileRequest } from '../request/compile-request.ts'
import { collectionsOf, framesOf } from './declaration.ts'
import type { Frame, Origin } from './origin.ts'
import { ParameterOrigins } from './parameter-origins.ts'

const issues = defineIssues({
  EXPLAIN_UNKNOWN_RESOURCE: {
    text: (a: { resource: string; node: string; known: Iterable<string> }) =>
      `There is no resource ${a.resource} in the catalog of ${a.node}`,
    hint: (a) => didYouMean(a.resource, a.known),
  },
  EXPLAIN_UNKNOWN_PARAMETER: {
    text: (a: { resource: string; parameter: string; known: Iterable<string> }) =>
      `${a.resource} has no parameter '${a.parameter}'`,
    hint: (a) => didYouMean(a.parameter, a.known),
  },
})

/** Selects a resource of a catalog, or a parameter of a resource. */
export interface ExplainQuestion {
  readonly resource: string
  readonly parameter: string | undefined
}

/** A parameter, its value and the origins of the value. */
export interface ExplainedParameter {
  readonly name: string
  /** The value in the catalog; `null` if it is Sensitive or undefined. */
  readonly value: ExactJson
  readonly sensitive: boolean
  /** The statements that set the parameter; the latest statement is first. */
  readonly origins: readonly Origin[]
}

/** A resource of a catalog, with the origins of its declaration and parameters. */
export interface ExplainedResource {
  readonly resource: string
  /** True if no collector realized the resource; such resources are not in the catalog. */
  readonly virtual: boolean
  readonly declared: readonly Frame[]
  readonly collected: readonly Frame[]
  readonly parameters: readonly ExplainedParameter[]
}

/** A compiled catalog with the origins of its values. */
export interface ExplainedCatalog {
  /** References of the catalog's resources, in the order of their declaration. */
  readonly resources: readonly string[]
  readonly logs: readonly CompileLog[]
  /** Returns the origins of a resource. Throws EXPLAIN_UNKNOWN_RESOURCE, EXPLAIN_UNKNOWN_PARAMETER. */
  explain(question: ExplainQuestion): ExplainedResource
}

/** Compiles a catalog and records the origins of its values. Throws CatalogError. */
export function explainedCatalog(request: CompileRequest): ExplainedCatalog {
  const logs: CompileLog[] = []
  const provenance = new Recorder()
  const compilation = compiled(request, logs, provenance)
  const origins = new ParameterOrigins(compilation, provenance)
  return {
    resources: compilation.table.resources.map(({ reference }) => reference),
    logs,
    explain(question) {
      const resource = resourceOf(compilation, question.resource)
      const names = question.parameter === undefined ? namesOf(resource) : [nameOf(resource, question.parameter)]
      return {
        resource: resource.reference,
        virtual: resource.virtual,
        declared: framesOf(compilation, provenance, origins.values, resource),
        collected: collectionsOf(provenance, resource),
        parameters: names.map((name) => parameterOf(resource, name, origins)),
      }
    },
  }
}

function compiled(request: CompileRequest, logs: CompileLog[], provenance: Recorder): Compilation {
  try {
    const compilation = begin(request, logs, { provenance })
    evaluateCode(compilation)
    finish(compilation)
    return compilation
  } catch (error) {
    throw catalogError(error, request, logs)
  }
}

function resourceOf({ table, request }: Compilation, text: string): CatalogResource {
  const match = /^([^[\]]+)\[(.+)\]$/s.exec(text)
  const found = match ? table.find(match[1]!, match[2]!.replace(/^'(.*)'$|^"(.*)"$/s, '$1$2')) : undefined
  if (found) return found
  const type = text.split('[', 1)[0]!.toLowerCase()
  const alike = table.resources.filter((each) => each.type.toLowerCase() === type).map(({ reference }) => reference)
  return fail(issues.EXPLAIN_UNKNOWN_RESOURCE, { resource: text, node: request.node.name, known: alike })
}

/** Returns the names of the parameters that have a value. */
function namesOf(resource: CatalogResource): string[] {
  return Array.from(resource.parameters.keys()).filter((name) => resource.get(name) !== undefined)
}

/** Resolves an alias of a parameter name. Throws EXPLAIN_UNKNOWN_PARAMETER. */
function nameOf(resource: CatalogResource, given: string): string {
  const { native, definition, reference } = resource
  const name = resource.parameterName(given)
  const own = definition.kind === 'native' ? [] : definition.parameters.map((each) => each.name)
  const isKnown = resource.parameters.has(name) || isMetaparameter(name) || own.includes(name)
  if (isKnown || (native && takesParameter(native, name))) return name
  const known = native ? [...native.parameters, ...native.properties] : own
  return fail(issues.EXPLAIN_UNKNOWN_PARAMETER, { resource: reference, parameter: given, known })
}

function parameterOf(resource: CatalogResource, name: string, origins: ParameterOrigins): ExplainedParameter {
  const given = resource.get(name)
  const attribute = attributeOf(resource, name)
  const sensitive = resource.isSensitive(name) || holdsSensitive(given) || attribute?.sensitive === true
  const found = origins.of(resource, name)
  const all = found.length === 0 && given === undefined ? typeDefault(resource, name) : found
  return {
    name,
    value:
      sensitive || given === undefined ? null : toRichData(given, { richData: true, bytes: 'binary', warn: () => {} }),
    sensitive,
    origins: sensitive ? all.map(withoutDetails) : all,
  }
}

function attributeOf({ native }: CatalogResource, name: string) {
  const attributes = native && types.get(native.name)?.attributes
  return attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

/**
 * Returns the origin of a parameter that no code sets: the default of the type. The origin has no value if the provider
 * chooses the default.
 */
function typeDefault(resource: CatalogResource, name: string): readonly Origin[] {
  const standard: unknown = attributeOf(resource, name)?.default
  const isValue = typeof standard === 'string' || typeof standard === 'number' || typeof standard === 'boolean'
  return [{ kind: 'type default', name: resource.type, detail: isValue ? String(standard) : undefined, from: [] }]
}

/** Removes the details from the origins of a sensitive value, since the details may contain values. */
function withoutDetails({ detail, from, ...origin }: Origin): Origin {
  const isValue =
    origin.kind === 'fact' ||
    origin.kind === 'trusted' ||
    origin.kind.startsWith('server') ||
    origin.kind === 'node parameter'
  return { ...origin, ...(isValue ? {} : { detail }), from: from.map(withoutDetails) }
}
