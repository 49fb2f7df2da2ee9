import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** The end of a server that is announced before it comes: balancers see it in the status, and send nothing more. */
export class Ending {
  #isNear = false

  /** True from the announcement on. */
  readonly isNear = (): boolean => this.#isNear

  /** Announces it: from now on each answer ends its connection, too. */
  announce(server: Pick<Server, 'prependListener'>): void {
    this.#isNear = true
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.setHeader('connection', 'close')
    })
  }
}
