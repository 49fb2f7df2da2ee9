import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIssueIn } from '../../base/issue.ts'
import { msgpackIssues } from '../../base/json/msgpack.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { clientOf } from '../bodies/take-body.ts'
import { type Format, isMsgpack, negotiateText } from '../http/negotiation.ts'
import { sendPieces } from './send-file.ts'

/** An answer to be sent: pieces of JSON text, and the format that the client chose. */
export interface Data {
  readonly pieces: readonly Uint8Array[]
  readonly format: Format
}

/**
 * Sends data in the client's format; where that cannot hold it, as for integers of more than 64 bits, in the next that the
 * client takes. Throws 406 where there is none.
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
