// A second server of the same repository, with folders and a store of its own, and the certificate of the first one.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { askerOf } from './ask.js'
import { environmentsServed } from './checks/environments.js'
import { beginServer } from './server.js'

/** Makes its folders; each start looks whether it serves what the repository has. */
export async function secondServer(world) {
  const folder = join(world.place.folder, 'second')
  const ssl = join(folder, 'plumbline/etc/ssl')
  mkdirSync(folder)
  cpSync(join(world.place.confdir, 'ssl'), ssl, { recursive: true })
  const place = { ...world.place, folder }
  const port = await freePort()
  const asker = askerOf(place, port)
  // It may serve a commit later than the first one, and never goes back by itself.
  const remembered = { served: {} }
  const acknowledged = { code: {}, facts: {}, reports: new Set() }
  const finding = (text) => world.finding(`the second server: ${text}`)
  let server
  return {
    port,
    async start() {
      server = beginServer(place, { port, clock: undefined })
      await server.ready()
      await environmentsServed({ place, asker, number: world.number, remembered, acknowledged, finding })
    },
    async kill() {
      await server?.kill(false)
    },
  }
}
