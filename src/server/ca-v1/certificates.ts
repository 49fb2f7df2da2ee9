import { decodeCertificate, toCertificatePem } from '../../ca/x509/certificate.ts'
import { getPathCertname } from './bodies.ts'
import { isAuthorityRefusal, sendPlainText } from './errors.ts'
import type { Endpoints, RoutedEndpoints } from './index.ts'
import { sendPemDocument } from './pem-documents.ts'

/** Endpoints of `certificate`. */
export const createCertificateEndpoints: RoutedEndpoints =
  ({ certificate }) =>
  async (server) => {
    if (!certificate) return
    server.get('/certificate/*', async (request, reply) => {
      const name = getPathCertname(request)
      const found = await certificate.find({ key: name })
      return found === undefined
        ? sendPlainText(reply, 404, `Could not find certificate ${name}`)
        : sendPemDocument(request, reply, found)
    })
  }

/** Endpoints of `certificate_renewal` and `expirations`. */
export const createRenewalEndpoints: Endpoints =
  ({ ca, clientCertificate }) =>
  async (server) => {
    server.post('/certificate_renewal', async (request, reply) => {
      if (!ca.renews) return sendPlainText(reply, 404, 'Not Found')
      const der = clientCertificate(request)
      if (!der) return sendPlainText(reply, 400, 'No valid certificate found in renewal request')
      try {
        return reply.type('text/plain').send(toCertificatePem(await ca.renew(decodeCertificate(der))))
      } catch (error) {
        if (isAuthorityRefusal(error)) return sendPlainText(reply, 403, error.diagnostic.message)
        throw error
      }
    })

    server.get('/expirations', async () => {
      const { certificates, lists } = await ca.expirations()
      return { 'ca-certs': certificates, crls: lists }
    })
  }
