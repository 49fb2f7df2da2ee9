import { fail } from '../../../base/issue.ts'
import { type ExactJson, type ExactObject, entriesOf, isExactObject, memberOf } from '../../../base/json/exact-json.ts'
import { clojureText, valueName } from '../../clojure-text.ts'
import {
  type ResourceSpec,
  relationships,
  type StoredCatalog,
  type StoredEdge,
  type StoredResource,
} from '../command.ts'
import { tagPattern } from './catalog.ts'
import { uuidIn } from './fields.ts'
import { issues } from './issues.ts'

/**
 * Parses a catalog in strict wire format version 1: `replace catalog` 2 and 3. All fields are
 * required, other fields are not allowed, only the transaction UUID may be null, and edges must
 * connect resources listed in the catalog.
 */
export function readStrictCatalog(payload: ExactObject, version: 2 | 3, received: string): StoredCatalog {
  exactKeys(payload, 'Catalog', ['metadata', 'data'])
  const metadata = objectAt(payload, 'metadata', 'Catalog')
  exactKeys(metadata, 'Catalog metadata', ['api_version'])
  requireVersion(metadata)
  const data = objectAt(payload, 'data', 'Catalog')
  const fields = ['name', 'version', 'edges', 'resources']
  exactKeys(data, 'Catalog data', version === 3 ? [...fields, 'transaction-uuid'] : fields, ['transaction-uuid'])
  const uuid = memberOf(data, 'transaction-uuid') ?? null
  if (uuid !== null && typeof uuid !== 'string') wrong('Catalog data', 'transaction-uuid', 'text or null', uuid)
  const resources = new Map<string, StoredResource>()
  for (const each of listAt(data, 'resources', 'Catalog data')) {
    const resource = strictResource(each)
    const name = specText(resource)
    if (resources.has(name)) fail(issues.CATALOG_DUPLICATE, { resource: name })
    resources.set(name, resource)
  }
  const edges = listAt(data, 'edges', 'Catalog data').map((each) => strictEdge(each, resources))
  return {
    certname: textAt(data, 'name', 'Catalog data'),
    version: textAt(data, 'version', 'Catalog data'),
    ...unknownIn(version === 3 ? uuidIn({ uuid }, 'uuid') : null, received),
    edges: distinct(edges),
    resources: [...resources.values()],
  }
}

/** Fields that this format does not have. */
function unknownIn(transaction: string | null, received: string) {
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
  const version = memberOf(metadata, 'api_version')
  if (version !== 1) wrong('Catalog metadata', 'api_version', '1', version)
}

const resourceFields = ['type', 'title', 'aliases', 'exported', 'file', 'line', 'tags', 'parameters']
const typePattern = /^[A-Z][a-z0-9_]*(?:::[A-Z][a-z0-9_]*)*$/

function strictResource(value: ExactJson): StoredResource {
  if (!isExactObject(value)) wrong('Catalog data', 'resources', 'a list of objects', value)
  const what = `Resource '${specText(value)}'`
  exactKeys(value, what, resourceFields)
  const type = textAt(value, 'type', what)
  if (!typePattern.test(type)) wrong(what, 'type', 'capitalized in each segment', type)
  const exported = memberOf(value, 'exported')
  if (typeof exported !== 'boolean') wrong(what, 'exported', 'true or false', exported)
  const line = lineOf(memberOf(value, 'line'))
  if (line === undefined) wrong(what, 'line', 'a positive number', memberOf(value, 'line'))
  const tags = textsAt(value, 'tags', what)
  const bad = tags.find((tag) => !tagPattern.test(tag))
  if (bad !== undefined) fail(issues.CATALOG_TAG, { resource: specText(value), tag: bad })
  const parameters = objectAt(value, 'parameters', what)
  requireNoNull(parameters, `${what} parameters`)
  const file = textAt(value, 'file', what)
  return {
    type,
    title: textAt(value, 'title', what),
    exported,
    ...placeOf(file, line),
    tags: [...new Set(tags)].sort(),
    aliases: textsAt(value, 'aliases', what),
    parameters,
  }
}

/**
 * Reads the file and line of a resource. The format requires a file; senders write an empty path
 * for resources that the compiler itself adds.
 */
function placeOf(file: string, line: number): Pick<StoredResource, 'file' | 'line'> {
  return file === '' ? { file: null, line: null } : { file, line }
}

/** The format's documentation describes the line once as text and once as a number. */
function lineOf(value: ExactJson | undefined): number | undefined {
  const line = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof line === 'number' && Number.isInteger(line) && line > 0 && line <= 0x7fffffff ? line : undefined
}

function strictEdge(value: ExactJson, resources: ReadonlyMap<string, unknown>): StoredEdge {
  if (!isExactObject(value)) wrong('Catalog data', 'edges', 'a list of objects', value)
  const edge = clojureText(value)
  exactKeys(value, `Edge '${edge}'`, ['source', 'target', 'relationship'])
  const [source, target] = ['source', 'target'].map((key) => {
    const end = objectAt(value, key, `Edge '${edge}'`)
    exactKeys(end, `Edge '${edge}' ${key}`, ['type', 'title'])
    const spec = { type: textAt(end, 'type', `Edge '${edge}'`), title: textAt(end, 'title', `Edge '${edge}'`) }
    if (!resources.has(specText(spec))) fail(issues.CATALOG_EDGE, { edge, resource: specText(spec) })
    return spec
  })
  const relationship = relationships.find((each) => each === memberOf(value, 'relationship'))
  if (relationship === undefined)
    fail(issues.CATALOG_RELATIONSHIP, { edge, relationship: clojureText(memberOf(value, 'relationship')) })
  return { source: source!, target: target!, relationship }
}

