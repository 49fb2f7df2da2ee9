import { budgets } from '../../base/budgets/budgets.ts'
import { toNetwork } from '../http/client-account.ts'
import { getPathCertname, getRequestText, requireBodyType } from './bodies.ts'
import { sendPlainText } from './errors.ts'
import type { RoutedEndpoints } from './index.ts'

/** Endpoints of `certificate_request`. */
export const createRequestEndpoints: RoutedEndpoints =
  ({ certificateRequest: requests }) =>
  async (server) => {
    if (!requests) return
    server.get('/certificate_request/*', async (request, reply) => {
      const name = getPathCertname(request)
      const pem = await requests.find({ key: name })
      return pem === undefined
        ? sendPlainText(reply, 404, `Could not find certificate_request ${name}`)
        : reply.type('text/plain').send(pem)
    })

    server.put(
      '/certificate_request/*',
      { bodyLimit: budgets.request.certificateRequest.bound, preValidation: requireBodyType('text/plain') },
      async (request, reply) => {
        await requests.save(getRequestText(request), { key: getPathCertname(request), from: toNetwork(request.ip) })
        return reply.code(200).type('text/plain').send('')
      },
    )

    server.delete('/certificate_request/*', async (request, reply) => {
      await requests.destroy({ key: getPathCertname(request) })
      return reply.code(204).send()
    })
  }
