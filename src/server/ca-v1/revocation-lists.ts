import type { FastifyRequest } from 'fastify'
import { budgets } from '../../base/budgets/budgets.ts'
import { getRequestText, requireBodyType } from './bodies.ts'
import { isAuthorityRefusal, sendPlainText } from './errors.ts'
import type { RoutedEndpoints } from './index.ts'
import { sendPemDocument } from './pem-documents.ts'

/** Endpoints of `certificate_revocation_list`. */
export const createCrlEndpoints: RoutedEndpoints =
  ({ certificateRevocationList: lists }) =>
  async (server) => {
    if (!lists) return
    server.get('/certificate_revocation_list/ca', async (request, reply) => {
      const found = await lists.find({ key: 'ca', forEver: isSingleFetchAgent(request) })
      return found
        ? sendPemDocument(request, reply, found)
        : sendPlainText(reply, 404, 'Could not find certificate_revocation_list ca')
    })

    server.put(
      '/certificate_revocation_list',
      { bodyLimit: budgets.request.revocationLists.bound, preValidation: requireBodyType('text/plain') },
      async (request, reply) => {
        try {
          await lists.save({ pem: getRequestText(request), modified: undefined }, { key: 'ca' })
        } catch (error) {
          if (isAuthorityRefusal(error)) return sendPlainText(reply, 400, error.diagnostic.message)
          throw error
        }
        return sendPlainText(reply, 200, 'Successfully updated CRLs.')
      },
    )
  }

/**
 * True for an agent that fetches the revocation list only once: Puppet before 8 without
 * `crl_refresh_interval`. With a list valid for 30 days it would reject all servers after a month.
 */
function isSingleFetchAgent({ headers }: FastifyRequest): boolean {
  const [major] = /^\d{1,3}(?=\.)/.exec(String(headers['x-puppet-version'] ?? '')) ?? []
  return major !== undefined && Number(major) < 8
}
