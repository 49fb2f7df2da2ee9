import { hasStatus } from './errors.ts'
import type { HttpClient } from './http-client.ts'

/** `/puppet-ca/v1` of one server, as a host uses it. Texts are PEM. protocol.md 12. */
export interface CaV1 {
  /** The authority's address, for messages. */
  address(): Promise<string>
  /** A host's certificate, or with `ca` the authority's; `undefined` for 304. Throws ResponseError 404 for none. */
  certificate(name: string, modifiedSince?: Date): Promise<string | undefined>
  /** `undefined` for 304. */
  revocationList(modifiedSince?: Date): Promise<string | undefined>
  /** A request that waits. Throws ResponseError 404 for none. */
  request(name: string): Promise<string | undefined>
  submitRequest(name: string, pem: string): Promise<void>
  /** A new certificate for the one we are connected with; `undefined` when the server does not renew. */
  renew(): Promise<string | undefined>
}

const accept = { accept: 'text/plain' }

/** The calls of a host. `origin` is asked for each call: it may have to be chosen first. */
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
