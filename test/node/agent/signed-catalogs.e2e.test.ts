import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatExactJson } from '../../../src/base/json/json-text.ts'
import { parseCertificate } from '../../../src/ca/x509/certificate.ts'
import { parsePrivateKey } from '../../../src/ca/x509/keys.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { computeCatalogDigest, createCatalogSigner, type SignedCatalog } from '../../../src/model/catalog-signature.ts'
import { createCatalogFiles, jsonCatalogFormat } from '../../../src/node/agent/catalog/catalog-files.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const node = 'node.example.test'
const folder = scratchFolder('signed')
const root = join(folder, 'root')
const motd = join(root, 'motd')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const cache = createCatalogFiles(localFiles, join(folder, 'var/client_data'), jsonCatalogFormat)
const cacheFile = join(folder, `var/client_data/catalog/${node}.json`)
let repository: ControlRepository
let server: RunningServer
beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': 'file { \'/motd\': content => "as signed\\n" }' })
  repository.push({}, 'staging')
  repository.push({}, 'production')
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true', gate: 'refuse' } })
  const first = await agent()
  expect(first.out).toContain('Applied catalog')
})
afterAll(async () => {
  await server?.stop()
})

async function agent(...words: string[]) {
  const who = ['--agent_root', root, '--certname', node, '--keylength', '2048', '--server', 'localhost']
  const all = ['agent', '--test', ...places, ...who, '--serverport', String(server.port), ...words]
  const {
    exitCode: status,
    stdout: out,
    stderr: err,
  } = await execa(process.execPath, [plumbMain, ...all], { reject: false })
  return { status, out, err }
}

const kept = async (): Promise<SignedCatalog> => (await cache.find({ key: node }))!

/** Edits the cache as one who knows its form: the digest of the file is right again. */
async function forge(change: (catalog: SignedCatalog) => Partial<SignedCatalog>): Promise<void> {
  const catalog = await kept()
  await cache.save({ ...catalog, ...change(catalog) }, { key: node })
}

const edited = ({ text }: SignedCatalog) => ({ text: text.replace('as signed', 'as forged') })

/** Runs with the cache as it was before; what was done to it is forgotten. */
async function withCache<Result>(work: () => Promise<Result>): Promise<Result> {
  copyFileSync(cacheFile, `${cacheFile}.good`)
  try {
    return await work()
  } finally {
    copyFileSync(`${cacheFile}.good`, cacheFile)
    rmSync(`${cacheFile}.good`)
  }
}

/** A run that has no server to ask: the cache, or nothing. */
const offline = (...words: string[]) => agent('--serverport', '1', '--usecacheonfailure', ...words)

describe('an agent', () => {
  it('applies the catalog that it keeps, when it is as it was signed', async () => {
    rmSync(motd)
    const { out, err } = await agent('--use_cached_catalog', '--catalog_signature', 'require')
    expect(err).toBe('')
    expect(out).toContain("Using cached catalog from environment 'production'")
    expect(readFileSync(motd, 'utf8')).toBe('as signed\n')
  })

  it.each(['check', 'require'])('refuses one that was edited, under %s, and asks for a new one', async (wanted) => {
    await withCache(async () => {
      await forge(edited)
      const { out, err, status } = await agent('--use_cached_catalog', '--catalog_signature', wanted)
      expect(err).toContain(
        `Could not retrieve catalog from cache: The catalog for ${node} was changed after it was signed`,
      )
      expect(out).toContain('Caching catalog for')
      expect(status).toBe(0)
      expect(readFileSync(motd, 'utf8')).toBe('as signed\n')
    })
  })

  it('applies nothing when there is no server and what it keeps was edited', async () => {
    await withCache(async () => {
      await forge(edited)
      rmSync(motd)
      const { err, status } = await offline()
      expect(err).toContain('was changed after it was signed')
      expect(status).toBe(1)
      expect(existsSync(motd)).toBe(false)
    })
    await agent()
  })

  it('takes under check what has no signature, with a warning, under require nothing, under off anything', async () => {
    await withCache(async () => {
      await forge(() => ({ signature: undefined }))
      const check = await offline()
      expect(check.err).toContain(`Warning: The catalog for ${node} is not signed`)
      expect(check.out).toContain('Using cached catalog')
      const require = await offline('--catalog_signature', 'require')
      expect(require.err).toContain(`Could not retrieve catalog from cache: The catalog for ${node} is not signed`)
      expect(require.status).toBe(1)
      await forge(edited)
      const off = await offline('--catalog_signature', 'off')
      expect(off.err).not.toContain('signed')
      expect(readFileSync(motd, 'utf8')).toBe('as forged\n')
    })
    await agent()
  })

  it('refuses what a node signed, whose certificate is of the same authority', async () => {
    await withCache(async () => {
      const { stdout } = await plumb(['ca', 'generate', '--certname', 'ec.test', '--key_type', 'ec', ...server.places])
      expect(stdout).toContain('Successfully saved')
      const made = (name: string) => readFileSync(join(server.confdir, 'ssl', name, 'ec.test.pem'), 'utf8')
      const ec = { key: parsePrivateKey(made('private_keys')), certificate: parseCertificate(made('certs')) }
      await forge((catalog) => {
        const { text } = edited(catalog)
        const said = {
          node,
          environment: 'production',
          codeId: String(catalog.wire['code_id']),
          transaction: undefined,
        }
        const time = new Date().toISOString()
        return { text, signature: createCatalogSigner(ec)({ ...said, digest: computeCatalogDigest(text), time }) }
      })
      const { err } = await offline()
      expect(err).toContain("by 'ec.test', whose certificate is not valid for signing catalogs")
    })
  })

  it('refuses the catalog of another node, and of another environment where it is told its own', async () => {
    await withCache(async () => {
      const catalog = await kept()
      const other = join(folder, 'var/client_data/catalog/other.example.test.json')
      copyFileSync(cacheFile, other)
      const { stdout } = await plumb(['catalog', 'verify', other, '--node', 'other.example.test', ...places])
      expect(stdout).toBe('')
      const taken = await agent('--use_cached_catalog', '--environment', 'staging')
      expect(taken.err).toContain(
        "Not using cached catalog because its environment 'production' does not match 'staging'",
      )
      expect((await kept()).wire['environment']).toBe('staging')
      // The signature of the one, the catalog of the other.
      await forge(() => ({ text: catalog.text, wire: catalog.wire }))
      expect((await offline()).err).toContain('was changed after it was signed')
      const mixed = formatExactJson({ ...catalog.wire, environment: 'staging' })
      await forge(() => ({ text: mixed, signature: catalog.signature }))
      expect((await offline()).err).toContain('was changed after it was signed')
    })
  })

  it('keeps a catalog in YAML with its signature, too', async () => {
    const yaml = join(folder, `var/client_yaml/catalog/${node}.yaml`)
    await agent('--catalog_cache_terminus', 'yaml')
    const { stdout, exitCode } = await plumb(['catalog', 'verify', yaml, ...places])
    expect(stdout).toMatch(
      /: of node\.example\.test, environment production at [0-9a-f]{40}, signed .* by _catalogs\.localhost$/,
    )
    expect(exitCode).toBe(0)
    rmSync(yaml)
  })
})

