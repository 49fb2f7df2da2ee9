import { expect, it } from 'vitest'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { VaultRequests } from '../../../src/network/client/vault-requests.ts'
import { createWebSources } from '../../../src/node/agent/web-sources.ts'

import { GemServer } from '../../../src/node/gems/gem-server.ts'

/** Settings of a machine whose authorities can be read at the second attempt. */
function createSettings() {
  let attempts = 0
  return {
    ...loadSettings({ given: {} }),
    get localcacert(): string {
      attempts += 1
      if (attempts === 1) throw new Error('Could not read the registry')
      return '/missing'
    },
  }
}

const closedPort = 'http://127.0.0.1:1/'
const options = { links: 'manage', checksumType: 'sha256', sourcePermissions: 'ignore' } as const

it('reads the authorities for HTTP sources again after an error', async () => {
  const sources = createWebSources(createSettings())
  const read = () => sources.metadata(`${closedPort}a`, options)
  await expect(read()).rejects.toThrow('Could not read the registry')
  await expect(read()).rejects.toThrow('Connection refused')
})

it('reads the authorities for a gem server again after an error, and closes without one', async () => {
  const server = new GemServer(closedPort, createSettings())
  await expect(server.releases('json')).rejects.toThrow('Could not read the registry')
  await server.close()
  await expect(server.releases('json')).rejects.toThrow('Connection refused')
  await server.close()
})

it('reads the authorities for Vault again after an error', async () => {
  const requests = new VaultRequests(createSettings())
  const send = () => requests.send({ method: 'GET', url: closedPort, headers: {} })
  await expect(send()).rejects.toThrow('Could not read the registry')
  await expect(send()).rejects.toThrow('Connection refused')
})
