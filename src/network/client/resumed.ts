import { setTimeout as delay } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import type { HttpStream } from './http-client.ts'

/** Repeats the request with additional headers. */
type AskAgain = (headers: Readonly<Record<string, string>>) => Promise<HttpStream>

/**
 * Passes on the bytes of a response. If the connection breaks, requests the remaining bytes,
 * provided that a strong validator proves that they belong to the same content. Otherwise throws
 * the connection error.
 */
export async function* resumed(first: HttpStream, askAgain: AskAgain): AsyncGenerator<Uint8Array> {
  const validator = validatorOf(first)
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
      body = await restOf({ validator, received }, askAgain, error)
    }
  }
}

/** The validator of a response that supports range requests; `undefined` for others. */
function validatorOf({ headers }: HttpStream): string | undefined {
  const { etag, 'accept-ranges': ranges, 'content-encoding': encoding = 'identity' } = headers
  return etag !== undefined && /^"[^"]{1,200}"$/.test(etag) && ranges === 'bytes' && encoding === 'identity'
    ? etag
    : undefined
}

/**
 * Requests the remaining bytes; throws `why` if the response is not the rest of the same content.
 */
async function restOf(
  { validator, received }: { readonly validator: string; readonly received: number },
  askAgain: AskAgain,
  why: unknown,
): Promise<HttpStream['body']> {
  const { status, headers, body } = await askAgain({ range: `bytes=${received}-`, 'if-range': validator })
  const isRest = status === 206 && headers['content-range']?.startsWith(`bytes ${received}-`)
  if (isRest && validatorOf({ status, headers, body }) === validator) return body
  body.on('error', () => {}).destroy()
  throw why
}
