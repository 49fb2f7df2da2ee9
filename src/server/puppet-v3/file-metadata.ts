import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { fileMetadataToWire } from '../../model/file-metadata.ts'
import { jsonMedia, msgpackMedia, negotiateFormat, psonMedia } from '../http/negotiation.ts'
import { getParameter, listParameterValues, type RequestParameters } from '../http/parameters.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import { sendData } from '../sending/data-response.ts'
import type { Services } from '../services/services.ts'
import type { FileMetadataRequest } from '../termini/file-metadata/index.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

/** `GET /puppet/v3/file_metadata/MOUNT/PATH` and `/file_metadatas/MOUNT[/PATH]`. protocol.md 8. */
export function addFileMetadataRoutes(server: FastifyInstance, { fileMetadata, bodyReader }: Services): void {
  server.get('/puppet/v3/file_metadata/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const links = parseLinks(request.call.query, () => ':links can only be set to :manage or :follow')
    const query = parseMetadataQuery(request.call.query, links, request.log.warn.bind(request.log))
    const found = await fileMetadata.find({ key, node: request.call.client.certname, environment, query })
    if (!found) throw createPuppetRefusal(404, `Could not find file_metadata ${key}`, 'RESOURCE_NOT_FOUND')
    const format = negotiateFormat(request.headers.accept, [jsonMedia, psonMedia, msgpackMedia])
    const pieces = [Buffer.from(JSON.stringify(fileMetadataToWire(found)))]
    return sendData(request, reply, { pieces, format }, bodyReader)
  })

  server.get('/puppet/v3/file_metadatas/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const links = parseLinks(request.call.query, (given) => `Invalid :links value '${toPrintable(given)}'`)
    const query = parseMetadataQuery(request.call.query, links, request.log.warn.bind(request.log))
    const found = await fileMetadata.search({ key, node: request.call.client.certname, environment, query })
    if (!found)
      throw createPuppetRefusal(404, `Could not find instances in file_metadata with '${key}'`, 'RESOURCE_NOT_FOUND')
    const format = negotiateFormat(request.headers.accept, [jsonMedia, psonMedia, msgpackMedia])
    const texts = await mapCooperatively(found, (each) => JSON.stringify(fileMetadataToWire(each)))
    return sendData(request, reply, { pieces: [Buffer.from(`[${texts.join(',')}]`)], format }, bodyReader)
  })
}

type Query = FileMetadataRequest['query']

function parseMetadataQuery(
  parameters: RequestParameters,
  links: Query['links'],
  warn: (message: string) => void,
): Query {
  return {
    links,
    checksumType: getParameter(parameters, 'checksum_type') ?? 'sha256',
    sourcePermissions: getParameter(parameters, 'source_permissions') === 'use' ? 'use' : 'ignore',
    // As in Puppet, every value except `false` means true.
    recurse: (getParameter(parameters, 'recurse') ?? 'false') !== 'false',
    recurselimit: parseWholeNumber(parameters, 'recurselimit'),
    maxFiles: parseWholeNumber(parameters, 'max_files') ?? 0,
    ignore: parseGlobs(parameters),
    warn,
  }
}

/** Puppet uses different messages for a search and for one file, and status 500 for both. */
function parseLinks(parameters: RequestParameters, refused: (given: string) => string): Query['links'] {
  const links = getParameter(parameters, 'links') ?? 'manage'
  if (links === 'manage' || links === 'follow') return links
  throw createPuppetRefusal(500, refused(links))
}

function parseGlobs(parameters: RequestParameters): readonly string[] {
  const ignore = listParameterValues(parameters, 'ignore')
  const { bound } = budgets.pattern.ignored
  if (ignore.length <= bound) return ignore
  throw createPuppetRefusal(
    400,
    `The parameter ignore has ${ignore.length} patterns, which exceeds the limit of ${bound}`,
  )
}

function parseWholeNumber(parameters: RequestParameters, name: string): number | undefined {
  const value = getParameter(parameters, name)
  if (value === undefined || value === '' || value === 'infinite') return undefined
  if (!/^-?\d{1,9}$/.test(value)) throw createPuppetRefusal(400, `Invalid ${name} ${JSON.stringify(value)}`)
  return Number(value)
}
