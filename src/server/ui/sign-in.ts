import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { cookieOf, noCookie } from '../auth/cookie.ts'
import { bodyOf, sizeOf, textOf } from '../bodies/take-body.ts'
import type { Client } from '../http/client.ts'
import { parameter, parseParameters } from '../http/parameters.ts'
import { Refusal } from '../http/refusal.ts'
import { signInPage } from '../pages/sign-in.ts'
import { htmlType, pageHeaders } from './headers.ts'
import type { Sender } from './routes.ts'

/** Identifies the client of a token; failed attempts are counted. */
export type SignIn = (request: FastifyRequest, token: string) => Promise<Client>

/** `GET` and `POST /ui/sign-in`, `POST /ui/sign-out`: store a token in a cookie, and remove it. */
export function signInRoutes(server: FastifyInstance, send: Sender, signIn: SignIn): void {
  server.get('/ui/sign-in', async (request, reply) =>
    send(request, reply, signInPage(pageWithin(parameter(request.call.query, 'to')))),
  )
  server.post('/ui/sign-in', async (request, reply) => {
    const form = formOf(request)
    const to = pageWithin(parameter(form, 'to'))
    const token = (parameter(form, 'token') ?? '').trim()
    const cookie = cookieOf(token)
    const client = cookie === undefined ? undefined : await signIn(request, token)
    if (cookie === undefined || !client?.token)
      return send(request, reply, signInPage(to, 'The token is unknown or has expired.'))
    return onward(reply, to, cookie)
  })
  server.post('/ui/sign-out', async (request, reply) => {
    formOf(request)
    return onward(reply, '/ui/sign-in', noCookie)
  })
}

function onward(reply: FastifyReply, to: string, cookie: string): FastifyReply {
  return reply
    .code(303)
    .headers({ ...pageHeaders, Location: to, 'Set-Cookie': cookie })
    .type(htmlType)
    .send('')
}

/** Parses a form sent by a page of the console. Throws 403 for another origin, and 413 for a form that is too large. */
function formOf(request: FastifyRequest) {
  const { origin, host } = request.headers
  if (origin !== undefined && origin !== `https://${host}`) throw new Refusal(403, 'text/plain', 'From another origin')
  const body = bodyOf(request)
  if (sizeOf(body) > budgets.pages.signIn.bound) throw new Refusal(413, 'text/plain', 'The form is too large')
  return parseParameters(textOf(body))
}

/** Placeholder origin of this server for parsing relative URLs. */
const here = 'https://console.invalid'

/** Returns the path of the page to open after the sign-in. It is always a page of this console. */
function pageWithin(to = ''): string {
  if (!URL.canParse(to, here)) return '/ui/'
  const { origin, pathname, search } = new URL(to, here)
  return origin === here && /^\/ui(?:\/|$)/.test(pathname) ? pathname + search : '/ui/'
}
