import { certificateOf, certificatePem } from '../../ca/x509/certificate.ts'
import { nameIn } from './bodies.ts'
import { document } from './documents.ts'
import { isRefusal, plain } from './errors.ts'
import type { Endpoints, RoutedEndpoints } from './index.ts'

/** Endpoints of `certificate`. */
export const certificates: RoutedEndpoints =
  ({ certificate }) =>
  async (server) => {
    if (!certificate) return
    server.get('/certificate/*', async (request, reply) => {
      const name = nameIn(request)
      const found = await certificate.find({ key: name })
      return found === undefined
        ? plain(reply, 404, `Could not find certificate ${name}`)
        : document(request, reply, found)
    })
  }

/** Endpoints of `certificate_renewal` and `expirations`. */
export const renewal: Endpoints =
  ({ ca, clientCertificate }) =>
  async (server) => {
    server.post('/certificate_renewal', async (request, reply) => {
      if (!ca.renews) return plain(reply, 404, 'Not Found')
      const der = clientCertificate(request)
      if (!der) return plain(reply, 400, 'No valid certificate found in renewal request')
      try {
        return reply.type('text/plain').send(certificatePem(await ca.renew(certificateOf(der))))
      } catch (error) {
        if (isRefusal(error)) return plain(reply, 403, error.diagnostic.message)
        throw error
      }
    })

    server.get('/expirations', async () => {
      const { certificates, lists } = await ca.expirations()
      return { 'ca-certs': certificates, crls: lists }
    })
  }
