import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EnvironmentRollout } from '../../../src/deploy/rollout/rollout-state.ts'
import { StepWebhooks } from '../../../src/server/rollouts/step-webhooks.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let server: Server
let received: { readonly body: string; readonly headers: IncomingMessage['headers'] }[]
let statuses: number[]
const warnings: string[] = []
let webhooks: StepWebhooks

beforeEach(async () => {
  received = []
  statuses = []
  warnings.length = 0
  server = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers })
    response.writeHead(statuses.shift() ?? 204, { location: 'http://127.0.0.1:1/' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  webhooks.close()
  server.close()
})

const state: EnvironmentRollout = {
  ...{ stable: 'A', history: [] },
  rollout: {
    ...{ number: 3, document: 1, from: 'A', to: 'B', phase: 'halted', begun: 0, kept: [] },
    ...{ started: [{ at: 1, lastReport: 0 }], approved: [], steps: [] },
  },
}
const open = (secret = '') => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/s3cret-path`
  const settings = { rollout_webhooks: [url], rollout_webhook_secret: secret, localcacert: '/nonexistent' }
  webhooks = new StepWebhooks(settings, 'puppet.test', (message) => warnings.push(message))
}
const halt = { environment: 'production', state, step: { at: 5, action: 'halt', reason: '2 of 9' } } as const

it('posts a step as JSON, with the HMAC of its body', async () => {
  const file = join(scratchFolder('webhook'), 'secret')
  writeFileSync(file, 'shared\n')
  chmodSync(file, 0o600)
  open(file)
  webhooks.send(halt)
  await expect.poll(() => received.length).toBe(1)
  const { body, headers } = received[0]!
  expect(JSON.parse(body)).toEqual({
    ...{ event: 'rollout', environment: 'production', action: 'halt', wave: null, by: null, reason: '2 of 9' },
    ...{ time: '1970-01-01T00:00:00.005Z', server: 'puppet.test', stable: 'A' },
    rollout: { number: 3, from: 'A', to: 'B', phase: 'halted', started: 1 },
  })
  expect(headers['x-plumb-signature-256']).toBe(`sha256=${createHmac('sha256', 'shared').update(body).digest('hex')}`)
})

it('repeats a failed delivery, and follows no redirect', async () => {
  open()
  statuses = [302]
  webhooks.send(halt)
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
  expect(warnings).toEqual([])
})

it('omits steps if too many wait, and never logs the path of a webhook', async () => {
  open()
  statuses = Array.from({ length: 1000 }, () => 500)
  for (let at = 0; at < 250; at++) webhooks.send(halt)
  expect(warnings.length).toBeGreaterThan(0)
  expect(warnings.join()).not.toContain('s3cret')
})
