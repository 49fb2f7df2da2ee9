import type { FastifyRequest } from 'fastify'
import { addressOf } from '../../base/text/html.ts'
import { isInside, noCookie } from '../auth/cookie.ts'
import { Refusal } from '../http/refusal.ts'
import type { AssetSet } from '../pages/assets.ts'
import { framed } from '../pages/frame.ts'
import type { Page } from '../pages/page.ts'
import { forbidden } from '../pages/problem.ts'
import { onwardPage } from '../pages/sign-in.ts'
import { htmlType, pageHeaders } from './headers.ts'

/**
 * Returns a function that creates the response to a client without access to the console: a redirect to the sign-in
 * page, or a page with the reason. A browser at `/` is redirected to the console.
 */
export function entrance(assets: AssetSet): (request: FastifyRequest) => Refusal | undefined {
  const refusal = (page: Page) =>
    new Refusal(page.status ?? 200, htmlType, framed(page, assets, '', undefined), pageHeaders)
  return ({ call, method, url, headers }) => {
    const { path, client } = call
    if (path === '/' && method === 'GET' && isBrowser(headers))
      return new Refusal(303, htmlType, '', { ...pageHeaders, Location: addressOf(['']).toString() })
    if (!isInside(path) || client.unchecked) return undefined
    const name = client.certname ?? client.revoked ?? client.token?.name
    if (name !== undefined) return refusal(forbidden(name))
    if (method !== 'GET') return undefined
    // Browsers send the cookie only for requests from the same site, so a request through a link on another site has
    // no cookie.
    if (isFromElsewhere(headers)) return refusal({ ...onwardPage(), status: 403 })
    const location = addressOf(['sign-in'], { to: url }).toString()
    const onward = { ...pageHeaders, Location: location }
    const isKnown = client.refusedToken === undefined
    return new Refusal(303, htmlType, '', isKnown ? onward : { ...onward, 'Set-Cookie': noCookie })
  }
}

/** True if the client accepts HTML: browsers do, agents and scripts do not. */
function isBrowser({ accept }: FastifyRequest['headers']): boolean {
  return /\btext\/html\b/.test(accept ?? '')
}

function isFromElsewhere(headers: FastifyRequest['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && /^(?:cross|same)-site$/.test(String(headers['sec-fetch-site']))
}
