import { throwIssue } from '../../../base/issue.ts'
import {
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../../../base/json/exact-json.ts'
import { formatClojure, formatValueName } from '../../clojure-text.ts'
import {
  edgeRelationships,
  type ResourceSpec,
  type StoredCatalog,
  type StoredEdge,
  type StoredResource,
} from '../command.ts'
import { tagPattern } from './catalog.ts'
import { readUuidField } from './fields.ts'
import { storeCommandIssues } from './issues.ts'

/**
 * Parses a catalog in strict wire format version 1: `replace catalog` 2 and 3. All fields are
 * required, other fields are not allowed, only the transaction UUID may be null, and edges must
 * connect resources listed in the catalog.
 */
export function readStrictCatalog(payload: ExactObject, version: 2 | 3, received: string): StoredCatalog {
  checkExactKeys(payload, 'Catalog', ['metadata', 'data'])
  const metadata = readObject(payload, 'metadata', 'Catalog')
  checkExactKeys(metadata, 'Catalog metadata', ['api_version'])
  requireVersion(metadata)
  const data = readObject(payload, 'data', 'Catalog')
  const fields = ['name', 'version', 'edges', 'resources']
  checkExactKeys(data, 'Catalog data', version === 3 ? [...fields, 'transaction-uuid'] : fields, ['transaction-uuid'])
  const uuid = getMember(data, 'transaction-uuid') ?? null
  if (uuid !== null && typeof uuid !== 'string')
    throwFieldError('Catalog data', 'transaction-uuid', 'a string or null', uuid)
  const resources = new Map<string, StoredResource>()
  for (const each of readList(data, 'resources', 'Catalog data')) {
    const resource = readStrictResource(each)
    const name = formatResourceSpec(resource)
    if (resources.has(name)) throwIssue(storeCommandIssues.CATALOG_DUPLICATE, { resource: name })
    resources.set(name, resource)
  }
  const edges = readList(data, 'edges', 'Catalog data').map((each) => readStrictEdge(each, resources))
  return {
    certname: readText(data, 'name', 'Catalog data'),
    version: readText(data, 'version', 'Catalog data'),
    ...createUnknownFields(version === 3 ? readUuidField({ uuid }, 'uuid') : null, received),
    edges: removeDuplicateEdges(edges),
    resources: [...resources.values()],
  }
}

/** Default values of the fields that this format does not have. */
function createUnknownFields(transaction: string | null, received: string) {
  return {
    environment: null,
    transaction_uuid: transaction,
    catalog_uuid: transaction,
    code_id: null,
    job_id: null,
    producer_timestamp: received,
    producer: null,
  }
}

function requireVersion(metadata: ExactObject): void {
  const version = getMember(metadata, 'api_version')
  if (version !== 1) throwFieldError('Catalog metadata', 'api_version', '1', version)
}

const resourceFields = ['type', 'title', 'aliases', 'exported', 'file', 'line', 'tags', 'parameters']
const typePattern = /^[A-Z][a-z0-9_]*(?:::[A-Z][a-z0-9_]*)*$/

function readStrictResource(value: ExactJson): StoredResource {
  if (!isExactObject(value)) throwFieldError('Catalog data', 'resources', 'an array of objects', value)
  const what = `Resource '${formatResourceSpec(value)}'`
  checkExactKeys(value, what, resourceFields)
  const type = readText(value, 'type', what)
  if (!typePattern.test(type)) throwFieldError(what, 'type', 'capitalized in each segment', type)
  const exported = getMember(value, 'exported')
  if (typeof exported !== 'boolean') throwFieldError(what, 'exported', 'true or false', exported)
  const line = readLineNumber(getMember(value, 'line'))
  if (line === undefined) throwFieldError(what, 'line', 'a positive number', getMember(value, 'line'))
  const tags = readTexts(value, 'tags', what)
  const bad = tags.find((tag) => !tagPattern.test(tag))
  if (bad !== undefined) throwIssue(storeCommandIssues.CATALOG_TAG, { resource: formatResourceSpec(value), tag: bad })
  const parameters = readObject(value, 'parameters', what)
  requireNoNull(parameters, `${what} parameters`)
  const file = readText(value, 'file', what)
  return {
    type,
    title: readText(value, 'title', what),
    exported,
    ...toSourceLocation(file, line),
    tags: [...new Set(tags)].sort(),
    aliases: readTexts(value, 'aliases', what),
    parameters,
  }
}

/**
 * Reads the file and line of a resource. The format requires a file; senders write an empty path
 * for resources that the compiler itself adds.
 */
function toSourceLocation(file: string, line: number): Pick<StoredResource, 'file' | 'line'> {
  return file === '' ? { file: null, line: null } : { file, line }
}

/**
 * The format's documentation describes the line once as text and once as a number; both are
 * accepted.
 */
function readLineNumber(value: ExactJson | undefined): number | undefined {
  const line = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof line === 'number' && Number.isInteger(line) && line > 0 && line <= 0x7fffffff ? line : undefined
}

function readStrictEdge(value: ExactJson, resources: ReadonlyMap<string, unknown>): StoredEdge {
  if (!isExactObject(value)) throwFieldError('Catalog data', 'edges', 'an array of objects', value)
  const edge = formatClojure(value)
  checkExactKeys(value, `Edge '${edge}'`, ['source', 'target', 'relationship'])
  const [source, target] = ['source', 'target'].map((key) => {
    const end = readObject(value, key, `Edge '${edge}'`)
    checkExactKeys(end, `Edge '${edge}' ${key}`, ['type', 'title'])
    const spec = { type: readText(end, 'type', `Edge '${edge}'`), title: readText(end, 'title', `Edge '${edge}'`) }
    if (!resources.has(formatResourceSpec(spec)))
      throwIssue(storeCommandIssues.CATALOG_EDGE, { edge, resource: formatResourceSpec(spec) })
    return spec
  })
  const relationship = edgeRelationships.find((each) => each === getMember(value, 'relationship'))
  if (relationship === undefined)
    throwIssue(storeCommandIssues.CATALOG_RELATIONSHIP, {
      edge,
      relationship: formatClojure(getMember(value, 'relationship')),
    })
  return { source: source!, target: target!, relationship }
}

/**
 * Parses a catalog in lenient wire format version 1: `replace catalog` 1. Missing fields get
 * defaults; unknown fields, and edges to resources that are not listed, are ignored. A catalog
 * without a certname is rejected.
 */
export function readTolerantCatalog(payload: ExactObject, received: string): StoredCatalog {
  const metadata = getMember(payload, 'metadata')
  if (isExactObject(metadata) && getMember(metadata, 'api_version') !== undefined) requireVersion(metadata)
  const data = readObject(payload, 'data', 'Catalog')
  const certname = readText(data, 'name', 'Catalog data')
  const version = getMember(data, 'version')
  const resources = new Map<string, StoredResource>()
  for (const each of toObjectList(getMember(data, 'resources'))) {
    const resource = readTolerantResource(each)
    if (resource && !resources.has(formatResourceSpec(resource))) resources.set(formatResourceSpec(resource), resource)
  }
  const edges = toObjectList(getMember(data, 'edges')).flatMap((each) => readTolerantEdges(each, resources))
  return {
    certname,
    version:
      typeof version === 'string' ? version : version === undefined || version === null ? '' : formatClojure(version),
    ...createUnknownFields(null, received),
    edges: removeDuplicateEdges(edges),
    resources: [...resources.values()],
  }
}

function readTolerantResource(value: ExactObject): StoredResource | undefined {
  const [type, title] = [getMember(value, 'type'), getMember(value, 'title')]
  if (typeof type !== 'string' || typeof title !== 'string') return undefined
  const [file, parameters] = [getMember(value, 'file'), getMember(value, 'parameters')]
  const line = readLineNumber(getMember(value, 'line'))
  const tags = toTextList(getMember(value, 'tags')).map((tag) => tag.toLowerCase())
  const hasFile = typeof file === 'string' && file !== ''
  return {
    type,
    title,
    exported: getMember(value, 'exported') === true,
    file: hasFile ? file : null,
    line: hasFile ? (line ?? null) : null,
    tags: [...new Set(tags)].filter((tag) => tagPattern.test(tag)).sort(),
    aliases: toTextList(getMember(value, 'aliases')),
    parameters: isExactObject(parameters) ? parameters : {},
  }
}

function readTolerantEdges(value: ExactObject, resources: ReadonlyMap<string, unknown>): StoredEdge[] {
  const relationship = edgeRelationships.find((each) => each === getMember(value, 'relationship'))
  const ends = ['source', 'target'].map((key) => {
    const end = getMember(value, key)
    return { type: getMember(end, 'type') as string, title: getMember(end, 'title') as string }
  })
  const listed = ends.every((end) => resources.has(formatResourceSpec(end)))
  return relationship && listed ? [{ source: ends[0]!, target: ends[1]!, relationship }] : []
}

function toObjectList(value: ExactJson | undefined): readonly ExactObject[] {
  return Array.isArray(value) ? value.filter(isExactObject) : []
}

function toTextList(value: ExactJson | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function removeDuplicateEdges(edges: readonly StoredEdge[]): StoredEdge[] {
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()]
}

function formatResourceSpec(value: ExactObject | ResourceSpec): string {
  const [type, title] = ['type', 'title'].map((key) => getMember(value as ExactObject, key) ?? null)
  return formatClojure({ type: type!, title: title! })
}

/** Requires exactly these keys. Throws CATALOG_MISSING_KEYS or CATALOG_UNEXPECTED_KEYS. */
function checkExactKeys(
  object: ExactObject,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
) {
  const present = Array.from(getEntries(object), ([key]) => key)
  const unexpected = present.filter((key) => !required.includes(key) && !optional.includes(key))
  if (unexpected.length > 0) throwIssue(storeCommandIssues.CATALOG_UNEXPECTED_KEYS, { what, keys: unexpected })
  const missing = required.filter((key) => !present.includes(key))
  if (missing.length > 0) throwIssue(storeCommandIssues.CATALOG_MISSING_KEYS, { what, keys: missing })
}

function readObject(object: ExactObject, field: string, what: string): ExactObject {
  const value = getMember(object, field)
  return isExactObject(value) ? value : throwFieldError(what, field, 'an object', value)
}

function readList(object: ExactObject, field: string, what: string): readonly ExactJson[] {
  const value = getMember(object, field)
  return Array.isArray(value) ? value : throwFieldError(what, field, 'an array', value)
}

function readText(object: ExactObject, field: string, what: string): string {
  const value = getMember(object, field)
  return typeof value === 'string' ? value : throwFieldError(what, field, 'a string', value)
}

function readTexts(object: ExactObject, field: string, what: string): readonly string[] {
  const value = getMember(object, field)
  const is = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return is ? (value as readonly string[]) : throwFieldError(what, field, 'an array of strings', value)
}

function requireNoNull(value: ExactJson | undefined, where: string): void {
  if (value === null) throwIssue(storeCommandIssues.CATALOG_NULL, { where })
  if (Array.isArray(value)) for (const [index, each] of value.entries()) requireNoNull(each, `${where}[${index}]`)
  else if (isExactObject(value)) for (const [key, each] of getEntries(value)) requireNoNull(each, `${where}.${key}`)
}

function throwFieldError(what: string, field: string, expected: string, given: ExactJson | undefined): never {
  return throwIssue(storeCommandIssues.COMMAND_FIELD, { what, field, expected, given: formatValueName(given) })
}
