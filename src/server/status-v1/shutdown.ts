import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Announces the shutdown: load balancers see it in the status and stop sending requests. */
export class Shutdown {
  #isNear = false

  /** True after the shutdown was announced. */
  readonly isNear = (): boolean => this.#isNear

  /** Announces the shutdown; from now on each response closes its connection. */
  announce(server: Pick<Server, 'prependListener'>): void {
    this.#isNear = true
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.setHeader('connection', 'close')
    })
  }
}
