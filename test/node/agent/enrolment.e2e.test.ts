import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/**
 * The life of a node with our own server. Where each part is looked at more closely: enrolment test/node/agent/ssl/; renewal
 * test/node/agent/ssl/bootstrap.e2e.test.ts; plug-ins test/node/agent/plugin-sync.test.ts and plugin-tree.e2e.test.ts; static catalogs and
 * files test/node/agent/agent.e2e.test.ts; reports test/node/agent/report-against-puppet.e2e.test.ts; the same by a real agent
 * test/interop/real-agent.oracle.test.ts.
 */
const folder = scratchFolder('enrolment')
const certname = 'node.example.test'
let server: RunningServer

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': `file { '/etc': ensure => directory } file { '/etc/role': content => $trusted['extensions']['pp_role'] }`,
  })
  server = await startServer({ repository: repository.bare, settings: { autosign: 'false' } })
})
afterAll(async () => {
  await server?.stop()
})

const run = ['agent', '--test', '--agent_root', join(folder, 'root')]
const agent = (...words: string[]) => onNode(run, words)

async function onNode(command: readonly string[], words: readonly string[] = []) {
  const { exitCode, stdout, stderr } = await begunOnNode(command, words)
  return { status: exitCode, out: stdout, err: stderr }
}

function begunOnNode(command: readonly string[], words: readonly string[]) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const who = ['--certname', certname, '--keylength', '2048', '--server', 'localhost']
  const all = [...command, ...places, ...who, '--serverport', String(server.port), ...words]
  return execa(process.execPath, [plumbMain, ...all], { reject: false, all: true })
}

const ca = (...words: string[]) => plumb(['ca', ...words, ...server.places])

describe('a node and its server', () => {
  it('has no certificate until somebody signs it, with the extensions that it asks for', async () => {
    expect((await agent('--noop', '--waitforcert', '0')).status).toBe(1)
    await ca('clean', '--certname', certname)
    for (const name of [`ssl/private_keys/${certname}.pem`, `ssl/certificate_requests/${certname}.pem`])
      expect(existsSync(join(folder, 'etc', name)), name).toBe(true)
  })

  it('waits for it, and applies its catalog', async () => {
    writeFileSync(join(folder, 'etc/csr_attributes.yaml'), 'extension_requests:\n  pp_role: web\n')
    const running = begunOnNode(run, ['--waitforcert', '1'])
    let said = ''
    running.all.on('data', (data) => (said += data))
    // Signed before it has asked once, it would not wait.
    await expect.poll(() => said).toContain("Couldn't fetch certificate from CA server")
    expect(String((await ca('list')).stdout)).toContain(certname)
    expect((await ca('sign', '--certname', certname)).exitCode).toBe(0)
    const { exitCode, all } = await running
    expect(exitCode, all).toBe(2)
    expect(readFileSync(join(folder, 'root/etc/role'), 'utf8')).toBe('web')
  })

  it('goes on with its last catalog while the server is away, and says why', async () => {
    const away = await agent('--serverport', '1', '--usecacheonfailure')
    expect(away.out).toContain("Using cached catalog from environment 'production'")
    expect(away.err).toContain('Failed to open TCP connection to localhost:1 (Connection refused')
    expect(away.err).toContain('Could not send report: ')
    expect(away.status).toBe(0)
    const none = await agent('--serverport', '1')
    expect(none.err).toContain('Not using cache on failed catalog')
    expect(none.err).toContain('Could not retrieve catalog; skipping run')
    expect(none.status).toBe(1)
  })

  it('finds its catalog without a run, and keeps it for the next', async () => {
    rmSync(join(folder, 'var/client_data'), { recursive: true })
    expect(await onNode(['catalog', 'find', '--terminus', 'json'])).toMatchObject({
      status: 1,
      err: expect.stringContaining(`Could not find catalog for ${certname}`),
    })
    expect(JSON.parse((await onNode(['catalog', 'find'])).out)).toMatchObject({
      name: certname,
      code_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect((await onNode(['catalog', 'download'])).out).toContain(`Saved catalog for ${certname} to `)
    expect(readFileSync(join(folder, 'var/state/classes.txt'), 'utf8')).toContain('settings\n')
    const kept = await onNode(['catalog', 'select', certname, 'FILE', '--terminus', 'json'])
    expect([kept.status, kept.out]).toEqual([0, 'File[/etc]\nFile[/etc/role]'])
    expect((await agent('--serverport', '1', '--use_cached_catalog')).out).toContain('Using cached catalog')
    const other = await onNode(['catalog', 'find', 'other.example.test'])
    expect([other.status, other.err]).toEqual([1, expect.stringMatching(/Forbidden|not allowed|403/i)])
  })

  it('is told that its certificate is revoked, by the server, and by its own list when that is new', async () => {
    expect((await ca('revoke', '--certname', certname)).exitCode).toBe(0)
    const refused = await agent()
    expect(refused.status).toBe(1)
    expect(refused.err).toMatch(/revoked/)
    const list = join(folder, 'etc/ssl/crl.pem')
    utimesSync(list, 0, 0)
    const knowing = await agent()
    expect(knowing.err).toContain(`Certificate 'CN=${certname}' is revoked`)
    expect(knowing.status).toBe(1)
  })
})
