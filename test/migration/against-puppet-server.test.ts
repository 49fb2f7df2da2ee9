import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { startPuppetServer } from '../../bench/server/puppet-server.js'
import { without } from '../support/needs.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** It takes minutes: each night. */
const notNow =
  without('Puppet Server 7.9.5') ||
  without('real Puppet 7.23') ||
  (process.env['CI_NIGHTLY'] === '1' ? '' : ' (left out but with CI_NIGHTLY=1: it takes minutes)')

const certname = 'real.example.test'

describe.skipIf(notNow)(`a real Puppet Server, moved here${notNow}`, () => {
  const folder = scratchFolder('real-migration')
  const home = join(folder, 'puppetserver')
  const ours = join(folder, 'ours')
  const target = join(folder, 'target')
  const node = join(folder, 'node')
  const port = freePort()
  let theirs: Awaited<ReturnType<typeof startPuppetServer>> | undefined
  let server: RunningServer | undefined

  const manifest = (text: string) => `file { '${target}': content => '${text}' }\n`

  beforeAll(async () => {
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    put('code/environments/production/manifests/site.pp', manifest('theirs'))
    put('ours/etc/puppet.conf', '# as it was\n')
    const given = { codedir: join(folder, 'code'), port: await port, instances: 1, deployer: 'nobody.test' }
    theirs = await startPuppetServer(folder, { ...given, flush: () => undefined })
  }, 1_200_000)
  afterAll(async () => {
    await theirs?.stop()
    await server?.stop()
  })

  async function agent() {
    const places = ['--confdir', join(node, 'etc'), '--vardir', join(node, 'var'), '--ssldir', join(node, 'ssl')]
    const own = ['--rundir', join(node, 'run'), '--logdir', join(node, 'log'), '--publicdir', join(node, 'public')]
    const who = ['--certname', certname, '--server', 'localhost', '--serverport', String(await port)]
    const words = ['agent', '--test', '--color', 'false', '--keylength', '2048', '--waitforcert', '0']
    const { exitCode, all } = await execa('puppet', [...words, ...places, ...own, ...who], { reject: false, all: true })
    return { status: exitCode, said: all }
  }

  const migrate = (...words: string[]) =>
    runHere([
      'migrate',
      'puppetserver',
      '--confdir',
      join(ours, 'etc'),
      '--vardir',
      join(ours, 'var'),
      '--conf-d',
      join(home, 'conf.d'),
      '--r10k',
      'none',
      ...words,
    ])

  const certificate = () => readFileSync(join(node, `ssl/certs/${certname}.pem`), 'utf8')

  it('enrolled a real agent', async () => {
    const { status, said } = await agent()
    expect(status, said).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('theirs')
  }, 300_000)

  it('is refused while it runs', async () => {
    const { status, err } = await migrate('--apply')
    expect([status, readdirSync(ours, { recursive: true })]).toEqual([1, ['etc', 'etc/puppet.conf']])
    expect(err).toContain(`A Puppet Server runs on these folders: the process ${theirs?.pid}`)
  })

  it('is moved, and the agent goes on with its certificate', async () => {
    await theirs?.stop()
    theirs = undefined
    const before = [stateOf(home), stateOf(join(folder, 'code')), stateOf(ours)]
    const own = certificate()
    expect(await migrate('--apply')).toMatchObject({ status: 0, err: '' })
    expect([stateOf(home), stateOf(join(folder, 'code'))]).toEqual(before.slice(0, 2))
    expect(
      JSON.parse(readFileSync(join(ours, `var/server_data/facts/${certname}.json`), 'utf8')).values,
    ).toHaveProperty('os')

    const repository = join(ours, 'var/code.git')
    server = await startServer({ repository, folder: ours, settings: { serverport: String(await port) } })
    const same = await agent()
    expect(same.status, same.said).toBe(0)
    push(repository, manifest('ours'))
    await runHere(['code', 'deploy', ...server.places])
    const { status, said } = await agent()
    expect(status, said).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('ours')
    expect(certificate()).toBe(own)
    // The server shows the certificate that the Puppet Server had.
    const shown = (at: string) => createHash('sha256').update(readFileSync(at)).digest('hex')
    expect(shown(join(ours, 'etc/ssl/certs/localhost.pem'))).toBe(shown(join(home, 'etc/ssl/certs/localhost.pem')))
    await server.stop()
    server = undefined

    const undone = await migrate('--undo')
    expect(undone.status, undone.err).toBe(0)
    expect(readFileSync(join(ours, 'etc/puppet.conf'), 'utf8')).toBe('# as it was\n')
    expect(existsSync(join(ours, 'etc/ca'))).toBe(false)
    expect([stateOf(home), stateOf(join(folder, 'code'))]).toEqual(before.slice(0, 2))
  }, 300_000)
})

function push(repository: string, text: string): void {
  const git = (words: readonly string[], input = '') =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '--git-dir', repository, ...words], {
      input,
      encoding: 'utf8',
    }).trim()
  const blob = git(['hash-object', '-w', '--stdin'], text)
  const folder = git(['mktree'], `100644 blob ${blob}\tsite.pp\n`)
  const tree = git(['mktree'], `040000 tree ${folder}\tmanifests\n`)
  git(['update-ref', 'refs/heads/production', git(['commit-tree', tree, '-p', 'production', '-m', 'ours'])])
}

/** All that is to be seen of a folder. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = lstatSync(join(folder, name))
      const digest = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : ''
      return `${name} ${stat.mode.toString(8)} ${stat.uid}:${stat.gid} ${stat.mtimeMs} ${digest}`
    })
}
