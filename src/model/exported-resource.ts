import { type ExactJson, type ExactObject, memberOf } from '../base/json/exact-json.ts'
import { list, record, text } from '../base/json/wire.ts'

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
  const { resources } = record(body, 'exports')
  return list(resources, 'exports.resources').map((each) => {
    const { type, title, tags, parameters } = record(each, 'exports.resource')
    return {
      certname,
      type: text(type, 'exports.resource.type'),
      title: text(title, 'exports.resource.title'),
      tags: list(tags, 'exports.resource.tags').map((tag) => text(tag, 'exports.resource.tags')),
      parameters: parametersFrom(parameters),
    }
  })
}

function parametersFrom(body: unknown): ExactObject {
  record(body, 'exports.resource.parameters')
  return body as ExactObject
}

/** Returns the value of a parameter; `null` for a missing parameter, as in a collector's query. */
export function parameterOf({ parameters }: ExportedResource, name: string): ExactJson {
  return memberOf(parameters, name) ?? null
}
