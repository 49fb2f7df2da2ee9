import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository, gitIdentity } from '../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const size = 1024 ** 3
const end = 'the last bytes'
/**
 * MiB that the file may add to a server that serves one of 3 MB, and the agent's limit. Of the server's it took 55, buffers of
 * streams that were not collected yet; read whole it takes as many as the file has, and more.
 */
const [addedMiB, agentMiB] = [96, 150]

let server: RunningServer
let folder: string
let sum: string
let usualMiB: number

beforeAll(async () => {
  folder = scratchFolder('large')
  const repository = controlRepository({
    'manifests/site.pp': `
node 'small.test' { file { '${folder}/small': source => 'puppet:///modules/m/small' } }
node 'other.test' { file { '${folder}/other': source => 'puppet:///modules/m/other' } }
node 'large.test' { file { '${folder}/large': source => 'puppet:///modules/m/large' } }
node 'reads.test' { notify { file('m/large'): } }
`,
    'modules/m/files/small': 'small\n',
    'modules/m/files/other': 'x'.repeat(3_000_000),
  })
  // Mostly a hole: Git compresses it to a megabyte.
  const path = join(repository.work, 'modules/m/files/large')
  const file = openSync(path, 'w')
  truncateSync(path, size)
  writeSync(file, end, size - end.length)
  sum = await digestOf(path)
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: repository.work, env: { ...process.env, ...gitIdentity }, stdio: 'ignore' })
  git('add', '-A')
  git('commit', '-qm', 'A large file')
  git('push', '-q', repository.bare, 'HEAD:production')
  server = await startServer({
    repository: repository.bare,
    settings: { compile_workers: '1', key_type: 'ec', autosign: 'true' },
  })
}, 300_000)

afterAll(async () => {
  await server?.stop()
})

function digestOf(path: string): Promise<string> {
  return Promise.resolve(execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64))
}

/** The highest resident memory of the server since the last look, in MiB. */
function peakMiB(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function run(name: string) {
  const place = join(folder, name)
  const places = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--certname', name]
  const to = ['--server', 'localhost', '--serverport', String(server.port), '--key_type', 'ec']
  const words = ['agent', '--onetime', '--no-daemonize', '--verbose', ...places, ...to]
  const { stdout, stderr, exitCode } = await plumb(words)
  return { said: `${stdout}${stderr}`, exitCode }
}

function get(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; digest: string; text: string }> {
  const file = (name: string) => readFileSync(join(server.confdir, 'ssl', name))
  const tls = { ca: file('certs/ca.pem'), cert: file('certs/localhost.pem'), key: file('private_keys/localhost.pem') }
  return new Promise((done, failed) => {
    const asked = request({ host: 'localhost', port: server.port, path, headers, ...tls }, async (answer) => {
      const hash = createHash('sha256')
      let text = ''
      for await (const part of answer as AsyncIterable<Buffer>) {
        hash.update(part)
        text = part.toString('latin1').slice(-200)
      }
      done({ status: answer.statusCode ?? 0, digest: hash.digest('hex'), text })
    })
    asked.on('error', failed)
    asked.end()
  })
}

describe('a module with a file of 1 GiB', () => {
  it('serves smaller files to other nodes', async () => {
    expect((await run('small.test')).exitCode).toBe(0)
    expect((await run('other.test')).exitCode).toBe(0)
    usualMiB = peakMiB()
  })

  it('compiles catalogs with its checksum, and the agent fetches it', async () => {
    const { said } = await run('large.test')
    expect(said).toContain(`ensure: defined content as '{sha256}${sum}'`)
    expect(await digestOf(join(folder, 'large'))).toBe(sum)
  }, 300_000)

  it('changes nothing in the second run, whose agent stays small', async () => {
    const place = join(folder, 'large.test')
    const script = `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))`
    const preload = join(folder, 'peak.cjs')
    execFileSync('tee', [preload], { input: script, stdio: ['pipe', 'ignore', 'ignore'] })
    const words = ['agent', '--test', '--confdir', join(place, 'etc'), '--vardir', join(place, 'var')]
    const to = ['--certname', 'large.test', '--server', 'localhost', '--serverport', String(server.port)]
    const main = join(import.meta.dirname, '../../dist/main.js')
    const { stderr, exitCode } = await import('execa').then(({ execa }) =>
      execa(process.execPath, ['--require', preload, main, ...words, ...to], { reject: false }),
    )
    expect(exitCode).toBe(0)
    expect(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(agentMiB)
  }, 300_000)

  it('gives its metadata, its bytes and parts of them', async () => {
    const query = 'environment=production'
    const [json, bytes] = [{ accept: 'application/json' }, { accept: 'application/octet-stream' }]
    const metadata = await get(`/puppet/v3/file_metadata/modules/m/large?${query}&checksum_type=md5`, json)
    expect(metadata).toMatchObject({ status: 200, text: expect.stringContaining('{md5}') })
    expect(await get(`/puppet/v3/file_content/modules/m/large?${query}`, bytes)).toMatchObject({
      status: 200,
      digest: sum,
    })
    const part = await get(`/puppet/v3/file_content/modules/m/large?${query}`, {
      ...bytes,
      range: `bytes=-${end.length}`,
    })
    expect(part).toMatchObject({ status: 206, text: end })
  }, 300_000)

  it('fails a catalog whose function reads it, and names the file', async () => {
    expect((await run('reads.test')).said).toMatch(/m\/files\/large is larger than \d+ bytes/)
  })

  it('takes little memory of the server', () => {
    console.info(`peak of the server: ${usualMiB.toFixed()} MiB with a file of 3 MB, ${peakMiB().toFixed()} MiB now`)
    expect(peakMiB() - usualMiB).toBeLessThan(addedMiB)
  })
})
