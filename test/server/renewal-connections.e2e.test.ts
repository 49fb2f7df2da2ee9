import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renewHostCertificate } from '../../src/ca/host-files.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openConfiguredAuthority } from '../../src/store/authority/configured-authority.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving
const sockets: TLSSocket[] = []

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  serving = await serve({ code_repo: repository.bare, ca_ttl: '4h' })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await serving?.stop()
})

/** A connection that stays. */
async function connection(name?: string) {
  const { port } = new URL(serving.server.url)
  const shown = name === undefined ? {} : await serving.credentials(name)
  const ca = readFileSync(serving.settings.localcacert)
  const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca, ...shown })
  sockets.push(socket)
  let read = ''
  let isClosed = false
  socket.setEncoding('utf8').on('data', (text) => (read += text))
  socket.on('close', () => (isClosed = true)).on('error', () => {})
  await new Promise((done, failed) => socket.once('secureConnect', done).once('error', failed))
  return {
    serial: socket.getPeerCertificate().serialNumber,
    isClosed: () => isClosed,
    write: (text: string) => void socket.write(text),
    /** The next answer's status and body. */
    async answer() {
      await expect.poll(() => isClosed || /\r\n\r\n.*running$/s.test(read)).toBe(true)
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(read) ?? []
      read = ''
      return status
    },
  }
}

const head = 'GET /status/v1/simple HTTP/1.1\r\nHost: localhost\r\n'

describe('connections over the renewal of the server’s own certificate', () => {
  it('go on, also in the midst of a request, and new ones get the new certificate', async () => {
    const held = await connection()
    const midway = await connection('node.test')
    held.write(`${head}\r\n`)
    expect(await held.answer()).toBe('200')
    midway.write(head)
    const { settings } = serving
    const authority = await openConfiguredAuthority(settings, localSystem)
    // As the hourly upkeep does; a certificate of four hours is always near its end.
    expect(await renewHostCertificate(settings, authority, localSystem)).toBeDefined()
    await serving.server.reload()
    const fresh = await connection()
    expect(fresh.serial).not.toBe(held.serial)
    midway.write('\r\n')
    expect(await midway.answer()).toBe('200')
    for (let time = 0; time < 3; time++) {
      held.write(`${head}\r\n`)
      expect(await held.answer()).toBe('200')
    }
    fresh.write(`${head}\r\n`)
    expect(await fresh.answer()).toBe('200')
    expect([held, midway, fresh].map((each) => each.isClosed())).toEqual([false, false, false])
  })
})
