import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { formatExactJson } from '../../src/base/json/json-text.ts'
import { toCommandLineArguments } from '../../src/machine/settings/settings.ts'
import { exportsToWire } from '../../src/model/exported-resource.ts'
import { controlRepository } from '../support/control-repository.ts'
import { askServer, plumbMain, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const nodes = Array.from({ length: 150 }, (_, at) => `n${at}.test`)
const kills = 3

it(`files that move into the store are all there after a server was killed ${kills} times meanwhile`, async () => {
  const folder = scratchFolder('moving')
  const server_datadir = join(folder, 'data')
  const folders = ['facts', 'exports'].map((name) => join(server_datadir, name))
  for (const each of folders) mkdirSync(each, { recursive: true })
  for (const name of nodes) {
    writeFileSync(join(folders[0]!, `${name}.json`), `{"name":"${name}","values":{"own":"${name}"}}`)
    const exported = { certname: name, type: 'Notify', title: name, tags: [], parameters: {} }
    writeFileSync(join(folders[1]!, `${name}.json`), formatExactJson(exportsToWire(name, [exported])))
  }
  const auth_conf = join(folder, 'auth.conf')
  writeFileSync(
    auth_conf,
    `authorization: { version: 1, rules: [
      { name: "pdb", sort-order: 1, match-request: { path: "/pdb", type: path }, allow: ["localhost"] } ] }`,
  )
  const repository = controlRepository({ 'manifests/site.pp': '' }).bare
  const settings = { server_datadir, auth_conf, store: 'sqlite', storeconfigs: 'true', key_type: 'ec' }
  // The first one makes the authority, and moves nothing.
  const first = await startServer({ repository, folder, settings: { ...settings, store: 'none' } })
  await first.stop()

  for (let kill = 0; kill < kills; kill++) {
    const words = Object.entries({ certname: 'localhost', code_repo: repository, serverport: '0', ...settings })
    const options = [...first.places, ...toCommandLineArguments(Object.fromEntries(words))]
    const child = spawn(process.execPath, [plumbMain, 'server', ...options])
    const ended = new Promise((done) => child.once('exit', done))
    let said = ''
    const began = new Promise<void>((done) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          said += data
          if (said.includes('Moving the')) done()
        })
    })
    await Promise.race([began, ended])
    // Wall clock: the moment of the kill is of no matter.
    await delay(kill * 60)
    child.kill('SIGKILL')
    await ended
  }
  expect(folders.map((each) => readdirSync(each).length > 0)).toContain(true)

  const server = await startServer({ repository, folder, settings })
  try {
    const ask = async (query: string) => {
      const { status, text } = await askServer(server, `/pdb/query/v4?query=${encodeURIComponent(query)}`)
      expect(status, text).toBe(200)
      return JSON.parse(text) as Record<string, unknown>[]
    }
    const sorted = [...nodes].sort()
    const facts = await ask('facts[certname, value]{ name = "own" order by certname }')
    expect(facts).toEqual(sorted.map((name) => ({ certname: name, value: name })))
    const exports = await ask('resources[certname, title]{ exported = true order by certname }')
    expect(exports).toEqual(sorted.map((name) => ({ certname: name, title: name })))
    for (const each of folders) expect(readdirSync(each)).toEqual([])
  } finally {
    await server.stop()
  }
})
