import { fail } from '../../../base/issue.ts'
import { type ExactJson, type ExactObject, entriesOf, isExactObject, memberOf } from '../../../base/json/exact-json.ts'
import { clojureText, javaText, valueName } from '../../clojure-text.ts'
import { relationships, type StoredCatalog, type StoredEdge, type StoredResource } from '../command.ts'
import { looseTimeShape, renamed, textIn, timeIn, underscored, uuidIn, withDefaults, withMembers } from './fields.ts'
import { issues } from './issues.ts'
import { anything, nullable, objectOf, type Shape, shaped, text } from './shape.ts'

/** The highest version of catalogs. From version 4 on, a catalog has no envelope. */
export const lastCatalogVersion = 9

/** Parses a catalog of versions 4 to 9. */
export function readCatalog(payload: ExactObject, version: number, received: string): StoredCatalog {
  const catalog = inLastVersion(payload, version, received)
  const resources = resourcesOf(memberOf(catalog, 'resources'))
  const edges = edgesOf(memberOf(catalog, 'edges'))
  shaped(known(catalog), shape, issues.COMMAND_SHAPE)
  for (const resource of resources.values()) requireTags(resource)
  for (const edge of edges) requireEnds(edge, resources)
  const sourcedFiles = readSourcedFiles(memberOf(catalog, 'sourced_files'))
  return {
    certname: textIn(catalog, 'certname')!,
    version: textIn(catalog, 'version')!,
    environment: textIn(catalog, 'environment'),
    transaction_uuid: uuidIn(catalog, 'transaction_uuid'),
    catalog_uuid: uuidIn(catalog, 'catalog_uuid'),
    code_id: textIn(catalog, 'code_id'),
    job_id: textIn(catalog, 'job_id'),
    producer_timestamp: timeIn(catalog, 'producer_timestamp'),
    producer: textIn(catalog, 'producer'),
    edges: storedEdges(edges),
    resources: [...resources.values()].map(storedResource),
    ...(sourcedFiles && { sourced_files: sourcedFiles }),
  }
}

/** Checksums by title. A field with another structure is ignored, as PuppetDB ignores unknown fields. */
function readSourcedFiles(value: ExactJson | undefined): ExactObject | undefined {
  if (!isExactObject(value)) return undefined
  for (const [, checksum] of entriesOf(value)) if (typeof checksum !== 'string') return undefined
  return value
}

/** Adds the fields that an older version does not have. PuppetDB: catalogs.clj, `wire-v4->wire-v9` and so on. */
function inLastVersion(payload: ExactObject, version: number, received: string): ExactObject {
  let catalog = payload
  if (version === 4) catalog = withMembers(catalog, { producer_timestamp: received })
  if (version <= 5) catalog = renamed(catalog, (key) => (key === 'name' ? 'certname' : underscored(key)))
  if (version <= 6) catalog = withMembers(catalog, { code_id: null })
  if (version <= 7) catalog = withMembers(catalog, { catalog_uuid: memberOf(catalog, 'transaction_uuid') ?? null })
  if (version <= 8) catalog = withMembers(catalog, { producer: null, job_id: null })
  return withDefaults(catalog, { transaction_uuid: null, environment: null })
}

const members: Readonly<Record<string, Shape>> = {
  certname: text,
  version: text,
  environment: nullable(text),
  transaction_uuid: nullable(text),
  catalog_uuid: nullable(text),
  producer_timestamp: looseTimeShape,
  producer: nullable(text),
  code_id: nullable(text),
  edges: anything,
  resources: anything,
}
const shape = objectOf({ required: members, optional: { job_id: nullable(text) } })

/** Returns the catalog without unknown fields. */
function known(catalog: ExactObject): ExactJson {
  const keys = [...Object.keys(members), 'job_id']
  return Object.fromEntries(
    keys.flatMap((key) => (memberOf(catalog, key) === undefined ? [] : [[key, memberOf(catalog, key)]])),
  )
}

