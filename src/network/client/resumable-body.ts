import { setTimeout as delay } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import type { HttpStream } from './http-client.ts'

/** Sends the request again with additional headers. */
type AskAgain = (headers: Readonly<Record<string, string>>) => Promise<HttpStream>

/**
 * Yields the bytes of a response. If the connection breaks, requests the remaining bytes, if a strong validator proves
 * that they belong to the same content. Otherwise throws the error of the connection.
 */
export async function* streamWithResume(first: HttpStream, askAgain: AskAgain): AsyncGenerator<Uint8Array> {
  const validator = getValidator(first)
  let { body } = first
  let received = 0
  let fruitless = 0
  for (;;) {
    const before = received
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        received += chunk.length
        yield chunk
      }
      return
    } catch (error) {
      fruitless = received > before ? 0 : fruitless + 1
      if (validator === undefined || fruitless >= budgets.machine.resumptions.bound) throw error
      await delay(fruitless * 200)
      body = await requestRest({ validator, received }, askAgain, error)
    }
  }
}

/** Returns the validator of a response; `undefined` if the response does not support range requests. */
function getValidator({ headers }: HttpStream): string | undefined {
  const { etag, 'accept-ranges': ranges, 'content-encoding': encoding = 'identity' } = headers
  return etag !== undefined && /^"[^"]{1,200}"$/.test(etag) && ranges === 'bytes' && encoding === 'identity'
    ? etag
    : undefined
}

/** Requests the remaining bytes. Throws `why` if the response does not continue the same content. */
async function requestRest(
  { validator, received }: { readonly validator: string; readonly received: number },
  askAgain: AskAgain,
  why: unknown,
): Promise<HttpStream['body']> {
  const { status, headers, body } = await askAgain({ range: `bytes=${received}-`, 'if-range': validator })
  const isRest = status === 206 && headers['content-range']?.startsWith(`bytes ${received}-`)
  if (isRest && getValidator({ status, headers, body }) === validator) return body
  body.on('error', () => {}).destroy()
  throw why
}
