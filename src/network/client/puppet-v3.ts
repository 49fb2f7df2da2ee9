import { throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject } from '../../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { CatalogWire } from '../../model/catalog.ts'
import { type SignedCatalog, signatureHeader } from '../../model/catalog-signature.ts'
import { type Facts, factsToWire } from '../../model/facts.ts'
import { type FileMetadata, fileMetadataFromWire } from '../../model/file-metadata.ts'
import type { Report } from '../../model/report.ts'
import { toConnectionError } from './connection-errors.ts'
import { httpIssues, ignoreNotFound } from './errors.ts'
import type { HttpClient, HttpQuery, HttpResponse } from './http-client.ts'
import { streamWithResume } from './resumable-body.ts'

/** The API `/puppet/v3` of one server, as an agent uses it. protocol.md 3, 7, 8, 9. */
export interface PuppetV3 {
  /** Requests the definition of a node. */
  node(name: string, query: NodeQuery): Promise<NodeResponse>
  /** Requests a catalog, in wire format. */
  catalog(name: string, request: CatalogQuery): Promise<CatalogResponse>
  /** Returns the metadata of a file, such as `modules/ntp/a.txt`; `undefined` if the file does not exist. */
  fileMetadata(path: string, query: FileServerQuery): Promise<FileMetadata | undefined>
  /** Returns the metadata of a directory tree; `undefined` if the directory does not exist. */
  fileMetadatas(path: string, query: FileSearchQuery): Promise<readonly FileMetadata[] | undefined>
  fileContent(path: string, query: { readonly environment: string }): Promise<AsyncIterable<Uint8Array>>
  /** Returns the content of a file in the commit of the catalog. */
  staticFileContent(
    path: string,
    query: { readonly environment: string; readonly codeId: string },
  ): Promise<AsyncIterable<Uint8Array>>
  /** Submits a report; returns the names of the report processors that handled it. */
  report(name: string, environment: string, report: Report): Promise<readonly string[]>
  facts(environment: string, facts: Facts): Promise<void>
}

/** Parameters of a request for a node. */
export interface NodeQuery {
  readonly environment: string
  readonly configuredEnvironment?: string
  readonly transactionUuid?: string
}

/** The parts of a node's definition that an agent uses. */
export interface NodeResponse {
  readonly name: string
  readonly environment: string | undefined
  /** Value of the server's header `X-Puppet-Version`. */
  readonly serverVersion: string | undefined
}

/** Parameters of a request for a catalog. */
export interface CatalogQuery {
  readonly environment: string
  readonly configuredEnvironment?: string
  readonly checkEnvironment?: boolean
  readonly facts: Facts
  readonly transactionUuid: string
  readonly jobUuid?: string | undefined
  /** Commit of the node's plug-ins; Puppet Server ignores it. */
  readonly pluginsCodeId?: string | undefined
  readonly staticCatalog?: boolean
  /** Checksum types that the agent supports, in order of preference. */
  readonly checksumTypes: readonly string[]
}

/** A catalog as the server sent it. */
export interface CatalogResponse extends SignedCatalog {
  /** Value of the header `X-Puppet-Compiler-Name`: the server that compiled the catalog. */
  readonly compiler: string | undefined
}

/** Parameters of a request for file metadata. */
export interface FileServerQuery {
  readonly environment: string
  readonly links?: 'manage' | 'follow'
  readonly checksumType?: string
  readonly sourcePermissions?: 'ignore' | 'use'
}

/** Parameters of a recursive request for file metadata. */
export interface FileSearchQuery extends FileServerQuery {
  readonly recurse?: boolean
  readonly recurselimit?: number
  readonly maxFiles?: number
  readonly ignore?: readonly string[]
}

const acceptCatalog = 'application/vnd.puppet.rich+json, application/json'
const acceptJson = { accept: 'application/json' }
const acceptBytes = { accept: 'application/octet-stream' }

/** Yields the bytes of a response; if the response ends early, throws Puppet's error. */
async function* streamCompleteBody(url: URL, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const start = performance.now()
  try {
    yield* body
  } catch (error) {
    throw toConnectionError(error, url, Math.round(performance.now() - start) / 1000)
  }
}

/**
 * Creates the client for an agent. Calls `origin` for each request, because the server may not have been selected yet.
 */
