import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { hasFaketime, otherClock } from '../support/other-clock.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

let repository: ControlRepository

beforeAll(() => {
  repository = controlRepository({
    'manifests/site.pp': `
node default {
  include demo
  notify { "\${trusted['certname']} \${facts['os']['name']}": tag => ['zebra', 'apfel'] }
}
`,
    'modules/demo/manifests/init.pp': `class demo(String $owner = 'root') {
  file { '/srv/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
  file { '/srv/a': source => 'puppet:///modules/demo/a.txt', owner => $owner }
}
`,
    'modules/demo/files/a.txt': 'a\n',
    'modules/demo/files/tree/z.txt': 'z\n',
    'modules/demo/files/tree/Ä/y.txt': 'y\n',
    'modules/demo/files/tree/b.txt': 'b\n',
  })
})

/** A catalog request of the server's own name, with the server's own certificate. */
function catalogOf(server: RunningServer): Promise<{ status: number; body: Buffer }> {
  const file = (path: string) => readFileSync(join(server.confdir, 'ssl', path))
  const tls = { ca: file('certs/ca.pem'), cert: file('certs/localhost.pem'), key: file('private_keys/localhost.pem') }
  const facts = encodeURIComponent(JSON.stringify({ name: 'localhost', values: { os: { name: 'Debian' } } }))
  const form = {
    environment: 'production',
    facts_format: 'application/json',
    facts,
    static_catalog: 'true',
    checksum_type: 'sha256',
  }
  const headers = { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' }
  const path = '/puppet/v3/catalog/localhost?environment=production'
  return new Promise((done, failed) => {
    const asked = request({ method: 'POST', host: 'localhost', port: server.port, path, headers, ...tls }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => done({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    asked.on('error', failed)
    asked.end(new URLSearchParams(form).toString())
  })
}

/** A git that does something else first, by the case of its words; first in a PATH. */
function gitThat(does: string) {
  const folder = scratchFolder('git')
  const program = join(folder, 'git')
  const script = `#!/bin/sh\ncase "$*" in ${does} esac\nPATH="\${PATH#*:}" exec git "$@"\n`
  writeFileSync(program, script, { mode: 0o755 })
  return { program, path: `${folder}:${process.env.PATH}` }
}

describe('plumb server', () => {
  it('creates the directory of the environment production, as Puppet Server does', async () => {
    const folder = scratchFolder('production')
    mkdirSync(join(folder, 'etc/code/environments'), { recursive: true })
    const server = await startServer({ folder })
    expect(readdirSync(join(folder, 'etc/code/environments'))).toEqual(['production'])
    const { status, body } = await catalogOf(server)
    expect([status, JSON.parse(body.toString()).environment]).toEqual([200, 'production'])
    await server.stop()
  })

  it('gives the same bytes wherever, whenever and in whatever language it runs', async () => {
    const one = await startServer({ repository: repository.bare, env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' } })
    const first = await catalogOf(one)
    await one.stop()
    const two = await startServer({
      repository: repository.bare,
      env: {
        TZ: 'Pacific/Auckland',
        LANG: 'de_DE.UTF-8',
        LC_ALL: 'de_DE.UTF-8',
        ...(hasFaketime && otherClock('+5h')),
      },
    })
    const second = await catalogOf(two)
    await two.stop()
    expect([first.status, second.status]).toEqual([200, 200])
    expect(JSON.parse(first.body.toString()).code_id).toBe(repository.git('rev-parse', 'HEAD'))
    expect(second.body.toString()).toBe(first.body.toString())
  })

  it('says in one line what it serves, and ends with 0 when it is told to', async () => {
    const server = await startServer({ repository: repository.bare })
    expect(server.output()).toContain(
      `serving 1 environment from ${repository.bare} on https://localhost:${server.port}\n`,
    )
    expect(server.output()).toContain(`Creating a certificate authority in ${server.confdir}/ca\n`)
    expect(await server.stop()).toBe(0)
  })

  it('does not start with a log file that it cannot open, and says why', async () => {
    const folder = scratchFolder('logdest')
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
    const { exitCode, stderr } = await plumb(['server', ...places, '--serverport', '0', '--logdest', folder])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`Could not set logdest to ${folder}.`)
    expect(stderr).not.toContain('    at ')
  })

  it('serves on when the disk of its log is full', async () => {
    const server = await startServer({ repository: repository.bare, settings: { logdest: '/dev/full' } })
    expect((await catalogOf(server)).status).toBe(200)
    await expect.poll(() => server.output()).toContain('The log cannot be written: ENOSPC')
    expect((await catalogOf(server)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('ends with 0 when it is told to while git works for it', async () => {
    const slow = gitThat('*for-each-ref*) while test -e "$0.slow"; do touch "$0.asked"; sleep 0.1; done ;;')
    const server = await startServer({ repository: repository.bare, env: { PATH: slow.path } })
    writeFileSync(`${slow.program}.slow`, '')
    // Git is asked again when the files of its refs are others.
    repository.git('--git-dir', repository.bare, 'pack-refs', '--all')
    await expect.poll(() => existsSync(`${slow.program}.asked`)).toBe(true)
    const ended = server.stop()
    rmSync(`${slow.program}.slow`)
    expect(await ended).toBe(0)
  })

  it('starts although it is told to read all again before it has', async () => {
    const telling = gitThat('*for-each-ref*) kill -HUP $PPID ;;')
    const server = await startServer({ repository: repository.bare, env: { PATH: telling.path } })
    expect(await server.stop()).toBe(0)
  })

  it('reads auth.conf again when it is told to, and keeps the old one when the new is broken', async () => {
    const server = await startServer({ repository: repository.bare })
    const conf = join(server.confdir, 'auth.conf')
    const reload = async (text: string, until: string) => {
      writeFileSync(conf, text)
      const before = server.output().length
      server.process.kill('SIGHUP')
      await expect.poll(() => server.output().slice(before)).toContain(until)
    }
    const status = async () => (await catalogOf(server)).status
    expect(await status()).toBe(200)
    await reload('authorization { version: 1, rules: [] }', 'reloaded')
    expect(await status()).toBe(403)
    await reload('authorization {', 'could not reload')
    expect(await status()).toBe(403)
    await server.stop()
  })

  it('says what is wrong when it cannot start', async () => {
    const words = [
      'server',
      '--repo',
      '/nonexistent/code.git',
      '--confdir',
      '/nonexistent/etc',
      '--vardir',
      '/nonexistent/var',
    ]
    const { exitCode, stderr } = await plumb([...words, '--certname', 'localhost', '--cadir', '/nonexistent/ca'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Error: ')
  })

  it.each<[why: string, bindaddress: string, ...says: string[]]>([
    ['another program already listens there', '127.0.0.1', "Run 'ss -ltnp sport = :PORT' as root", 'change serverport'],
    ['this machine has no such address', '192.0.2.1', 'bindaddress is 192.0.2.1'],
  ])('names address and port where %s', async (why, bindaddress, ...says) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const started = startServer({ repository: repository.bare, settings: { bindaddress, serverport: String(port) } })
    const { message } = await started.then(
      () => new Error('it has started'),
      (error: Error) => error,
    )
    expect(message).toContain('plumb server ended with 1')
    expect(message).toContain(`Error: Could not listen on ${bindaddress}:${port}: ${why}\n`)
    for (const each of says) expect(message).toContain(each.replace('PORT', String(port)))
    expect(message).not.toMatch(/EADDR|listen E/)
    other.close()
  })

  it('says that a repository is empty, at its start and to who asks, and serves the first push', async () => {
    const empty = join(scratchFolder('empty'), 'code.git')
    repository.git('init', '--quiet', '--bare', empty)
    const server = await startServer({ repository: empty })
    const said = `Warning: No environment is served: the Git repository ${empty} has no branches yet\n  Push one: 'git push ${empty} HEAD:production'`
    await expect.poll(() => server.output()).toContain(said)
    for (const word of ['status', 'deploy'])
      expect(await plumb(['code', word, ...server.places])).toMatchObject({
        exitCode: 0,
        stdout: '',
        stderr: expect.stringContaining(said),
      })
    expect((await plumb(['code', 'check', '--repo', empty])).stderr).toContain(
      `'HEAD' is not a commit of the Git repository ${empty}\n  The repository has no branches.`,
    )
    repository.git('push', '--quiet', empty, 'HEAD:production')
    expect((await plumb(['code', 'deploy', ...server.places])).stdout).toMatch(/^production: [0-9a-f]{40} since/)
    await server.stop()
  })

  it('says to who asks that its repository cannot be read any more, and what it serves meanwhile', async () => {
    const copy = join(scratchFolder('gone'), 'code.git')
    repository.git('clone', '--quiet', '--bare', repository.bare, copy)
    const server = await startServer({ repository: copy })
    renameSync(copy, `${copy}.away`)
    const status = () => plumb(['code', 'status', ...server.places])
    await expect.poll(async () => (await status()).exitCode, { interval: 500 }).toBe(1)
    const { stdout, stderr } = await status()
    expect(stdout).toMatch(/^production: [0-9a-f]{40} since/)
    expect(stderr).toContain(`Error: Could not read the refs of ${copy}: `)
    await server.stop()
  })
})
