import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { TlsClient } from './tls-client.ts'

let repository: ControlRepository
let server: RunningServer
beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  server = await startServer({ repository: repository.bare })
})
afterAll(async () => {
  await server?.stop()
})

it.each([
  ['a control sequence of one character', '\u009b31m'],
  ['an order to write backwards', '\u202e'],
  ['a line separator', '\u2028'],
  ['a character that is not seen', '\u200b'],
])('spells out %s, and says what was asked', async (_, sign) => {
  const client = await TlsClient.open(server.port)
  const number = Math.random()
  const path = `/forged${sign}${number}`
  expect(await client.get(encodeURI(path))).toBe(403)
  client.close()
  await expect.poll(() => server.output()).toMatch(new RegExp(`"path":"[^"]*${number}"`))
  const lines = server.output().split('\n')
  expect(lines.filter((line) => line.includes(sign))).toEqual([])
  const said = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  expect(said.map((line) => line.path)).toContain(path)
})
