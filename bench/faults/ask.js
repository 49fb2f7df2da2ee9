// Questions to the server, each over a connection of its own.
import { agentOf } from '../server/client.js'
import { administrator } from './place.js'

/** Asks as somebody who has a certificate; the administrator as a rule. Throws when the answer is an error, or none. */
export function askerOf(place, port) {
  const clients = new Map()
  const server = { name: 'the server', port }
  const ask = async (method, path, { as = administrator, body = '', type = undefined } = {}) => {
    const client =
      clients.get(as) ?? agentOf({ ...place.credentials[as], ca: place.ca, inline: true }, { keepAlive: false })
    clients.set(as, client)
    const { bytes } = await client.call(server, { method, path, body, type })
    return bytes.toString()
  }
  return {
    ask,
    json: async (method, path, more) => JSON.parse(await ask(method, path, more)),
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}
