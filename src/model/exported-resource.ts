import { type ExactJson, type ExactObject, getMember } from '../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../base/json/json-checks.ts'

/** A resource that a node exports, with parameters as JSON; sensitive parameters are omitted. */
export interface ExportedResource {
  /** The node that exports the resource. */
  readonly certname: string
  /** Type name with each segment capitalized: `Haproxy::Balancermember`. */
  readonly type: string
  readonly title: string
  /** Tags of the resource in the catalog of the exporting node. */
  readonly tags: readonly string[]
  readonly parameters: ExactObject
}

/** A collector's query for exported resources, which compares the tags, the title or a parameter. */
export type ExportQuery =
  | { readonly kind: 'and' | 'or'; readonly left: ExportQuery; readonly right: ExportQuery }
  | { readonly kind: '==' | '!='; readonly name: string; readonly value: ExactJson }

/** A search for exported resources. */
export interface ExportSearch {
  readonly type: string
  /** Certname of the collecting node; its own exported resources are excluded, since its catalog contains them. */
  readonly except: string
  readonly query: ExportQuery | undefined
}

/** Formats the exported resources of one node for storage. */
export function exportsToWire(certname: string, resources: readonly ExportedResource[]): ExactJson {
  const rows = resources.map(({ type, title, tags, parameters }) => ({ type, title, tags, parameters }))
  return { certname, resources: rows }
}

/** Parses the stored exported resources of a node. */
export function exportsFromWire(body: ExactJson, certname: string): readonly ExportedResource[] {
  const { resources } = checkJsonObject(body, 'exports')
  return checkJsonArray(resources, 'exports.resources').map((each) => {
    const { type, title, tags, parameters } = checkJsonObject(each, 'exports.resource')
    return {
      certname,
      type: checkJsonString(type, 'exports.resource.type'),
      title: checkJsonString(title, 'exports.resource.title'),
      tags: checkJsonArray(tags, 'exports.resource.tags').map((tag) => checkJsonString(tag, 'exports.resource.tags')),
      parameters: parseParameters(parameters),
    }
  })
}

function parseParameters(body: unknown): ExactObject {
  checkJsonObject(body, 'exports.resource.parameters')
  return body as ExactObject
}

/** Returns the value of a parameter; `null` for a missing parameter, as in a collector's query. */
export function getParameterValue({ parameters }: ExportedResource, name: string): ExactJson {
  return getMember(parameters, name) ?? null
}
