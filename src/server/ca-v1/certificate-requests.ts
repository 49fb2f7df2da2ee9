import { budgets } from '../../base/budgets/budgets.ts'
import { networkOf } from '../http/account.ts'
import { nameIn, only, textIn } from './bodies.ts'
import { plain } from './errors.ts'
import type { RoutedEndpoints } from './index.ts'

/** Endpoints of `certificate_request`. */
export const certificateRequests: RoutedEndpoints =
  ({ certificateRequest: requests }) =>
  async (server) => {
    if (!requests) return
    server.get('/certificate_request/*', async (request, reply) => {
      const name = nameIn(request)
      const pem = await requests.find({ key: name })
      return pem === undefined
        ? plain(reply, 404, `Could not find certificate_request ${name}`)
        : reply.type('text/plain').send(pem)
    })

    server.put(
      '/certificate_request/*',
      { bodyLimit: budgets.request.certificateRequest.bound, preValidation: only('text/plain') },
      async (request, reply) => {
        await requests.save(textIn(request), { key: nameIn(request), from: networkOf(request.ip) })
        return reply.code(200).type('text/plain').send('')
      },
    )

    server.delete('/certificate_request/*', async (request, reply) => {
      await requests.destroy({ key: nameIn(request) })
      return reply.code(204).send()
    })
  }
