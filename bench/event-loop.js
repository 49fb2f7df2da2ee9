// The longest time for which the server's event loop stood still, for each kind of heavy request.
//   npm run build && node bench/event-loop.js
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { freePort } from './free-port.js'

const node = 'node1.example.test'
const environment = 'environment=production'

if (isMainThread) await measure()
else parentPort?.on('message', (call) => send(call, workerData).then((answer) => parentPort?.postMessage(answer)))

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-loop-'))
  const repository = bigRepository(folder)
  const { serving, client, revokeMany } = await start(folder, repository)
  try {
    const resource_statuses = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => statusOf(index)))
    const report = {
      host: node,
      time: '2026-01-01T00:00:00Z',
      status: 'changed',
      logs: [],
      metrics: {},
      resource_statuses,
    }
    const values = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`fact_${index}`, { value: 'x'.repeat(80) }]),
    )
    const facts = { name: node, values, timestamp: '2026-01-01T00:00:00Z' }
    const form = `environment=production&facts_format=application%2Fjson&facts=${encodeURIComponent(encodeURIComponent(JSON.stringify(facts)))}`
    const bucket = randomBytes(64 * 1024 * 1024)
    const sum = createHash('sha256').update(bucket).digest('hex')
    const put = (path, body, type = 'application/json') => ({
      method: 'PUT',
      path: `${path}?${environment}`,
      body,
      type,
    })
    const of = (path, query = '') => ({ method: 'GET', path: `${path}?${environment}${query}` })
    const steps = {
      'nothing (the noise of this machine)': { method: 'GET', path: '/status/v1/simple' },
      'environment of 5,000 files opened': of('/puppet/v3/file_metadata/modules/big/f1'),
      'file_metadatas of 3,000 files': of(
        '/puppet/v3/file_metadatas/modules/big',
        '&recurse=true&checksum_type=sha256',
      ),
      'the same again': of('/puppet/v3/file_metadatas/modules/big', '&recurse=true&checksum_type=sha256'),
      'facts of 1 MB': put(`/puppet/v3/facts/${node}`, JSON.stringify(facts)),
      'catalog with facts of 1 MB': {
        method: 'POST',
        path: `/puppet/v3/catalog/${node}`,
        body: form,
        type: 'application/x-www-form-urlencoded',
      },
      [`report of ${Math.round(JSON.stringify(report).length / 1e6)} MB`]: put(
        `/puppet/v3/report/${node}`,
        JSON.stringify(report),
      ),
      'bucket file of 64 MB': put(`/puppet/v3/file_bucket_file/sha256/${sum}`, bucket, 'application/octet-stream'),
      'sha256 of a file of 64 MB': of('/puppet/v3/file_metadata/modules/big/large', '&checksum_type=sha512'),
      'list of 20,000 revoked certificates read': {
        before: revokeMany,
        ...of('/puppet/v3/file_metadata/modules/big/f1'),
      },
    }
    for (const [name, { before, ...call }] of Object.entries(steps)) {
      await before?.()
      const delay = monitorEventLoopDelay({ resolution: 1 })
      await new Promise((done) => setTimeout(done, 50))
      delay.enable()
      const started = performance.now()
      const status = await client(call)
      const took = performance.now() - started
      await new Promise((done) => setTimeout(done, 20))
      delay.disable()
      console.log(`${name}: ${(delay.max / 1e6).toFixed(0)} ms (${took.toFixed(0)} ms in all, status ${status})`)
    }
  } catch (error) {
    console.error(error)
  } finally {
    await serving.close()
    rmSync(folder, { recursive: true, force: true })
    process.exit()
  }
}

function statusOf(index) {
  const title = `/srv/files/${index}`
  const events = [
    {
      property: 'content',
      previous_value: 'a'.repeat(64),
      desired_value: 'b'.repeat(64),
      message: 'content changed',
      status: 'success',
    },
  ]
  return [
    `File[${title}]`,
    {
      title,
      resource: `File[${title}]`,
      file: '/etc/site.pp',
      line: index,
      tags: ['file', 'class', 'profile::base', 'node'],
      events,
      containment_path: ['Stage[main]', 'Profile::Base', `File[${title}]`],
      evaluation_time: 0.001,
      failed: false,
      changed: true,
      skipped: false,
      out_of_sync: true,
      time: '2026-01-01T00:00:00.000000000+00:00',
      change_count: 1,
      out_of_sync_count: 1,
      corrective_change: false,
      resource_type: 'File',
      provider_used: 'posix',
      failed_to_restart: false,
    },
  ]
}

