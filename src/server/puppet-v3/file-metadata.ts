import type { FastifyInstance } from 'fastify'
import { budgets } from '../../base/budgets.ts'
import { mapInTurns } from '../../base/in-turns.ts'
import { fileMetadataToWire } from '../../model/file-metadata.ts'
import type { FileMetadataRequest } from '../../termini/file-metadata/index.ts'
import { json, msgpack, negotiate, pson } from '../negotiation.ts'
import { type Parameters, parameter, parameterList } from '../parameters.ts'
import { puppetRefusal } from '../refusal.ts'
import { sendData } from '../sending/send-data.ts'
import type { Services } from '../services.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { requireKey } from './key.ts'

/** `GET /puppet/v3/file_metadata/MOUNT/PATH` and `/file_metadatas/MOUNT[/PATH]`. protocol.md 8. */
export function fileMetadataRoutes(server: FastifyInstance, { fileMetadata, bodyReader }: Services): void {
  server.get('/puppet/v3/file_metadata/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const query = queryOf(request.call.query, request.log.warn.bind(request.log))
    const found = await fileMetadata.find({ key, node: request.call.client.certname, environment, query })
    if (!found) throw puppetRefusal(404, `Could not find file_metadata ${key}`, 'RESOURCE_NOT_FOUND')
    const format = negotiate(request.headers.accept, [json, pson, msgpack])
    const pieces = [Buffer.from(JSON.stringify(fileMetadataToWire(found)))]
    return sendData(request, reply, { pieces, format }, bodyReader)
  })

  server.get('/puppet/v3/file_metadatas/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    const key = requireKey(request)
    const query = queryOf(request.call.query, request.log.warn.bind(request.log))
    const found = await fileMetadata.search({ key, node: request.call.client.certname, environment, query })
    if (!found)
      throw puppetRefusal(404, `Could not find instances in file_metadata with '${key}'`, 'RESOURCE_NOT_FOUND')
    const format = negotiate(request.headers.accept, [json, pson, msgpack])
    const texts = await mapInTurns(found, (each) => JSON.stringify(fileMetadataToWire(each)))
    return sendData(request, reply, { pieces: [Buffer.from(`[${texts.join(',')}]`)], format }, bodyReader)
  })
}

function queryOf(parameters: Parameters, warn: (message: string) => void): FileMetadataRequest['query'] {
  return {
    links: parameter(parameters, 'links') === 'follow' ? 'follow' : 'manage',
    checksumType: parameter(parameters, 'checksum_type') ?? 'sha256',
    sourcePermissions: parameter(parameters, 'source_permissions') === 'use' ? 'use' : 'ignore',
    recurse: ['true', 'remote'].includes(parameter(parameters, 'recurse') ?? ''),
    recurselimit: wholeNumber(parameters, 'recurselimit'),
    maxFiles: wholeNumber(parameters, 'max_files') ?? 0,
    ignore: globs(parameters),
    warn,
  }
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
