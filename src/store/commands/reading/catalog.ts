import { throwIssue } from '../../../base/issue.ts'
import {
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../../../base/json/exact-json.ts'
import { formatClojure, formatJava, formatValueName } from '../../clojure-text.ts'
import { edgeRelationships, type StoredCatalog, type StoredEdge, type StoredResource } from '../command.ts'
import {
  addDefaults,
  looseTimeShape,
  readTextField,
  readTimeField,
  readUuidField,
  renameKeys,
  replaceHyphens,
  replaceMembers,
} from './fields.ts'
import { storeCommandIssues } from './issues.ts'
import { allowNull, checkShape, createObjectShape, matchAnything, type Shape, textShape } from './shape.ts'

/**
 * The highest supported version of the command `replace catalog`. From version 4 on, a catalog has
 * no envelope.
 */
export const lastCatalogVersion = 9

/** Parses a catalog of versions 4 to 9. */
export function readCatalogCommand(payload: ExactObject, version: number, received: string): StoredCatalog {
  const catalog = upgradeCatalog(payload, version, received)
  const resources = parseResources(getMember(catalog, 'resources'))
  const edges = parseEdges(getMember(catalog, 'edges'))
  checkShape(pickKnownFields(catalog), shape, storeCommandIssues.COMMAND_SHAPE)
  for (const resource of resources.values()) checkTags(resource)
  for (const edge of edges) checkEdgeEnds(edge, resources)
  const sourcedFiles = readSourcedFiles(getMember(catalog, 'sourced_files'))
  return {
    certname: readTextField(catalog, 'certname')!,
    version: readTextField(catalog, 'version')!,
    environment: readTextField(catalog, 'environment'),
    transaction_uuid: readUuidField(catalog, 'transaction_uuid'),
    catalog_uuid: readUuidField(catalog, 'catalog_uuid'),
    code_id: readTextField(catalog, 'code_id'),
    job_id: readTextField(catalog, 'job_id'),
    producer_timestamp: readTimeField(catalog, 'producer_timestamp'),
    producer: readTextField(catalog, 'producer'),
    edges: toStoredEdges(edges),
    resources: [...resources.values()].map(toStoredResource),
    ...(sourcedFiles && { sourced_files: sourcedFiles }),
  }
}

/**
 * Reads the checksums by title. A field with another structure is ignored, as PuppetDB ignores
 * unknown fields.
 */
function readSourcedFiles(value: ExactJson | undefined): ExactObject | undefined {
  if (!isExactObject(value)) return undefined
  for (const [, checksum] of getEntries(value)) if (typeof checksum !== 'string') return undefined
  return value
}

/** Adds the fields that an older version does not have. PuppetDB: catalogs.clj, `wire-v4->wire-v9` and so on. */
function upgradeCatalog(payload: ExactObject, version: number, received: string): ExactObject {
  let catalog = payload
  if (version === 4) catalog = replaceMembers(catalog, { producer_timestamp: received })
  if (version <= 5) catalog = renameKeys(catalog, (key) => (key === 'name' ? 'certname' : replaceHyphens(key)))
  if (version <= 6) catalog = replaceMembers(catalog, { code_id: null })
  if (version <= 7) catalog = replaceMembers(catalog, { catalog_uuid: getMember(catalog, 'transaction_uuid') ?? null })
  if (version <= 8) catalog = replaceMembers(catalog, { producer: null, job_id: null })
  return addDefaults(catalog, { transaction_uuid: null, environment: null })
}

const members: Readonly<Record<string, Shape>> = {
  certname: textShape,
  version: textShape,
  environment: allowNull(textShape),
  transaction_uuid: allowNull(textShape),
  catalog_uuid: allowNull(textShape),
  producer_timestamp: looseTimeShape,
  producer: allowNull(textShape),
  code_id: allowNull(textShape),
  edges: matchAnything,
  resources: matchAnything,
}
const shape = createObjectShape({ required: members, optional: { job_id: allowNull(textShape) } })

/** Returns the catalog without unknown fields. */
function pickKnownFields(catalog: ExactObject): ExactJson {
  const keys = [...Object.keys(members), 'job_id']
  return Object.fromEntries(
    keys.flatMap((key) => (getMember(catalog, key) === undefined ? [] : [[key, getMember(catalog, key)]])),
  )
}

/** Parses resources, by type and title. Each resource must be an object with tags and must occur only once. */
function parseResources(list: ExactJson | undefined): ReadonlyMap<string, ExactObject> {
  if (!isCollection(list)) throwAssertion('(coll? resources)', 'resources must be an array')
  if (!Array.isArray(list)) throwAssertion('(not (map? resources))', 'resources must be an array')
  const resources = new Map<string, ExactObject>()
  for (const each of list as readonly ExactJson[]) {
    if (!isExactObject(each)) throwAssertion('(map? resource)', 'each resource must be an object')
    const tags = getMember(each, 'tags')
    const name = getResourceKey(each)
    if (tags === undefined || tags === null || tags === false)
      throwAssertion('tags', `${formatClojure(getResourceSpec(each))} has no tags`)
    if (!isCollection(tags) || !Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
      throwAssertion('(every? string? tags)', `${formatClojure(getResourceSpec(each))} has a tag that is not a string`)
    if (resources.has(name))
      throwAssertion(
        '(= (count resources) (count (:resources %)))',
        `${formatClojure(getResourceSpec(each))} occurs twice in the catalog`,
      )
    resources.set(name, each)
  }
  return resources
}

/** Parses edges. Each edge must be an object with a relationship. */
function parseEdges(list: ExactJson | undefined): readonly ExactObject[] {
  if (!isCollection(list)) throwAssertion('(coll? edges)', 'edges must be an array')
  const edges = Array.isArray(list) ? list : Object.entries(list as object)
  for (const each of edges) {
    const relationship = isExactObject(each) ? getMember(each, 'relationship') : undefined
    if (relationship === undefined || relationship === null || relationship === false)
      throwAssertion('(:relationship edge)', 'each edge must be an object with a relationship')
    if (typeof relationship !== 'string')
      throwAssertion('(keyword? (:relationship %))', `the relationship ${formatClojure(relationship)} is not a string`)
  }
  return edges
}

function isCollection(value: ExactJson | undefined): boolean {
  return Array.isArray(value) || isExactObject(value)
}

function throwAssertion(rule: string, why: string): never {
  return throwIssue(storeCommandIssues.COMMAND_ASSERTION, { rule, why })
}

/** Type and title of a resource, not validated. */
function getResourceSpec(resource: ExactObject): ExactJson {
  return { type: getMember(resource, 'type') ?? null, title: getMember(resource, 'title') ?? null }
}

/** A key that is unique for each resource in a catalog and fast to compute. */
function getResourceKey(resource: ExactObject): string {
  const { type, title } = resource as { readonly type?: ExactJson; readonly title?: ExactJson }
  return typeof type === 'string' && typeof title === 'string' && !(resource instanceof Map)
    ? `${type}\0${title}`
    : formatClojure(getResourceSpec(resource))
}

/** A tag as Puppet creates it: in lower case. */
export const tagPattern = /^[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_][\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{N}_:.-]*$/u

function checkTags(resource: ExactObject): void {
  const tag = (getMember(resource, 'tags') as readonly string[]).find((each) => !tagPattern.test(each))
  if (tag !== undefined)
    throwIssue(storeCommandIssues.CATALOG_TAG, { resource: formatClojure(getResourceSpec(resource)), tag })
}

function checkEdgeEnds(edge: ExactObject, resources: ReadonlyMap<string, ExactObject>): void {
  const relationship = getMember(edge, 'relationship') as string
  for (const key of ['source', 'target']) {
    const end = getMember(edge, key)
    if (!isResourceSpec(end) || !resources.has(getResourceKey(end)))
      throwIssue(storeCommandIssues.CATALOG_EDGE, { edge: formatEdge(edge), resource: formatJava(end) })
    if (!(edgeRelationships as readonly string[]).includes(relationship))
      throwIssue(storeCommandIssues.CATALOG_RELATIONSHIP, { edge: formatEdge(edge), relationship: `:${relationship}` })
  }
}

/** True for an object with a type and a title, and nothing else. */
function isResourceSpec(value: ExactJson | undefined): value is ExactObject {
  if (!isExactObject(value) || value instanceof Map) return false
  return Object.keys(value).length === 2 && 'type' in value && 'title' in value
}

/** Formats an edge for an error message; at this point, PuppetDB has converted the relationship to a keyword. */
function formatEdge(edge: ExactObject): string {
  const relationship = getMember(edge, 'relationship') as string
  return formatClojure(edge).replace(`:relationship ${formatClojure(relationship)}`, `:relationship :${relationship}`)
}

function toStoredEdges(edges: readonly ExactObject[]): StoredEdge[] {
  const distinct = new Map<string, StoredEdge>()
  for (const edge of edges) {
    const stored = toStoredEdge(edge)
    const { source, target, relationship } = stored
    distinct.set([source.type, source.title, target.type, target.title, relationship].join('\0'), stored)
  }
  return [...distinct.values()]
}

function toStoredEdge(edge: ExactObject): StoredEdge {
  const [source, target] = ['source', 'target'].map((key) => {
    const end = getMember(edge, key) as ExactObject
    return { type: readTextField(end, 'type')!, title: readTextField(end, 'title')! }
  })
  const relationship = getMember(edge, 'relationship') as StoredEdge['relationship']
  return { source: source!, target: target!, relationship }
}

const largestLine = 0x7fffffff

/**
 * Converts a resource to its stored form. PuppetDB does not check the types of these fields itself:
 * its database does.
 */
function toStoredResource(resource: ExactObject): StoredResource {
  const formatResource = () => `Resource '${formatClojure(getResourceSpec(resource))}'`
  const getField = (field: string, expected: string, is: (value: ExactJson) => boolean): ExactJson => {
    const value = getMember(resource, field) ?? null
    return is(value)
      ? value
      : throwIssue(storeCommandIssues.COMMAND_FIELD, {
          what: formatResource(),
          field,
          expected,
          given: formatValueName(value),
        })
  }
  const isText = (value: ExactJson) => typeof value === 'string'
  const isLine = (value: ExactJson) =>
    value === null || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largestLine)
  const aliases = getMember(resource, 'aliases')
  return {
    type: getField('type', 'a string', isText) as string,
    title: getField('title', 'a string', isText) as string,
    exported: getField('exported', 'true or false', (value) => typeof value === 'boolean') as boolean,
    file: getField('file', 'a string', (value) => value === null || isText(value)) as string | null,
    line: getField('line', 'a whole number', isLine) as number | null,
    tags: [...new Set(getMember(resource, 'tags') as readonly string[])].sort(),
    aliases: Array.isArray(aliases) ? aliases.filter((each) => typeof each === 'string') : [],
    parameters: (getField('parameters', 'an object', (value) => value === null || isExactObject(value)) ??
      {}) as ExactObject,
  }
}
