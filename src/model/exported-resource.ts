import { type ExactJson, type ExactObject, memberOf } from '../base/json/exact-json.ts'
import { list, record, text } from '../base/json/wire.ts'

/** A resource that a node exports for others to collect, in what JSON has: secrets are left out. */
export interface ExportedResource {
  /** The node that exports the resource. */
  readonly certname: string
  /** Each segment capitalised: `Haproxy::Balancermember`. */
  readonly type: string
  readonly title: string
  /** The resource's tags in the catalog of its own node. */
  readonly tags: readonly string[]
  readonly parameters: ExactObject
}

/** A collector's query of exported resources, by `tag`, `title`, or a parameter. */
export type ExportQuery =
  | { readonly kind: 'and' | 'or'; readonly left: ExportQuery; readonly right: ExportQuery }
  | { readonly kind: '==' | '!='; readonly name: string; readonly value: ExactJson }

/** Which exported resources are sought. */
export interface ExportSearch {
  readonly type: string
  /** The node that collects: what it exports itself is in its own catalog. */
  readonly except: string
  readonly query: ExportQuery | undefined
}

/** Stored form of one node's exported resources. */
export function exportsToWire(certname: string, resources: readonly ExportedResource[]): ExactJson {
  const rows = resources.map(({ type, title, tags, parameters }) => ({ type, title, tags, parameters }))
  return { certname, resources: rows }
}

/** Resources of one node as they were kept: whose they are is known. */
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

/** The value of a parameter; `null` where there is none, as a collector sees it. */
export function parameterOf({ parameters }: ExportedResource, name: string): ExactJson {
  return memberOf(parameters, name) ?? null
}