async function start(folder, repository) {
  const { startCodeServer } = await import('#built/server/code-server.js')
  const { loadSettings } = await import('#built/machine/settings/settings.js')
  const { localSystem } = await import('#built/machine/system/local-system.js')
  const { openConfiguredAuthority } = await import('#built/store/authority/configured-authority.js')
  const { getCaLayout } = await import('#built/ca/file-layout.js')
  const { toCertificatePem } = await import('#built/ca/x509/certificate.js')
  const { toPrivateKeyPem } = await import('#built/ca/x509/keys.js')
  const { pino } = await import('pino')
  const port = await freePort()
  const given = {
    confdir: join(folder, 'etc'),
    vardir: join(folder, 'var'),
    certname: 'localhost',
    serverport: String(port),
    bindaddress: '127.0.0.1',
    key_type: 'ec',
    code_repo: repository,
  }
  const settings = loadSettings({ given, runMode: 'server', env: {} })
  const log = pino({ level: 'silent' })
  const serving = await startCodeServer({ settings, system: localSystem, log, version: '0.0.0', progress() {} })
  const authority = await openConfiguredAuthority(settings, localSystem)
  const { key, certificate } = await authority.generate(node, { key: { type: 'ec', curve: 'prime256v1' } })
  const workerData = { port, key: toPrivateKeyPem(key), cert: toCertificatePem(certificate) }
  const worker = new Worker(new URL(import.meta.url), { workerData })
  const client = (call) =>
    new Promise((done) => {
      worker.once('message', done)
      worker.postMessage(call)
    })
  const revokeMany = async () => {
    const { buildRevocationList, parseRevocationLists, toRevocationListPem } = await import(
      '#built/ca/x509/revocation-list.js'
    )
    const places = getCaLayout(settings.cadir)
    const textOf = async (file) => (await localSystem.files.readText(file)) ?? ''
    const [list] = parseRevocationLists(await textOf(places.revocationList))
    const { createPrivateKey } = await import('node:crypto')
    const text = await textOf(places.key)
    const added = Array.from({ length: 20_000 }, (_, index) => ({
      serial: BigInt(1e6 + index),
      date: new Date(0),
      reason: 1,
    }))
    const { createKeySigner } = await import('#built/ca/x509/signature.js')
    const signer = createKeySigner(createPrivateKey(text))
    const issuer = { name: list.issuer, signer, keyIdentifier: Buffer.alloc(20) }
    const next = await buildRevocationList(issuer, {
      previous: list,
      added,
      thisUpdate: new Date(),
      nextUpdate: new Date(Date.now() + 1e9),
    })
    for (const file of [places.revocationList, settings.hostcrl]) writeFileSync(file, toRevocationListPem(next))
  }
  return { serving, client, revokeMany }
}

function send({ method, path, body, type }, { port, key, cert }) {
  return new Promise((done) => {
    const headers = { Accept: 'application/json, application/octet-stream', ...(type ? { 'Content-Type': type } : {}) }
    const options = {
      host: 'localhost',
      port,
      method,
      path,
      headers,
      key,
      cert,
      rejectUnauthorized: false,
      agent: false,
    }
    const call = request(options, (answer) => {
      answer.resume()
      answer.once('end', () => done(answer.statusCode))
    })
    call.once('error', (error) => done(error.message))
    call.end(body)
  })
}

function bigRepository(folder) {
  const [bare, work] = [join(folder, 'code.git'), join(folder, 'work')]
  const files = join(work, 'modules/big/files')
  mkdirSync(join(work, 'modules/big/manifests'), { recursive: true })
  mkdirSync(files, { recursive: true })
  for (let index = 0; index < 3000; index++) writeFileSync(join(files, `f${index}`), `file ${index}\n`)
  for (let index = 0; index < 2000; index++)
    writeFileSync(
      join(work, `modules/big/manifests/c${index}.pp`),
      `class big::c${index} { notify { 'c${index}': } }\n`,
    )
  writeFileSync(join(files, 'large'), randomBytes(64 * 1024 * 1024))
  const git = (...words) => execFileSync('git', words, { cwd: work, stdio: 'ignore' })
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  git('init', '--quiet', '--initial-branch=production')
  git('add', '--all')
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.test', 'commit', '--message', 'big')
  git('push', bare, 'production')
  return bare
}
