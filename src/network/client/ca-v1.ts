import { hasStatus } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/** The API `/puppet-ca/v1` of one server, for a host. Texts are PEM. protocol.md 12. */
export interface CaV1 {
  /** URL of the CA, for messages. */
  address(): Promise<string>
  /**
   * A host's certificate; the CA's for the name `ca`. `undefined` for 304. Throws ResponseError 404
   * if it does not exist.
   */
  certificate(name: string, modifiedSince?: Date): Promise<string | undefined>
  /** The revocation list; `undefined` for 304. */
  revocationList(modifiedSince?: Date): Promise<string | undefined>
  /** A pending certificate request. Throws ResponseError 404 if there is none. */
  request(name: string): Promise<string | undefined>
  submitRequest(name: string, pem: string): Promise<void>
  /**
   * Renews the certificate of this connection; `undefined` if the server does not support renewal.
   */
  renew(): Promise<string | undefined>
}

const accept = { accept: 'text/plain' }

/**
 * Creates the CA client of a host. `origin` is called for each request, because the server may have
 * to be selected first.
 */
export function caV1(http: Pick<HttpClient, 'send'>, origin: () => Promise<URL>): CaV1 {
  const url = async (path: string) => new URL(`/puppet-ca/v1/${path}`, await origin())
  const get = async (path: string, modifiedSince: Date | undefined) => {
    const since: Record<string, string> = modifiedSince ? { 'if-modified-since': modifiedSince.toUTCString() } : {}
    try {
      return (await http.send(await url(path), { headers: { ...accept, ...since } })).body.toString('utf8')
    } catch (error) {
      if (hasStatus(error, 304)) return undefined
      throw error
    }
  }

  return {
    address: async () => (await url('')).href.replace(/\/$/, ''),
    certificate: (name, modifiedSince) => get(`certificate/${encodeURIComponent(name)}`, modifiedSince),
    revocationList: (modifiedSince) => get('certificate_revocation_list/ca', modifiedSince),

    request: (name) => get(`certificate_request/${encodeURIComponent(name)}`, undefined),

    async submitRequest(name, pem) {
      await http.send(await url(`certificate_request/${encodeURIComponent(name)}`), {
        method: 'PUT',
        headers: { ...accept, 'content-type': 'text/plain' },
        body: pem,
      })
    },

    async renew() {
      try {
        const answer = await http.send(await url('certificate_renewal'), { method: 'POST', headers: accept, body: '' })
        return answer.body.toString('utf8')
      } catch (error) {
        if (hasStatus(error, 404)) return undefined
        throw error
      }
    },
  }
}