/**
 * Parses a catalog in lenient wire format version 1: `replace catalog` 1. Missing fields get
 * defaults; unknown fields, and edges to resources that are not listed, are ignored. A catalog
 * without a certname is rejected.
 */
export function readTolerantCatalog(payload: ExactObject, received: string): StoredCatalog {
  const metadata = memberOf(payload, 'metadata')
  if (isExactObject(metadata) && memberOf(metadata, 'api_version') !== undefined) requireVersion(metadata)
  const data = objectAt(payload, 'data', 'Catalog')
  const certname = textAt(data, 'name', 'Catalog data')
  const version = memberOf(data, 'version')
  const resources = new Map<string, StoredResource>()
  for (const each of tolerantList(memberOf(data, 'resources'))) {
    const resource = tolerantResource(each)
    if (resource && !resources.has(specText(resource))) resources.set(specText(resource), resource)
  }
  const edges = tolerantList(memberOf(data, 'edges')).flatMap((each) => tolerantEdge(each, resources))
  return {
    certname,
    version:
      typeof version === 'string' ? version : version === undefined || version === null ? '' : clojureText(version),
    ...unknownIn(null, received),
    edges: distinct(edges),
    resources: [...resources.values()],
  }
}

function tolerantResource(value: ExactObject): StoredResource | undefined {
  const [type, title] = [memberOf(value, 'type'), memberOf(value, 'title')]
  if (typeof type !== 'string' || typeof title !== 'string') return undefined
  const [file, parameters] = [memberOf(value, 'file'), memberOf(value, 'parameters')]
  const line = lineOf(memberOf(value, 'line'))
  const tags = texts(memberOf(value, 'tags')).map((tag) => tag.toLowerCase())
  const hasFile = typeof file === 'string' && file !== ''
  return {
    type,
    title,
    exported: memberOf(value, 'exported') === true,
    file: hasFile ? file : null,
    line: hasFile ? (line ?? null) : null,
    tags: [...new Set(tags)].filter((tag) => tagPattern.test(tag)).sort(),
    aliases: texts(memberOf(value, 'aliases')),
    parameters: isExactObject(parameters) ? parameters : {},
  }
}

function tolerantEdge(value: ExactObject, resources: ReadonlyMap<string, unknown>): StoredEdge[] {
  const relationship = relationships.find((each) => each === memberOf(value, 'relationship'))
  const ends = ['source', 'target'].map((key) => {
    const end = memberOf(value, key)
    return { type: memberOf(end, 'type') as string, title: memberOf(end, 'title') as string }
  })
  const listed = ends.every((end) => resources.has(specText(end)))
  return relationship && listed ? [{ source: ends[0]!, target: ends[1]!, relationship }] : []
}

function tolerantList(value: ExactJson | undefined): readonly ExactObject[] {
  return Array.isArray(value) ? value.filter(isExactObject) : []
}

function texts(value: ExactJson | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function distinct(edges: readonly StoredEdge[]): StoredEdge[] {
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()]
}

function specText(value: ExactObject | ResourceSpec): string {
  const [type, title] = ['type', 'title'].map((key) => memberOf(value as ExactObject, key) ?? null)
  return clojureText({ type: type!, title: title! })
}

/** Requires exactly these keys. Throws CATALOG_MISSING_KEYS or CATALOG_UNEXPECTED_KEYS. */
function exactKeys(object: ExactObject, what: string, required: readonly string[], optional: readonly string[] = []) {
  const present = Array.from(entriesOf(object), ([key]) => key)
  const unexpected = present.filter((key) => !required.includes(key) && !optional.includes(key))
  if (unexpected.length > 0) fail(issues.CATALOG_UNEXPECTED_KEYS, { what, keys: unexpected })
  const missing = required.filter((key) => !present.includes(key))
  if (missing.length > 0) fail(issues.CATALOG_MISSING_KEYS, { what, keys: missing })
}

function objectAt(object: ExactObject, field: string, what: string): ExactObject {
  const value = memberOf(object, field)
  return isExactObject(value) ? value : wrong(what, field, 'an object', value)
}

function listAt(object: ExactObject, field: string, what: string): readonly ExactJson[] {
  const value = memberOf(object, field)
  return Array.isArray(value) ? value : wrong(what, field, 'a list', value)
}

function textAt(object: ExactObject, field: string, what: string): string {
  const value = memberOf(object, field)
  return typeof value === 'string' ? value : wrong(what, field, 'text', value)
}

function textsAt(object: ExactObject, field: string, what: string): readonly string[] {
  const value = memberOf(object, field)
  const is = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return is ? (value as readonly string[]) : wrong(what, field, 'a list of texts', value)
}

function requireNoNull(value: ExactJson | undefined, where: string): void {
  if (value === null) fail(issues.CATALOG_NULL, { where })
  if (Array.isArray(value)) for (const [index, each] of value.entries()) requireNoNull(each, `${where}[${index}]`)
  else if (isExactObject(value)) for (const [key, each] of entriesOf(value)) requireNoNull(each, `${where}.${key}`)
}

function wrong(what: string, field: string, expected: string, given: ExactJson | undefined): never {
  return fail(issues.COMMAND_FIELD, { what, field, expected, given: valueName(given) })
}
