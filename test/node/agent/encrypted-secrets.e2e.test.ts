import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const node = 'node.example.test'
const folder = scratchFolder('encrypted')
const root = join(folder, 'root')
const variable = join(folder, 'var')
const cacheFile = join(variable, `client_data/catalog/${node}.json`)
const places = ['--confdir', join(folder, 'etc'), '--vardir', variable]
let server: RunningServer

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': `
file { '/password': content => Sensitive("top secret 1\\n"), backup => false }
file { '/deferred': content => Deferred('unwrap', [Sensitive("top secret 2\\n")]), backup => false }`,
  })
  server = await startServer({
    repository: repository.bare,
    settings: { autosign: 'true', catalog_secrets: 'encrypt' },
  })
})
afterAll(() => server?.stop())

async function plumb(...words: string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [plumbMain, ...words], { reject: false })
  return { status: exitCode, out: stdout, err: stderr }
}

const agent = (...words: string[]) => {
  const who = ['--agent_root', root, '--certname', node, '--keylength', '2048', '--server', 'localhost']
  return plumb('agent', '--test', ...places, ...who, '--serverport', String(server.port), ...words)
}

const contents = () => ['password', 'deferred'].map((name) => readFileSync(join(root, name), 'utf8'))
const expected = ['top secret 1\n', 'top secret 2\n']

/** Files of the agent that contain a secret in plain text. */
function listPlainCopies(): readonly string[] {
  const files = readdirSync(variable, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const paths = files.map((each) => join(each.parentPath, each.name))
  return paths.filter((path) => readFileSync(path).includes('top secret'))
}

it('applies a catalog with encrypted secrets, and caches it without plain text', async () => {
  const { status, err } = await agent('--catalog_signature', 'require')
  expect([status, err]).toEqual([2, ''])
  expect(contents()).toEqual(expected)
  expect(readFileSync(cacheFile, 'utf8')).toContain('"EncryptedSecret"')
  expect(listPlainCopies()).toEqual([])
})

it('applies the cached catalog, whose signature is still valid, without a server', async () => {
  for (const name of ['password', 'deferred']) rmSync(join(root, name))
  const { status, err } = await agent('--use_cached_catalog', '--catalog_signature', 'require', '--serverport', '1')
  expect(err).not.toContain('catalog')
  expect(status).not.toBe(1)
  expect(contents()).toEqual(expected)
  expect((await plumb('catalog', 'verify', cacheFile, ...places, '--node', node)).status).toBe(0)
})

it("lets 'plumb doctor secrets' find copies of the encrypted secrets", async () => {
  const doctor = () => plumb('doctor', 'secrets', '--role', 'agent', ...places, '--certname', node, '--color', 'false')
  expect(await doctor()).toMatchObject({ status: 0, err: '' })
  const copy = join(variable, 'state/copy.txt')
  writeFileSync(copy, 'x top secret 1 x')
  const { status, out } = await doctor()
  expect([status, out]).toEqual([
    2,
    expect.stringContaining(`${copy} contains a secret as plain text: File[/password] content`),
  ])
  rmSync(copy)
})

it('applies a copy of the catalog with the key of the node only', async () => {
  const copy = join(folder, 'copy.json')
  copyFileSync(cacheFile, copy)
  for (const name of ['password', 'deferred']) rmSync(join(root, name))
  const own = await plumb('apply', '--catalog', copy, ...places, '--agent_root', root, '--certname', node)
  expect([own.status, own.err]).toEqual([0, ''])
  expect(contents()).toEqual(expected)

  const foreign = ['--confdir', join(folder, 'etc2'), '--vardir', join(folder, 'var2'), '--certname', 'other.test']
  const other = await plumb('apply', '--catalog', copy, ...foreign, '--agent_root', root)
  expect([other.status, other.err]).toEqual([
    ...[
      1,
      expect.stringContaining(
        'The secrets of the catalog are encrypted, and the private key of this node does not exist',
      ),
    ],
  ])
})
