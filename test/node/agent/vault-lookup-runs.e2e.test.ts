import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { VaultRequests } from '../../../src/network/client/vault-requests.ts'
import { testSettings } from '../../code/environments/settings.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { openVault } from '../../support/vault.ts'
import { type LookupScene, openLookupScene, usualVault } from './vault-lookup-runs.ts'

let scene: LookupScene
beforeAll(async () => {
  scene = await openLookupScene()
})
beforeEach(() => scene.vault.set(usualVault))
afterAll(() => scene?.stop())

const sink = `'vault_addr' => 'A', 'auth_method' => 'agent_sink', 'agent_sink_file' => '@/sink'`
const lookup = (path: string) => `Deferred('vault_lookup::lookup', ['${path}', { ${sink}, 'field' => 'value' }])`

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))

describe('a run with secrets of Vault', () => {
  it('leaves no secret and no token in the output and below vardir', async () => {
    const { status, text } = await scene.applyHere(
      `file { '@/out/a': content => ${lookup('old/app/password')} }
       exec { 'b': command => Deferred('sprintf', ['/bin/false %s', Deferred('unwrap', [${lookup('kv/data/app/password')}])]) }
       file { '@/out/c': content => Deferred('vault_lookup::lookup', ['old/app/password', 'A', undef, 'x', 'none', undef, 'value', 'approle', 'role', 'hush']) }
       file { '@/out/d': content => Deferred('vault_lookup::lookup', ['old/app/password', 'A', undef, 'x', 'team/', undef, 'value', 'approle', 'role', 'shh']) }`,
      {},
      ...['--debug', '--trace', '--evaltrace', '--show_diff'],
    )
    expect(status).toBe(6)
    expect(text).toContain('Received 400 response code from vault at A/v1/auth/approle/login')
    expect(text).not.toMatch(/hush|login-1|shh|X-Vault/i)
    const [run = ''] = readdirSync(scene.folder).filter((name) => name.startsWith('run'))
    const kept = listFiles(join(scene.folder, run, 'var'))
    expect(kept.length).toBeGreaterThan(3)
    for (const path of kept) expect(readFileSync(path, 'latin1'), path).not.toMatch(/hush-|login-1/)
  })

  it('uses the Ruby of the module if the module exists', async () => {
    const functions = join(scene.folder, 'modules/vault_lookup/lib/puppet/functions/vault_lookup')
    mkdirSync(functions, { recursive: true })
    writeFileSync(
      join(functions, 'lookup.rb'),
      `Puppet::Functions.create_function(:'vault_lookup::lookup') { def lookup(path, options) = "module #{path}" }`,
    )
    const code = `file { '@/out/module': content => ${lookup('old/app/password')} }`
    const { status, text, contents } = await scene.applyHere(code, {}, '--modulepath', join(scene.folder, 'modules'))
    expect(status, text).toBe(2)
    expect(contents['module']).toBe('module old/app/password')
    expect((await scene.vault.report()).seen).toEqual([])
  })

  it('starts no Ruby', async () => {
    const code = `file { '@/out/native': content => ${lookup('old/app/password')} }
      file { '@/out/ruby': content => Deferred('inline_template', ['x']) }`
    const unusable = ['--ruby_provider', 'native', '--ruby_path', '/bin/false']
    const { status, text, contents } = await scene.applyHere(code, {}, ...unusable)
    expect(status, text).toBe(6)
    expect(text).toMatch(/File\[@\/out\/ruby\]: Could not evaluate/)
    expect(contents['native']).toBe('hush-first')
  })

  it('reads from a Vault agent without TLS', async () => {
    const agent = await openVault()
    await agent.set(usualVault)
    const args = `'old/app/many', { 'vault_addr' => '${agent.url}', 'auth_method' => 'agent', 'field' => 'a' }`
    const { status, text, contents } = await scene.applyHere(
      `file { '@/out/plain': content => Deferred('vault_lookup::lookup', [${args}]) }`,
    )
    await agent.stop()
    expect(status, text).toBe(2)
    expect(contents['plain']).toBe('x')
  })

  it('fails the resource alone if the responses are hostile', async () => {
    const elsewhere = scene.stranger.url
    const own = `${scene.vault.url}/v1/loop`
    const cases: Readonly<Record<string, RegExp>> = {
      huge: /The response from A\/v1\/old\/app\/password exceeds 1048576 bytes/,
      endless: /The response from A\/v1\/old\/app\/password exceeds 1048576 bytes/,
      deep: /Error parsing json secret data from vault response/,
      [elsewhere]: /A redirects to https:\/\/localhost:\d+, which must not receive the token/,
      [own]: /Too many HTTP redirections for A\/v1\/loop/,
    }
    for (const [odd, message] of Object.entries(cases)) {
      await scene.vault.set({ ...usualVault, odd })
      const code = `file { '@/out/bad': content => ${lookup('old/app/password')} } file { '@/out/good': content => 'x' }`
      const { status, text, contents } = await scene.applyHere(code)
      expect(text, odd).toMatch(message)
      expect(status, odd).toBe(odd === 'huge' ? 6 : 4)
      expect(contents['good']).toBe('x')
      expect(existsSync(join(scene.folder, 'out/bad'))).toBe(false)
    }
    expect((await scene.stranger.report()).seen).toEqual([])
  })

  it('ends a request without a response', async () => {
    await scene.vault.set({ ...usualVault, odd: 'silent' })
    const [ca, cert, key] = ['certs/ca', 'certs/server.test', 'private_keys/server.test']
    const path = (name = '') => join(scene.folder, 'ssl', `${name}.pem`)
    const settings = { ...testSettings({}), localcacert: path(ca), hostcert: path(cert), hostprivkey: path(key) }
    const url = `${scene.vault.url}/v1/old/x`
    const sent = new VaultRequests(settings, 300).send({ url, method: 'GET', headers: {} })
    await expect(sent).rejects.toThrow(`No response from ${url} within 0.3 seconds`)
  })
})

