import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpRequest } from '../../network/client/http-client.ts'
import type { SubmittedCommand } from '../node-store.ts'

const packed = promisify(gzip)

/** An HTTP request that sends a command to PuppetDB. */
export interface CommandRequest extends HttpRequest {
  /** Path and query. */
  readonly path: string
}

/**
 * Builds the gzipped request for a command. With `waitMs`, PuppetDB responds only after it has
 * processed the command. protocol.md 16.1.
 */
export async function buildCommandRequest(command: SubmittedCommand, waitMs?: number): Promise<CommandRequest> {
  const { name, version, certname, producerTimestamp, payload } = command
  const query = new URLSearchParams({ version: String(version), certname, command: name.replaceAll(' ', '_') })
  if (producerTimestamp !== undefined) query.set('producer-timestamp', producerTimestamp)
  if (waitMs !== undefined) query.set('secondsToWaitForCompletion', String(Math.ceil(waitMs / 1000)))
  return {
    path: `/pdb/cmd/v1?${query}`,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      // PuppetDB uses this header to reject a command that is too large.
      'x-uncompressed-length': String(payload.length),
    },
    body: await packed(payload),
  }
}
