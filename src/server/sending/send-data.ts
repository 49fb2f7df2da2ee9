import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIssueIn } from '../../base/issue.ts'
import { msgpackIssues } from '../../base/json/msgpack.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { clientOf } from '../bodies/take-body.ts'
import { type Format, isMsgpack, negotiateText } from '../http/negotiation.ts'
import { sendPieces } from './send-file.ts'

/** A response: pieces of JSON text, and the format to send. */
export interface Data {
  readonly pieces: readonly Uint8Array[]
  readonly format: Format
}

/**
 * Sends data in the chosen format. If MessagePack cannot represent it, as for integers of more than
 * 64 bits, uses the next text format. Throws 406 if the client accepts none.
 */
export async function sendData(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, format }: Data,
  reader: BodyReader,
): Promise<FastifyReply> {
  if (!isMsgpack(format)) return sendPieces(reply.type(format.contentType), pieces)
  try {
    const { value } = await reader.read('msgpackOfJson', Buffer.concat(pieces), '', clientOf(request))
    return sendPieces(reply.type(format.contentType), [value])
  } catch (error) {
    if (!isIssueIn(error, msgpackIssues)) throw error
    return sendPieces(reply.type(negotiateText(request.headers.accept, format).contentType), pieces)
  }
}
