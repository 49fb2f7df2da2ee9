import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { formatTokenCookie, noCookie } from '../auth/cookie.ts'
import { getBody, getBodySize, getBodyText } from '../bodies/request-body.ts'
import type { Client } from '../http/client.ts'
import { getParameter, parseParameters } from '../http/parameters.ts'
import { Refusal } from '../http/refusal.ts'
import { renderSignInPage } from '../pages/sign-in.ts'
import { htmlType, pageHeaders } from './headers.ts'
import type { Sender } from './routes.ts'

/** Identifies the client of a token; failed attempts are counted. */
export type SignIn = (request: FastifyRequest, token: string) => Promise<Client>

/** `GET` and `POST /ui/sign-in`, `POST /ui/sign-out`: store a token in a cookie, and remove it. */
export function addSignInRoutes(server: FastifyInstance, send: Sender, signIn: SignIn): void {
  server.get('/ui/sign-in', async (request, reply) =>
    send(request, reply, renderSignInPage(toConsolePath(getParameter(request.call.query, 'to')))),
  )
  server.post('/ui/sign-in', async (request, reply) => {
    const form = parseSignInForm(request)
    const to = toConsolePath(getParameter(form, 'to'))
    const token = (getParameter(form, 'token') ?? '').trim()
    const cookie = formatTokenCookie(token)
    const client = cookie === undefined ? undefined : await signIn(request, token)
    if (cookie === undefined || !client?.token)
      return send(request, reply, renderSignInPage(to, 'The token is unknown or has expired.'))
    return redirectWithCookie(reply, to, cookie)
  })
  server.post('/ui/sign-out', async (request, reply) => {
    parseSignInForm(request)
    return redirectWithCookie(reply, '/ui/sign-in', noCookie)
  })
}

function redirectWithCookie(reply: FastifyReply, to: string, cookie: string): FastifyReply {
  return reply
    .code(303)
    .headers({ ...pageHeaders, Location: to, 'Set-Cookie': cookie })
    .type(htmlType)
    .send('')
}

/** Parses a form sent by a page of the console. Throws 403 for another origin, and 413 for a form that is too large. */
function parseSignInForm(request: FastifyRequest) {
  const { origin, host } = request.headers
  if (origin !== undefined && origin !== `https://${host}`) throw new Refusal(403, 'text/plain', 'From another origin')
  const body = getBody(request)
  if (getBodySize(body) > budgets.pages.signIn.bound) throw new Refusal(413, 'text/plain', 'The form is too large')
  return parseParameters(getBodyText(body))
}

/** Placeholder origin of this server for parsing relative URLs. */
const here = 'https://console.invalid'

/** Returns the path of the page to open after the sign-in. It is always a page of this console. */
function toConsolePath(to = ''): string {
  if (!URL.canParse(to, here)) return '/ui/'
  const { origin, pathname, search } = new URL(to, here)
  return origin === here && /^\/ui(?:\/|$)/.test(pathname) ? pathname + search : '/ui/'
}
