import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { CertificateAuthority } from '../../ca/certificate-authority.ts'
import type { CertificateState, CertificateStatus } from '../../ca/certificate-status.ts'
import { getPathCertname, getRequestText, parseRequestObject, requireBodyType } from './bodies.ts'
import { isAuthorityRefusal, sendPlainText } from './errors.ts'
import type { Endpoints } from './index.ts'

const states: readonly CertificateState[] = ['requested', 'signed', 'revoked', 'broken']

/** Endpoints of `certificate_status` and `certificate_statuses`. */
export const createStatusEndpoints: Endpoints =
  ({ ca }) =>
  async (server) => {
    server.get('/certificate_status/*', async (request, reply) => {
      const status = await ca.status(getPathCertname(request))
      return status ?? sendPlainText(reply, 404, 'Resource not found.')
    })

    server.put('/certificate_status/*', { preValidation: requireBodyType('application/json') }, (request, reply) =>
      changeCertificateState(ca, request, reply),
    )

    server.delete('/certificate_status/*', async (request, reply) =>
      (await ca.remove(getPathCertname(request)))
        ? reply.code(204).send()
        : sendPlainText(reply, 404, 'Resource not found.'),
    )

    server.get('/certificate_statuses/*', async (request, reply) => {
      const { state } = request.query as Readonly<Record<string, unknown>>
      const slices = ca.statusSlices(states.find((known) => known === state))
      return reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(await awaitFirstPiece(streamStatusList(slices))))
    })
  }

/** Streams the statuses as a JSON list, because 100,000 statuses are 90 MB of text. */
async function* streamStatusList(slices: AsyncIterable<readonly CertificateStatus[]>): AsyncGenerator<string> {
  let before = '['
  for await (const statuses of slices) {
    if (statuses.length === 0) continue
    const parts = await mapCooperatively(statuses, (status) => JSON.stringify(status))
    yield before + parts.join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Waits for the first piece of text, so that an early failure gets an error response. */
async function awaitFirstPiece(texts: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await texts.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* texts
  })()
}

async function changeCertificateState(
  ca: CertificateAuthority,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const name = getPathCertname(request)
  const wish = parseStateChange(request, name)
  if (typeof wish === 'string') return sendPlainText(reply, 400, wish)
  if ((await ca.status(name)) === undefined) return sendPlainText(reply, 404, 'Invalid certificate subject.')
  try {
    if (wish.state === 'signed') await ca.sign(name, wish)
    else if ((await ca.certificate(name)) !== undefined) await ca.revoke(name)
    else return sendPlainText(reply, 409, `Cannot revoke certificate for host ${name} without a signed certificate`)
  } catch (error) {
    if (isAuthorityRefusal(error)) return sendPlainText(reply, 409, error.diagnostic.message)
    throw error
  }
  return reply.code(204).send()
}

interface StateChange {
  readonly state: 'signed' | 'revoked'
  readonly ttl: number | undefined
  /** Fingerprint of the reviewed signing request; an extension of Puppet's body. */
  readonly fingerprint: string | undefined
}

/** Parses the requested change; returns a message if it is invalid. */
function parseStateChange(request: FastifyRequest, name: string): StateChange | string {
  if (getRequestText(request).trim() === '') return 'Empty request body.'
  const body = parseRequestObject(request)
  if (!body) return 'Request body is not JSON.'
  const { desired_state: state, cert_ttl: ttl, fingerprint } = body
  if (state === undefined) return 'Missing required parameter "desired_state"'
  if (state !== 'signed' && state !== 'revoked')
    return `State ${state} invalid; Must specify desired state of 'signed' or 'revoked' for host ${name}.`
  if (fingerprint !== undefined && typeof fingerprint !== 'string')
    return `fingerprint specified for host ${name} must match the fingerprint in its status`
  if (ttl === undefined || ttl === null) return { state, ttl: undefined, fingerprint }
  if (typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl > 0) return { state, ttl, fingerprint }
  return `cert_ttl specified for host ${name} must be an integer, not "${ttl}"`
}
