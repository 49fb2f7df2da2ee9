import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../../src/server/auth/token-file.ts'
import { openSqlite } from '../../../src/store/database/sqlite.ts'
import { expireNodes } from '../../../src/store/retention/node-expiration.ts'
import { type Serving, serve } from '../../server/serving.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { without } from '../../support/needs.ts'
import { isNight } from '../../support/nightly.ts'
import { hasPuppetDb, startPuppetDb } from '../../support/real-puppetdb.js'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { datasetCommands } from '../dataset/commands.js'
import { datasetConfig, loadDataset, payloadText } from '../dataset/load.js'
import { namesOfHashes } from '../query/ask.js'
import { callsOfPypuppetdb, recordedCalls } from './pypuppetdb.js'

const day = 86_400_000
const missing = without('pypuppetdb')
const host = 'localhost'
const ports = { plain: 0, secure: 0 }
let repository: ControlRepository
let serving: Serving
let names: ReadonlyMap<string, string>

beforeAll(async () => {
  if (missing) return
  repository = controlRepository({ 'manifests/site.pp': '' })
  ports.plain = await freePort()
  ports.secure = await freePort()
  const own = { puppetdb_plain_port: String(ports.plain), puppetdb_port: String(ports.secure) }
  serving = await serve({ code_repo: repository.bare, store: 'sqlite', max_requests_per_minute: '100000', ...own })
  for (const command of datasetCommands()) await tell(command)
  const database = openSqlite(join(serving.settings.server_datadir, 'store/store.db'))
  await expireNodes(database, { now: Date.now(), since: Date.now() - 7300 * day })
  await database.close()
  names = (await namesOfHashes(`http://${host}:${ports.plain}`)).tokenOf
})
afterAll(async () => {
  await serving?.stop()
})

async function tell({ command, version, payload }: ReturnType<typeof datasetCommands>[number]): Promise<void> {
  const query = new URLSearchParams({
    ...{ command: command.replaceAll(' ', '_'), version: String(version), certname: payload.certname },
    ...{ 'producer-timestamp': payload.producer_timestamp, secondsToWaitForCompletion: '60' },
  })
  const headers = { 'content-type': 'application/json' }
  const call = { as: 'admin.test', headers, body: payloadText(payload) }
  const { status, text } = await serving.call('POST', `/pdb/cmd/v1?${query}`, call)
  expect([status, JSON.parse(text)]).toMatchObject([200, { processed: true }])
}

/** Files of a client's certificate and of the authority. */
async function tlsFiles(name: string) {
  const { key, cert } = await serving.credentials(name)
  const file = (path: string, text: string) => {
    writeFileSync(join(serving.folder, path), text)
    return join(serving.folder, path)
  }
  const authority = { ssl_verify: serving.settings.localcacert }
  return { ...authority, ssl_key: file('client.key', key), ssl_cert: file('client.pem', cert) }
}

describe.skipIf(missing)(`pypuppetdb of Debian${missing}`, () => {
  it('is told the same as by PuppetDB, on the port of this machine', async () => {
    expect(await callsOfPypuppetdb({ host, port: ports.plain }, names)).toEqual(recordedCalls())
  })

  it('is told the same by a certificate', async () => {
    const connection = { host, port: ports.secure, ...(await tlsFiles('admin.test')) }
    expect(await callsOfPypuppetdb(connection, names)).toEqual(recordedCalls())
  })

  it('is told the same by a token', async () => {
    const request = { name: 'pypuppetdb', description: '', scopes: ['query'], expires: undefined }
    const token = await addToken(getTokenPaths(serving.settings).tokens, request, localSystem.files, Date.now())
    const connection = { host, port: ports.secure, ssl_verify: serving.settings.localcacert, token }
    expect(await callsOfPypuppetdb(connection, names)).toEqual(recordedCalls())
  })

  it('is told nothing by the certificate of a node', async () => {
    const connection = { host, port: ports.secure, ...(await tlsFiles('node.test')) }
    const { status, ...told } = await callsOfPypuppetdb(connection, names)
    expect(JSON.parse(status ?? '')).toMatchObject({ state: 'running' })
    expect(new Set(Object.values(told))).toEqual(new Set(['{"raised":"HTTPError","status":403}']))
  })

  it.skipIf(!hasPuppetDb || !isNight)('is told by PuppetDB what is recorded', { timeout: 1_800_000 }, async () => {
    const folder = scratchFolder('puppetdb')
    chmodSync(folder, 0o755)
    const real = await startPuppetDb(folder, { config: datasetConfig, openMetrics: true })
    try {
      await loadDataset(real.url)
      const port = Number(new URL(real.url).port)
      const { tokenOf } = await namesOfHashes(real.url)
      const told = await callsOfPypuppetdb({ host: '127.0.0.1', port }, tokenOf)
      // PostgreSQL's estimate of the resources is another one from day to day.
      expect({ ...told, figures: '' }).toEqual({ ...recordedCalls(), figures: '' })
    } finally {
      await real.stop()
    }
  })
})
