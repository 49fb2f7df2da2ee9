import { budgets } from '../../base/budgets.ts'
import { only, textIn } from './bodies.ts'
import { document } from './documents.ts'
import { isRefusal, plain } from './errors.ts'
import type { Endpoints } from './index.ts'

/** `certificate_revocation_list` */
export const revocationLists: Endpoints =
  ({ ca }) =>
  async (server) => {
    server.get('/certificate_revocation_list/ca', async (request, reply) =>
      document(request, reply, await ca.revocationLists()),
    )

    server.put(
      '/certificate_revocation_list',
      { bodyLimit: budgets.request.revocationLists.bound, preValidation: only('text/plain') },
      async (request, reply) => {
        try {
          await ca.updateRevocationLists(textIn(request))
        } catch (error) {
          if (isRefusal(error)) return plain(reply, 400, error.diagnostic.message)
          throw error
        }
        return plain(reply, 200, 'Successfully updated CRLs.')
      },
    )
  }
