import type { FastifyRequest } from 'fastify'
import { createPageAddress } from '../../base/text/html.ts'
import { isSignInRequired, noCookie } from '../auth/cookie.ts'
import { Refusal } from '../http/refusal.ts'
import type { AssetSet } from '../pages/assets.ts'
import { renderForbidden } from '../pages/error-pages.ts'
import { renderDocument } from '../pages/frame.ts'
import type { Page } from '../pages/page.ts'
import { renderOnwardPage } from '../pages/sign-in.ts'
import { htmlType, pageHeaders } from './headers.ts'

/**
 * Returns a function that creates the response to a client without access to the console: a redirect to the sign-in
 * page, or a page with the reason. A browser at `/` is redirected to the console.
 */
export function createUnauthorizedResponder(assets: AssetSet): (request: FastifyRequest) => Refusal | undefined {
  const createPageRefusal = (page: Page) =>
    new Refusal(page.status ?? 200, htmlType, renderDocument(page, assets, '', undefined), pageHeaders)
  return ({ call, method, url, headers }) => {
    const { path, client } = call
    if (path === '/' && method === 'GET' && isBrowser(headers))
      return new Refusal(303, htmlType, '', { ...pageHeaders, Location: createPageAddress(['']).toString() })
    if (!isSignInRequired(path) || client.unchecked) return undefined
    const name = client.certname ?? client.revoked ?? client.token?.name
    if (name !== undefined) return createPageRefusal(renderForbidden(name))
    if (method !== 'GET') return undefined
    // Browsers send the cookie only for requests from the same site, so a request through a link on another site has
    // no cookie.
    if (isCrossSite(headers)) return createPageRefusal({ ...renderOnwardPage(), status: 403 })
    const location = createPageAddress(['sign-in'], { to: url }).toString()
    const onward = { ...pageHeaders, Location: location }
    const isKnown = client.refusedToken === undefined
    return new Refusal(303, htmlType, '', isKnown ? onward : { ...onward, 'Set-Cookie': noCookie })
  }
}

/** True if the client accepts HTML: browsers do, agents and scripts do not. */
function isBrowser({ accept }: FastifyRequest['headers']): boolean {
  return /\btext\/html\b/.test(accept ?? '')
}

function isCrossSite(headers: FastifyRequest['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && /^(?:cross|same)-site$/.test(String(headers['sec-fetch-site']))
}
