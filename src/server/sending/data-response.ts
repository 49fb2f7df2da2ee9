import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCatalogIssue } from '../../base/issue.ts'
import { msgpackIssues } from '../../base/json/msgpack.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { getRequestAccount } from '../bodies/request-body.ts'
import { isMsgpack, type MediaFormat, negotiateTextFormat } from '../http/negotiation.ts'
import { sendPieces } from './file-response.ts'

/** A response: pieces of JSON text, and the format to send. */
export interface ResponseData {
  readonly pieces: readonly Uint8Array[]
  readonly format: MediaFormat
}

/**
 * Sends data in the chosen format. If MessagePack cannot represent it, as for integers of more than
 * 64 bits, uses the next text format. Throws 406 if the client accepts none.
 */
export async function sendData(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, format }: ResponseData,
  reader: BodyReader,
): Promise<FastifyReply> {
  if (!isMsgpack(format)) return sendPieces(reply.type(format.contentType), pieces)
  try {
    const { value } = await reader.read('msgpackOfJson', Buffer.concat(pieces), '', getRequestAccount(request))
    return sendPieces(reply.type(format.contentType), [value])
  } catch (error) {
    if (!isCatalogIssue(error, msgpackIssues)) throw error
    return sendPieces(reply.type(negotiateTextFormat(request.headers.accept, format).contentType), pieces)
  }
}
