import { isIssue } from '../../base/issue.ts'
import type { CertificateAuthority, WaitingRequest } from '../../ca/certificate-authority.ts'
import { conflicts } from '../../ca/issues.ts'
import { namesOf, objectIn, only } from './bodies.ts'
import { isRefusal, plain } from './errors.ts'
import type { Endpoints } from './index.ts'

/** Endpoints of `sign`, `sign/all` and `clean`, for several names. */
export const signing: Endpoints =
  ({ ca }) =>
  async (server) => {
    const json = { preValidation: only('application/json') }

    server.post('/sign', json, async (request, reply) => {
      const names = namesOf(objectIn(request)?.certnames)
      if (!names)
        return plain(reply, 422, "Missing required key: 'certnames'. Please supply the list of certs to sign.")
      return signEach(
        ca,
        names.map((name) => ({ name, fingerprint: undefined })),
      )
    })

    server.post('/sign/all', async () => {
      return signEach(ca, await ca.waiting())
    })

    server.put('/clean', json, async (request, reply) => {
      const body = objectIn(request)
      if (!body) return plain(reply, 400, 'Request body is not JSON.')
      const names = namesOf(body.certnames)
      if (!names) {
        const message = "Missing required key: 'certnames'. Please supply the list of certs you want to clean."
        return plain(reply, 400, message)
      }
      if (body.async === true) return plain(reply, 400, 'Async clean is not supported.')
      const missing = await ca.clean(names)
      const message =
        missing.length === 0
          ? 'Successfully cleaned all certs.'
          : `The following certs do not exist and cannot be revoked: [${missing.map((name) => `"${name}"`).join(' ')}]`
      return plain(reply, 200, message)
    })
  }

async function signEach(ca: CertificateAuthority, requests: readonly WaitingRequest[]) {
  const outcome = { signed: [] as string[], 'no-csr': [] as string[], 'signing-errors': [] as string[] }
  for (const { name, fingerprint } of requests) {
    try {
      await ca.sign(name, { fingerprint })
      outcome.signed.push(name)
    } catch (error) {
      if (!isRefusal(error)) throw error
      outcome[isIssue(error, conflicts.NO_REQUEST) ? 'no-csr' : 'signing-errors'].push(name)
    }
  }
  return outcome
}
