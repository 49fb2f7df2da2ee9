import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { printable } from '../../base/text/printable.ts'
import { mapInTurns } from '../../base/threads/in-turns.ts'
import { fileMetadataToWire } from '../../model/file-metadata.ts'
import { json, msgpack, negotiate, pson } from '../http/negotiation.ts'
import { type Parameters, parameter, parameterList } from '../http/parameters.ts'
import { puppetRefusal } from '../http/refusal.ts'
import { sendData } from '../sending/send-data.ts'
import type { Services } from '../services/services.ts'
import type { FileMetadataRequest } from '../termini/file-metadata/index.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

/** `GET /puppet/v3/file_metadata/MOUNT/PATH` and `/file_metadatas/MOUNT[/PATH]`. protocol.md 8. */
export function fileMetadataRoutes(server: FastifyInstance, { fileMetadata, bodyReader }: Services): void {
  server.get('/puppet/v3/file_metadata/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const links = linksOf(request.call.query, () => ':links can only be set to :manage or :follow')
    const query = queryOf(request.call.query, links, request.log.warn.bind(request.log))
    const found = await fileMetadata.find({ key, node: request.call.client.certname, environment, query })
    if (!found) throw puppetRefusal(404, `Could not find file_metadata ${key}`, 'RESOURCE_NOT_FOUND')
    const format = negotiate(request.headers.accept, [json, pson, msgpack])
    const pieces = [Buffer.from(JSON.stringify(fileMetadataToWire(found)))]
    return sendData(request, reply, { pieces, format }, bodyReader)
  })

  server.get('/puppet/v3/file_metadatas/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const links = linksOf(request.call.query, (given) => `Invalid :links value '${printable(given)}'`)
    const query = queryOf(request.call.query, links, request.log.warn.bind(request.log))
    const found = await fileMetadata.search({ key, node: request.call.client.certname, environment, query })
    if (!found)
      throw puppetRefusal(404, `Could not find instances in file_metadata with '${key}'`, 'RESOURCE_NOT_FOUND')
    const format = negotiate(request.headers.accept, [json, pson, msgpack])
    const texts = await mapInTurns(found, (each) => JSON.stringify(fileMetadataToWire(each)))
    return sendData(request, reply, { pieces: [Buffer.from(`[${texts.join(',')}]`)], format }, bodyReader)
  })
}

type Query = FileMetadataRequest['query']

function queryOf(parameters: Parameters, links: Query['links'], warn: (message: string) => void): Query {
  return {
    links,
    checksumType: parameter(parameters, 'checksum_type') ?? 'sha256',
    sourcePermissions: parameter(parameters, 'source_permissions') === 'use' ? 'use' : 'ignore',
    // As in Puppet, every value except `false` means true.
    recurse: (parameter(parameters, 'recurse') ?? 'false') !== 'false',
    recurselimit: wholeNumber(parameters, 'recurselimit'),
    maxFiles: wholeNumber(parameters, 'max_files') ?? 0,
    ignore: globs(parameters),
    warn,
  }
}

/** Puppet uses different messages for a search and for one file, and status 500 for both. */
function linksOf(parameters: Parameters, refused: (given: string) => string): Query['links'] {
  const links = parameter(parameters, 'links') ?? 'manage'
  if (links === 'manage' || links === 'follow') return links
  throw puppetRefusal(500, refused(links))
}

function globs(parameters: Parameters): readonly string[] {
  const ignore = parameterList(parameters, 'ignore')
  const { bound } = budgets.pattern.ignored
  if (ignore.length <= bound) return ignore
  throw puppetRefusal(400, `The parameter ignore has ${ignore.length} patterns, which exceeds the limit of ${bound}`)
}

function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const value = parameter(parameters, name)
  if (value === undefined || value === '' || value === 'infinite') return undefined
  if (!/^-?\d{1,9}$/.test(value)) throw puppetRefusal(400, `Invalid ${name} ${JSON.stringify(value)}`)
  return Number(value)
}
