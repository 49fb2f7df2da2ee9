import { budgets } from '../../base/budgets.ts'
import { networkOf } from '../account.ts'
import { nameIn, only, textIn } from './bodies.ts'
import { plain } from './errors.ts'
import type { Endpoints } from './index.ts'

/** `certificate_request` */
export const certificateRequests: Endpoints =
  ({ ca }) =>
  async (server) => {
    server.get('/certificate_request/*', async (request, reply) => {
      const name = nameIn(request)
      const pem = await ca.request(name)
      return pem === undefined
        ? plain(reply, 404, `Could not find certificate_request ${name}`)
        : reply.type('text/plain').send(pem)
    })

    server.put(
      '/certificate_request/*',
      { bodyLimit: budgets.request.certificateRequest.bound, preValidation: only('text/plain') },
      async (request, reply) => {
        await ca.submit(nameIn(request), textIn(request), networkOf(request.ip))
        return reply.code(200).type('text/plain').send('')
      },
    )

    server.delete('/certificate_request/*', async (request, reply) => {
      const name = nameIn(request)
      if (await ca.removeRequest(name)) return reply.code(204).send()
      return plain(reply, 404, `Could not find certificate_request ${name}`)
    })
  }
