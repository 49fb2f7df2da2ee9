import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toRichData } from '../../language/rich-data/write.ts'
import { hasSensitive } from '../../language/values/find-sensitive.ts'
import { types } from '../../node/resources/types.ts'
import { beginCompilation } from '../begin/compilation-setup.ts'
import type { CatalogResource } from '../catalog/catalog-resource.ts'
import type { Compilation } from '../catalog/compilation.ts'
import { acceptsParameter, isMetaparameter } from '../code/native-types.ts'
import { evaluateCode } from '../evaluate/evaluate-code.ts'
import { finishCompilation } from '../finish/final-phase.ts'
import { ProvenanceRecorder } from '../provenance/provenance-recorder.ts'
import { toCatalogError } from '../request/catalog-error.ts'
import type { CompileLog, CompileRequest } from '../request/compile-request.ts'
import type { ExplanationFrame, Origin } from './origin.ts'
import { ParameterOrigins } from './parameter-origins.ts'
import { listCollectorFrames, listDeclarationFrames } from './resource-declaration.ts'

const issues = defineIssues({
  EXPLAIN_UNKNOWN_RESOURCE: {
    text: (a: { resource: string; node: string; known: Iterable<string> }) =>
      `There is no resource ${a.resource} in the catalog of ${a.node}`,
    hint: (a) => formatSuggestion(a.resource, a.known),
  },
  EXPLAIN_UNKNOWN_PARAMETER: {
    text: (a: { resource: string; parameter: string; known: Iterable<string> }) =>
      `${a.resource} has no parameter '${a.parameter}'`,
    hint: (a) => formatSuggestion(a.parameter, a.known),
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
  readonly declared: readonly ExplanationFrame[]
  readonly collected: readonly ExplanationFrame[]
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
export function explainCatalog(request: CompileRequest): ExplainedCatalog {
  const logs: CompileLog[] = []
  const provenance = new ProvenanceRecorder()
  const compilation = compileWithProvenance(request, logs, provenance)
  const origins = new ParameterOrigins(compilation, provenance)
  return {
    resources: compilation.table.resources.map(({ reference }) => reference),
    logs,
    explain(question) {
      const resource = getResource(compilation, question.resource)
      const names =
        question.parameter === undefined
          ? listParameterNames(resource)
          : [resolveParameterName(resource, question.parameter)]
      return {
        resource: resource.reference,
        virtual: resource.virtual,
        declared: listDeclarationFrames(compilation, provenance, origins.values, resource),
        collected: listCollectorFrames(provenance, resource),
        parameters: names.map((name) => explainParameter(resource, name, origins)),
      }
    },
  }
}

function compileWithProvenance(
  request: CompileRequest,
  logs: CompileLog[],
  provenance: ProvenanceRecorder,
): Compilation {
  try {
    const compilation = beginCompilation(request, logs, { provenance })
    evaluateCode(compilation)
    finishCompilation(compilation)
    return compilation
  } catch (error) {
    throw toCatalogError(error, request, logs)
  }
}

function getResource({ table, request }: Compilation, text: string): CatalogResource {
  const match = /^([^[\]]+)\[(.+)\]$/s.exec(text)
  const found = match ? table.find(match[1]!, match[2]!.replace(/^'(.*)'$|^"(.*)"$/s, '$1$2')) : undefined
  if (found) return found
  const type = text.split('[', 1)[0]!.toLowerCase()
  const alike = table.resources.filter((each) => each.type.toLowerCase() === type).map(({ reference }) => reference)
  return throwIssue(issues.EXPLAIN_UNKNOWN_RESOURCE, { resource: text, node: request.node.name, known: alike })
}

/** Returns the names of the parameters that have a value. */
function listParameterNames(resource: CatalogResource): string[] {
  return Array.from(resource.parameters.keys()).filter((name) => resource.get(name) !== undefined)
}

/** Resolves an alias of a parameter name. Throws EXPLAIN_UNKNOWN_PARAMETER. */
function resolveParameterName(resource: CatalogResource, given: string): string {
  const { native, definition, reference } = resource
  const name = resource.parameterName(given)
  const own = definition.kind === 'native' ? [] : definition.parameters.map((each) => each.name)
  const isKnown = resource.parameters.has(name) || isMetaparameter(name) || own.includes(name)
  if (isKnown || (native && acceptsParameter(native, name))) return name
  const known = native ? [...native.parameters, ...native.properties] : own
  return throwIssue(issues.EXPLAIN_UNKNOWN_PARAMETER, { resource: reference, parameter: given, known })
}

function explainParameter(resource: CatalogResource, name: string, origins: ParameterOrigins): ExplainedParameter {
  const given = resource.get(name)
  const attribute = findAttribute(resource, name)
  const sensitive = resource.isSensitive(name) || hasSensitive(given) || attribute?.sensitive === true
  const found = origins.of(resource, name)
  const all = found.length === 0 && given === undefined ? findTypeDefault(resource, name) : found
  return {
    name,
    value:
      sensitive || given === undefined ? null : toRichData(given, { richData: true, bytes: 'binary', warn: () => {} }),
    sensitive,
    origins: sensitive ? all.map(removeDetails) : all,
  }
}

function findAttribute({ native }: CatalogResource, name: string) {
  const attributes = native && types.get(native.name)?.attributes
  return attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

/**
 * Returns the origin of a parameter that no code sets: the default of the type. The origin has no value if the provider
 * chooses the default.
 */
function findTypeDefault(resource: CatalogResource, name: string): readonly Origin[] {
  const standard: unknown = findAttribute(resource, name)?.default
  const isValue = typeof standard === 'string' || typeof standard === 'number' || typeof standard === 'boolean'
  return [{ kind: 'type default', name: resource.type, detail: isValue ? String(standard) : undefined, from: [] }]
}

/** Removes the details from the origins of a sensitive value, since the details may contain values. */
function removeDetails({ detail, from, ...origin }: Origin): Origin {
  const isValue =
    origin.kind === 'fact' ||
    origin.kind === 'trusted' ||
    origin.kind.startsWith('server') ||
    origin.kind === 'node parameter'
  return { ...origin, ...(isValue ? {} : { detail }), from: from.map(removeDetails) }
}
