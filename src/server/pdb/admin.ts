import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { toJsonRecord } from '../../base/json/json-checks.ts'
import type { StoreUpkeep } from '../../store/node-store.ts'
import { type CollectionPart, type CollectionRequest, collectionParts } from '../../store/retention/collection.ts'
import { getBody, getBodyText } from '../bodies/request-body.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { Refusal } from '../http/refusal.ts'

const jsonType = jsonMedia.contentType

/** `POST /pdb/admin/v1/cmd` (`clean`, `delete`) and `/pdb/admin/v1/summary-stats`. protocol.md 16.3. */
export function addAdminRoutes(server: FastifyInstance, upkeep: StoreUpkeep): void {
  server.post('/pdb/admin/v1/cmd', async (request, reply) => {
    const text = getBodyText(getBody(request))
    const command = parseAdminCommand(text)
    void reply.type(jsonType)
    if (command.kind === 'delete') {
      await upkeep.remove(command.certname)
      return reply.send(JSON.stringify({ deleted: command.certname }))
    }
    if ((await upkeep.clean(command.request)) === 'done') return reply.send(JSON.stringify({ ok: true }))
    const conflict = { kind: 'conflict', msg: 'Another cleanup is already in progress', details: null }
    return reply.code(409).send(JSON.stringify(conflict))
  })
  server.all('/pdb/admin/v1/summary-stats', async (_request, reply) => {
    const { pieces } = await upkeep.summary()
    return reply.type(jsonType).send(await text(pieces))
  })
}

type AdminCommand =
  | { readonly kind: 'clean'; readonly request: CollectionRequest }
  | { readonly kind: 'delete'; readonly certname: string }

/** Parses a command. Throws 400 with PuppetDB's message; the message for invalid JSON is ours. */
function parseAdminCommand(text: string): AdminCommand {
  const rejectCommand = (why: string): never => {
    const error = `Invalid command ${formatClojureString(text)}: ${why}`
    throw new Refusal(400, jsonType, JSON.stringify({ error }))
  }
  const given = parsePayload(text, rejectCommand)
  const kind = given['command']
  if (kind !== 'clean' && kind !== 'delete') return rejectCommand("Valid commands types are: 'clean' and 'delete'")
  const { version, payload, command: _, ...others } = given
  if (version !== 1 || Object.keys(others).length > 0) return rejectCommand('nil')
  if (kind === 'clean') return { kind, request: parseCollectionRequest(payload) ?? rejectCommand('nil') }
  const { certname, ...more } = toJsonRecord(payload)
  return typeof certname === 'string' && Object.keys(more).length === 0 ? { kind, certname } : rejectCommand('nil')
}

function parsePayload(text: string, refuse: (why: string) => never): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  try {
    return toJsonRecord(JSON.parse(text))
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/**
 * Parses the payload of `clean`, such as `["expire_nodes", ["purge_nodes", {"batch_limit": 25}]]`. An empty list
 * means all parts, as in PuppetDB. Returns `undefined` for an invalid payload.
 */
function parseCollectionRequest(payload: unknown): CollectionRequest | undefined {
  if (!Array.isArray(payload)) return undefined
  const parts = new Set<CollectionPart>()
  let purgeAtMost: number | undefined
  for (const each of payload) {
    const part = collectionParts.find((known) => known === each)
    const limit = part === undefined ? parsePurgeLimit(each) : undefined
    if (part === undefined && limit === undefined) return undefined
    parts.add(part ?? 'purge_nodes')
    if (limit !== undefined || part === 'purge_nodes') purgeAtMost = limit
  }
  const wanted = payload.length === 0 ? collectionParts : [...parts]
  return { parts: wanted, ...(purgeAtMost !== undefined && { purgeAtMost }) }
}

function parsePurgeLimit(given: unknown): number | undefined {
  const [name, options, ...rest] = Array.isArray(given) ? given : []
  const { batch_limit: limit, ...others } = toJsonRecord(options)
  const isLimit = typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0
  return name === 'purge_nodes' && isLimit && rest.length + Object.keys(others).length === 0 ? limit : undefined
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r', '\f': '\\f', '\b': '\\b' },
}

/** Prints a string in Clojure's format. */
function formatClojureString(text: string): string {
  return `"${text.replace(/["\\\n\t\r\f\b]/g, (char) => escapes[char]!)}"`
}