export function createPuppetV3Client(http: HttpClient, origin: () => Promise<URL>): PuppetV3 {
  const buildUrl = async (indirection: string, key: string) =>
    new URL(`/puppet/v3/${indirection}/${encodePath(key)}`, await origin())
  const getJson = async (indirection: string, key: string, query: HttpQuery) => {
    const place = await buildUrl(indirection, key)
    const answer = await http.send(place, { query, headers: acceptJson })
    return { answer, body: parseJsonBody(place, answer) }
  }
  const getBytes = async (indirection: string, key: string, query: HttpQuery) => {
    const place = await buildUrl(indirection, key)
    const ask = (headers: Readonly<Record<string, string>>) =>
      http.stream(place, { query, headers: { ...acceptBytes, ...headers } })
    return streamCompleteBody(place, streamWithResume(await ask({}), ask))
  }
  const putJson = async (indirection: string, key: string, environment: string, body: ExactJson | Report) =>
    http.send(await buildUrl(indirection, key), {
      method: 'PUT',
      query: { environment },
      headers: { ...acceptJson, 'content-type': 'application/json' },
      body: formatExactJson(body),
    })

  return {
    async node(name, { environment, configuredEnvironment = environment, transactionUuid }) {
      const query = { environment, configured_environment: configuredEnvironment, transaction_uuid: transactionUuid }
      const { answer, body } = await getJson('node', name, query)
      const node = checkJsonObject(body, 'node')
      return {
        name: typeof node.name === 'string' ? node.name : name,
        environment: typeof node.environment === 'string' ? node.environment : undefined,
        serverVersion: answer.headers['x-puppet-version'],
      }
    },

    async catalog(name, request) {
      const place = await buildUrl('catalog', name)
      const answer = await http.send(place, {
        method: 'POST',
        query: { environment: request.environment },
        headers: { accept: acceptCatalog, 'content-type': 'application/x-www-form-urlencoded' },
        body: buildCatalogForm(request),
      })
      return {
        wire: checkJsonObject(parseJsonBody(place, answer), 'catalog') as CatalogWire,
        text: answer.body.toString('utf8'),
        signature: answer.headers[signatureHeader.toLowerCase()],
        compiler: answer.headers['x-puppet-compiler-name'],
      }
    },

    async fileMetadata(path, query) {
      const found = await ignoreNotFound(getJson('file_metadata', path, buildFileQuery(query)))
      return found && fileMetadataFromWire(found.body)
    },

    async fileMetadatas(path, query) {
      const { recurse = true, recurselimit, maxFiles, ignore } = query
      const own = { recurse, recurselimit, max_files: maxFiles, ignore }
      const found = await ignoreNotFound(getJson('file_metadatas', path, { ...own, ...buildFileQuery(query) }))
      return found && checkJsonArray(found.body, 'file metadatas').map(fileMetadataFromWire)
    },

    fileContent: (path, query) => getBytes('file_content', path, query),

    staticFileContent: (path, { environment, codeId }) =>
      getBytes('static_file_content', path, { environment, code_id: codeId }),

    async report(name, environment, report) {
      const answer = await putJson('report', name, environment, report)
      const body = parseJsonBody(await buildUrl('report', name), answer)
      return Array.isArray(body) ? body.map(String) : []
    },

    async facts(environment, facts) {
      await putJson('facts', facts.name, environment, factsToWire(facts))
    },
  }
}

/** URL-encodes each segment of a path; keeps the slashes. */
function encodePath(key: string): string {
  return key.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
}

function buildFileQuery({ environment, links, checksumType, sourcePermissions }: FileServerQuery): HttpQuery {
  return { links, checksum_type: checksumType, source_permissions: sourcePermissions, environment }
}

/** Returns the form data of a catalog request, protocol.md 3; the facts are URL-encoded twice. */
function buildCatalogForm(request: CatalogQuery): string {
  const { environment, configuredEnvironment = environment, checkEnvironment = true, staticCatalog = true } = request
  const form = new URLSearchParams({
    environment,
    configured_environment: configuredEnvironment,
    check_environment: String(checkEnvironment),
    facts_format: 'application/json',
    facts: encodeURIComponent(formatExactJson(factsToWire(request.facts))),
    transaction_uuid: request.transactionUuid,
    static_catalog: String(staticCatalog),
    checksum_type: request.checksumTypes.join('.'),
    encrypted_secrets: 'true',
  })
  if (request.jobUuid !== undefined) form.set('job_uuid', request.jobUuid)
  if (request.pluginsCodeId !== undefined) form.set('plugins_code_id', request.pluginsCodeId)
  return form.toString()
}

function parseJsonBody(url: URL, { body }: HttpResponse): unknown {
  try {
    return parseJson(body.toString('utf8'))
  } catch (error) {
    return throwIssue(httpIssues.HTTP_BODY_INVALID, { url: `${url.origin}${url.pathname}`, why: formatError(error) })
  }
}
