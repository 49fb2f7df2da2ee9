import { isIssue } from '../../base/issue.ts'
import type { CertificateAuthority, PendingRequest } from '../../ca/certificate-authority.ts'
import { authorityConflicts } from '../../ca/issues.ts'
import { parseRequestObject, requireBodyType, toNameList } from './bodies.ts'
import { isAuthorityRefusal, sendPlainText } from './errors.ts'
import type { Endpoints } from './index.ts'

/** Endpoints of `sign`, `sign/all` and `clean`, for several names. */
export const createSigningEndpoints: Endpoints =
  ({ ca }) =>
  async (server) => {
    const json = { preValidation: requireBodyType('application/json') }

    server.post('/sign', json, async (request, reply) => {
      const names = toNameList(parseRequestObject(request)?.certnames)
      if (!names)
        return sendPlainText(reply, 422, "Missing required key: 'certnames'. Please supply the list of certs to sign.")
      return signCertificates(
        ca,
        names.map((name) => ({ name, fingerprint: undefined })),
      )
    })

    server.post('/sign/all', async () => {
      return signCertificates(ca, await ca.waiting())
    })

    server.put('/clean', json, async (request, reply) => {
      const body = parseRequestObject(request)
      if (!body) return sendPlainText(reply, 400, 'Request body is not JSON.')
      const names = toNameList(body.certnames)
      if (!names) {
        const message = "Missing required key: 'certnames'. Please supply the list of certs you want to clean."
        return sendPlainText(reply, 400, message)
      }
      if (body.async === true) return sendPlainText(reply, 400, 'Async clean is not supported.')
      const missing = await ca.clean(names)
      const message =
        missing.length === 0
          ? 'Successfully cleaned all certs.'
          : `The following certs do not exist and cannot be revoked: [${missing.map((name) => `"${name}"`).join(' ')}]`
      return sendPlainText(reply, 200, message)
    })
  }

async function signCertificates(ca: CertificateAuthority, requests: readonly PendingRequest[]) {
  const outcome = { signed: [] as string[], 'no-csr': [] as string[], 'signing-errors': [] as string[] }
  for (const { name, fingerprint } of requests) {
    try {
      await ca.sign(name, { fingerprint })
      outcome.signed.push(name)
    } catch (error) {
      if (!isAuthorityRefusal(error)) throw error
      outcome[isIssue(error, authorityConflicts.NO_REQUEST) ? 'no-csr' : 'signing-errors'].push(name)
    }
  }
  return outcome
}