describe('plumb catalog verify', () => {
  it('says of each file whether it is as it was signed, and by whom', async () => {
    const bad = join(folder, 'bad.json')
    const bare = join(folder, 'bare.json')
    const { text, signature } = await kept()
    writeFileSync(bad, readFileSync(cacheFile, 'utf8').replace('as signed', 'as forged'))
    writeFileSync(bare, text)
    writeFileSync(`${bare}.sig`, `X-Plumb-Catalog-Signature: ${signature}\n`)
    const good = await plumb(['catalog', 'verify', cacheFile, bare, '--node', node, ...places])
    expect(good.exitCode).toBe(0)
    expect(String(good.stdout).split('\n').length).toBe(2)
    const all = await plumb([
      'catalog',
      'verify',
      cacheFile,
      bad,
      join(folder, 'none'),
      '--render-as',
      'json',
      ...places,
    ])
    expect(all.exitCode).toBe(1)
    const code_id = repository.gitBare('rev-parse', 'production')
    const sound = { verified: true, node, environment: 'production', code_id, signer: '_catalogs.localhost' }
    expect(JSON.parse(String(all.stdout))).toMatchObject([
      sound,
      { verified: false, code: 'DAMAGED_CATALOG' },
      { verified: false, code: 'CATALOG_FILE_MISSING' },
    ])
    const wrong = await plumb(['catalog', 'verify', cacheFile, '--node', 'b.test', ...places])
    expect(wrong.exitCode).toBe(1)
    expect(wrong.stderr).toContain(`its node is '${node}', not 'b.test'`)
  })
})

describe('a push', () => {
  it('is in the audit log with who pushed it and what came of it', async () => {
    const installed = await plumb(['code', 'install-hooks', repository.bare, ...server.places])
    expect(installed.exitCode).toBe(0)
    const before = repository.gitBare('rev-parse', 'production')
    process.env.PLUMB_PUSHER = 'anna\u001b'
    try {
      const commit = repository.push({ 'manifests/site.pp': "notify { 'pushed': }" })
      expect(() => repository.push({ 'manifests/site.pp': 'notify {' })).toThrow()
      const words = ['audit', 'log', '--kind', 'push', '--render-as', 'json', ...server.places]
      const records = String((await plumb(words)).stdout)
        .split('\n')
        .map((line) => JSON.parse(line))
      const ref = 'refs/heads/production'
      expect(records).toMatchObject([
        { ref, old: before, new: commit, pusher: 'anna\u001b', result: 'tried', gate: 'passed' },
        { ref, old: before, new: commit, pusher: 'anna\u001b', result: 'accepted' },
        { ref, old: commit, pusher: 'anna\u001b', result: 'refused', reason: expect.stringContaining('Syntax error') },
      ])
      const shown = await plumb(['audit', 'log', '--last', '1', ...server.places])
      expect(shown.stdout).not.toContain('\u001b')
    } finally {
      delete process.env.PLUMB_PUSHER
    }
  })

  it('leaves a log that is whole, also when the server is killed', async () => {
    server.process.kill('SIGKILL')
    await new Promise((done) => server.process.once('exit', done))
    const { exitCode, stdout } = await plumb(['audit', 'verify', ...server.places])
    expect(stdout).toMatch(/Verified up to record \d+ [0-9a-f]{64}$/)
    expect(exitCode).toBe(0)
    server = await startServer({ repository: repository.bare, folder: resolve(server.confdir, '..') })
    expect((await plumb(['audit', 'verify', ...server.places])).exitCode).toBe(0)
  })
})