/** Parses resources, by type and title. Each resource must be an object with tags and must occur only once. */
function resourcesOf(list: ExactJson | undefined): ReadonlyMap<string, ExactObject> {
  if (!isCollection(list)) assertion('(coll? resources)', 'resources must be a list')
  if (!Array.isArray(list)) assertion('(not (map? resources))', 'resources must be a list')
  const resources = new Map<string, ExactObject>()
  for (const each of list as readonly ExactJson[]) {
    if (!isExactObject(each)) assertion('(map? resource)', 'each of resources must be an object')
    const tags = memberOf(each, 'tags')
    const name = nameOf(each)
    if (tags === undefined || tags === null || tags === false)
      assertion('tags', `${clojureText(specOf(each))} has no tags`)
    if (!isCollection(tags) || !Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
      assertion('(every? string? tags)', `${clojureText(specOf(each))} has a tag that is no text`)
    if (resources.has(name))
      assertion('(= (count resources) (count (:resources %)))', `${clojureText(specOf(each))} is in the catalog twice`)
    resources.set(name, each)
  }
  return resources
}

/** Parses edges. Each edge must be an object with a relationship. */
function edgesOf(list: ExactJson | undefined): readonly ExactObject[] {
  if (!isCollection(list)) assertion('(coll? edges)', 'edges must be a list')
  const edges = Array.isArray(list) ? list : Object.entries(list as object)
  for (const each of edges) {
    const relationship = isExactObject(each) ? memberOf(each, 'relationship') : undefined
    if (relationship === undefined || relationship === null || relationship === false)
      assertion('(:relationship edge)', 'each of edges must be an object with a relationship')
    if (typeof relationship !== 'string')
      assertion('(keyword? (:relationship %))', `the relationship ${clojureText(relationship)} is no text`)
  }
  return edges
}

function isCollection(value: ExactJson | undefined): boolean {
  return Array.isArray(value) || isExactObject(value)
}

function assertion(rule: string, why: string): never {
  return fail(issues.COMMAND_ASSERTION, { rule, why })
}

/** Type and title of a resource, not validated. */
function specOf(resource: ExactObject): ExactJson {
  return { type: memberOf(resource, 'type') ?? null, title: memberOf(resource, 'title') ?? null }
}

/** A key that is unique for each resource in a catalog and fast to compute. */
function nameOf(resource: ExactObject): string {
  const { type, title } = resource as { readonly type?: ExactJson; readonly title?: ExactJson }
  return typeof type === 'string' && typeof title === 'string' && !(resource instanceof Map)
    ? `${type}\0${title}`
    : clojureText(specOf(resource))
}

/** A tag as Puppet creates it: in lower case. */
export const tagPattern = /^[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_][\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_:.-]*$/u

function requireTags(resource: ExactObject): void {
  const tag = (memberOf(resource, 'tags') as readonly string[]).find((each) => !tagPattern.test(each))
  if (tag !== undefined) fail(issues.CATALOG_TAG, { resource: clojureText(specOf(resource)), tag })
}

function requireEnds(edge: ExactObject, resources: ReadonlyMap<string, ExactObject>): void {
  const relationship = memberOf(edge, 'relationship') as string
  for (const key of ['source', 'target']) {
    const end = memberOf(edge, key)
    if (!isSpec(end) || !resources.has(nameOf(end)))
      fail(issues.CATALOG_EDGE, { edge: edgeText(edge), resource: javaText(end) })
    if (!(relationships as readonly string[]).includes(relationship))
      fail(issues.CATALOG_RELATIONSHIP, { edge: edgeText(edge), relationship: `:${relationship}` })
  }
}

/** True for an object with a type and a title, and nothing else. */
function isSpec(value: ExactJson | undefined): value is ExactObject {
  if (!isExactObject(value) || value instanceof Map) return false
  return Object.keys(value).length === 2 && 'type' in value && 'title' in value
}

/** Formats an edge for an error message; at this point, PuppetDB has converted the relationship to a keyword. */
function edgeText(edge: ExactObject): string {
  const relationship = memberOf(edge, 'relationship') as string
  return clojureText(edge).replace(`:relationship ${clojureText(relationship)}`, `:relationship :${relationship}`)
}

function storedEdges(edges: readonly ExactObject[]): StoredEdge[] {
  const distinct = new Map<string, StoredEdge>()
  for (const edge of edges) {
    const stored = storedEdge(edge)
    const { source, target, relationship } = stored
    distinct.set([source.type, source.title, target.type, target.title, relationship].join('\0'), stored)
  }
  return [...distinct.values()]
}

function storedEdge(edge: ExactObject): StoredEdge {
  const [source, target] = ['source', 'target'].map((key) => {
    const end = memberOf(edge, key) as ExactObject
    return { type: textIn(end, 'type')!, title: textIn(end, 'title')! }
  })
  const relationship = memberOf(edge, 'relationship') as StoredEdge['relationship']
  return { source: source!, target: target!, relationship }
}

const largestLine = 0x7fffffff

/**
 * Converts a resource to its stored form. PuppetDB does not check the types of these fields itself:
 * its database does.
 */
function storedResource(resource: ExactObject): StoredResource {
  const what = () => `Resource '${clojureText(specOf(resource))}'`
  const get = (field: string, expected: string, is: (value: ExactJson) => boolean): ExactJson => {
    const value = memberOf(resource, field) ?? null
    return is(value) ? value : fail(issues.COMMAND_FIELD, { what: what(), field, expected, given: valueName(value) })
  }
  const isText = (value: ExactJson) => typeof value === 'string'
  const isLine = (value: ExactJson) =>
    value === null || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largestLine)
  const aliases = memberOf(resource, 'aliases')
  return {
    type: get('type', 'text', isText) as string,
    title: get('title', 'text', isText) as string,
    exported: get('exported', 'true or false', (value) => typeof value === 'boolean') as boolean,
    file: get('file', 'text', (value) => value === null || isText(value)) as string | null,
    line: get('line', 'a whole number', isLine) as number | null,
    tags: [...new Set(memberOf(resource, 'tags') as readonly string[])].sort(),
    aliases: Array.isArray(aliases) ? aliases.filter((each) => typeof each === 'string') : [],
    parameters: (get('parameters', 'an object', (value) => value === null || isExactObject(value)) ??
      {}) as ExactObject,
  }
}
