import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { askServer, plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const shared = scratchFolder('shared')
let repository: ControlRepository
let server: RunningServer

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': '' })
  mkdirSync(join(shared, 'tools/files'), { recursive: true })
  writeFileSync(join(shared, 'tools/files/a.txt'), 'of all')
  const settings = { basemodulepath: shared, key_type: 'ec' }
  server = await startServer({ repository: repository.bare, settings })
})
afterAll(async () => {
  await server?.stop()
})

const ask = (path: string) => askServer(server, path)

/** Pushes a modulepath and a manifest that reads a file by its absolute path. */
async function pushed(modulepath: string, path: string) {
  const conf = `modulepath = ${modulepath}\n`
  repository.push({ 'environment.conf': conf, 'manifests/site.pp': `notify { 'x': message => file('${path}') }\n` })
  await plumb(['code', 'deploy', ...server.places])
  return ask('/puppet/v3/catalog/localhost?environment=production')
}

it.each(['ssl', 'ca', ''])('a modulepath of a commit hands out no file of the server (%s)', async (folder) => {
  const secret = join(server.confdir, 'ssl/private_keys/localhost.pem')
  const { text } = await pushed(`${join(server.confdir, folder)}:${server.confdir}/ssl:${shared}/../`, secret)
  expect(text).toContain('Could not find any files from')
  expect(text).not.toContain('PRIVATE KEY-----')
  const served = await ask('/puppet/v3/file_content/modules/private_keys/localhost.pem?environment=production')
  expect(served.status).toBe(404)
  expect(server.output()).toContain(`The modules in ${server.confdir}/ssl are not loaded`)
})

it('a folder that the server itself names is read', async () => {
  const { text } = await pushed(`modules:${shared}/`, join(shared, 'tools/files/a.txt'))
  expect(text).toContain('"message":"of all"')
})
