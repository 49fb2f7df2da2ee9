import { hasResponseStatus } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/**
 * The API `/puppet-ca/v1` of one server, as a host uses it. Certificates and revocation lists are
 * PEM texts. protocol.md 12.
 */
export interface CaV1 {
  /** Returns the URL of the CA, for messages. */
  address(): Promise<string>
  /**
   * Returns a host's certificate; for the name `ca`, the certificate of the CA. Returns `undefined` for status 304.
   * Throws ResponseError 404 if the certificate does not exist.
   */
  certificate(name: string, modifiedSince?: Date): Promise<string | undefined>
  /** Returns the revocation list; `undefined` for status 304. */
  revocationList(modifiedSince?: Date): Promise<string | undefined>
  /** Returns a pending certificate request. Throws ResponseError 404 if there is no request. */
  request(name: string): Promise<string | undefined>
  submitRequest(name: string, pem: string): Promise<void>
  /** Renews the client certificate of this connection; returns `undefined` if the server does not support renewal. */
  renew(): Promise<string | undefined>
}

const accept = { accept: 'text/plain' }

/**
 * Creates the client for the CA. Calls `origin` for each request, because the server may not have been selected yet.
 */
export function createCaV1Client(http: Pick<HttpClient, 'send'>, origin: () => Promise<URL>): CaV1 {
  const buildUrl = async (path: string) => new URL(`/puppet-ca/v1/${path}`, await origin())
  const get = async (path: string, modifiedSince: Date | undefined) => {
    const since: Record<string, string> = modifiedSince ? { 'if-modified-since': modifiedSince.toUTCString() } : {}
    try {
      return (await http.send(await buildUrl(path), { headers: { ...accept, ...since } })).body.toString('utf8')
    } catch (error) {
      if (hasResponseStatus(error, 304)) return undefined
      throw error
    }
  }

  return {
    address: async () => (await buildUrl('')).href.replace(/\/$/, ''),
    certificate: (name, modifiedSince) => get(`certificate/${encodeURIComponent(name)}`, modifiedSince),
    revocationList: (modifiedSince) => get('certificate_revocation_list/ca', modifiedSince),

    request: (name) => get(`certificate_request/${encodeURIComponent(name)}`, undefined),

    async submitRequest(name, pem) {
      await http.send(await buildUrl(`certificate_request/${encodeURIComponent(name)}`), {
        method: 'PUT',
        headers: { ...accept, 'content-type': 'text/plain' },
        body: pem,
      })
    },

    async renew() {
      try {
        const answer = await http.send(await buildUrl('certificate_renewal'), {
          method: 'POST',
          headers: accept,
          body: '',
        })
        return answer.body.toString('utf8')
      } catch (error) {
        if (hasResponseStatus(error, 404)) return undefined
        throw error
      }
    },
  }
}
