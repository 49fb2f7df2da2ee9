import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutsideRequests } from '../../../src/network/outside/outside-requests.ts'
import { testSettings } from '../../code/environments/settings.ts'
import { type HttpsServer, httpsServer, identities } from '../../store/puppetdb/https-server.ts'
import { type OutsideServers, openOutsideServers } from '../../support/outside-servers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const authorities = join(scratchFolder('https'), 'ca.pem')
let names: OutsideServers
let server: HttpsServer
let port: string

beforeAll(async () => {
  names = await openOutsideServers()
  await names.know({ 'localhost A': ['127.0.0.1'], 'other.test A': ['127.0.0.1'] })
  const { server: tls, client } = await identities()
  writeFileSync(authorities, String(client.ca))
  server = await httpsServer(tls, (response) => response.end('safe'))
  port = new URL(server.url).port
})
afterAll(() => Promise.all([names?.close(), server?.stop()]))

const page = async (host: string, given = {}) => {
  const world = new OutsideRequests(
    testSettings({
      ...{ external_lookups: 'http', external_dns_servers: names.dns, external_http_addresses: '127.0.0.1' },
      ...{ external_http_hosts: `localhost:${port},other.test:${port}`, ...given },
    }),
  )
  return JSON.parse(
    await world.ask(JSON.stringify({ http: { url: `https://${host}:${port}/`, method: 'GET', headers: [] } })),
  )
}

it('trusts authorities of the settings, and shows no certificate', async () => {
  expect(await page('localhost', { external_http_ca_file: authorities })).toMatchObject({ status: 200, body: 'safe' })
  expect(server.seen.at(-1)?.client).toBeUndefined()
})

it('trusts nobody else', async () => {
  expect(await page('localhost')).toMatchObject({ failure: expect.stringContaining('certificate'), error: 'tls' })
})

it('wants the name of the host in the certificate', async () => {
  expect(await page('other.test', { external_http_ca_file: authorities })).toMatchObject({
    ...{ failure: expect.stringContaining("Host: other.test. is not in the cert's altnames"), error: 'tls' },
  })
})