describe('an agent', () => {
  const folder = scratchFolder('vault-lookup-agent')
  const node = 'node.example.test'
  const variable = join(folder, 'var')
  let server: RunningServer
  beforeAll(async () => {
    const secret = `Deferred('vault_lookup::lookup', ['old/app/password', { 'field' => 'value' }])`
    const repository = controlRepository({
      'manifests/site.pp': `file { '${folder}/secret': content => ${secret}, backup => false }`,
    })
    server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  })
  afterAll(() => server?.stop())

  // The system's store contains the authority of Vault.
  async function plumb(...words: string[]) {
    const env = {
      SSL_CERT_FILE: join(scene.folder, 'ssl/certs/ca.pem'),
      ...{ VAULT_ADDR: scene.vault.url, VAULT_AUTH_METHOD: 'approle', VAULT_ROLE_ID: 'role', VAULT_SECRET_ID: 'shh' },
    }
    const places = ['--confdir', join(folder, 'etc'), '--vardir', variable, '--certname', node]
    const command = [plumbMain, ...words, ...places, '--keylength', '2048', '--detailed-exitcodes']
    return execa(process.execPath, command, { reject: false, all: true, env })
  }

  const connection = () => ['--server', 'localhost', '--serverport', String(server.port)]

  it('reads a secret, as does apply with the cached catalog', async () => {
    const first = await plumb('agent', '--test', ...connection())
    expect(first.exitCode, first.all).toBe(2)
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('hush-first')
    rmSync(join(folder, 'secret'))
    const second = await plumb('apply', '--catalog', join(variable, `client_data/catalog/${node}.json`))
    expect(second.exitCode, second.all).toBe(2)
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('hush-first')
    const third = await plumb('agent', '--test', ...connection(), '--preprocess_deferred')
    expect(third.exitCode, third.all).toBe(0)
    for (const path of listFiles(variable)) expect(readFileSync(path, 'latin1'), path).not.toContain('hush')
  })

  it('ends a run at runtimeout while Vault is silent', async () => {
    rmSync(join(folder, 'secret'))
    await scene.vault.set({ ...usualVault, odd: 'silent' })
    const { exitCode, all } = await plumb('agent', '--test', ...connection(), '--runtimeout', '3')
    expect(all).toContain('execution expired')
    expect(exitCode).toBe(1)
  })
})
