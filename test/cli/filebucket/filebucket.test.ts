import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
import { hasPuppet, withoutPuppet } from '../../support/real-puppet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('filebucket')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
const bucket = (...words: string[]) => runHere(['filebucket', ...words, ...places])
const local = (action: string, ...words: string[]) => bucket(action, '--local', ...words)

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function kept(name: string, content: string): Promise<string> {
  const path = fileOf(name, content)
  const { out } = await local('backup', path)
  return out.replace(`${path}: `, '').trim()
}

describe('plumb filebucket', () => {
  it('keeps files, and gives them back', async () => {
    const path = fileOf('a', 'old\n')
    const { status, out, err } = await local('backup', path, '/nonexistent')
    const sum = 'a0ebb4ec75fb63c3e96ccbd81c5e6bc2d5e0b7f27ea9eb3a34c0b7ea6fdb2b4e'
    expect([status, err]).toEqual([0, '/nonexistent: no such file\n'])
    const [, given = ''] = /^.*: ([0-9a-f]{64})\n$/.exec(out) ?? []
    expect(given).toHaveLength(sum.length)
    expect((await local('get', given)).out).toBe('old\n')
    writeFileSync(path, 'new\n', { mode: 0o640 })
    const mode = statSync(path).mode
    expect(await local('restore', path, given)).toEqual({ status: 0, out: '', err: '' })
    expect([readFileSync(path, 'utf8'), statSync(path).mode]).toEqual(['old\n', mode])
    await local('restore', join(folder, 'not-there-before'), given)
    expect(readFileSync(join(folder, 'not-there-before'), 'utf8')).toBe('old\n')
  })

  it('compares what is kept and what is there', async () => {
    const [a, b] = [await kept('one', 'x\ny\n'), await kept('two', 'x\nz\n')]
    for (const words of [
      [a, b],
      [a, join(folder, 'two')],
      [join(folder, 'one'), b],
      [join(folder, 'one'), join(folder, 'two')],
    ]) {
      const { status, out } = await local('diff', ...words)
      expect([status, out]).toEqual([0, expect.stringMatching(/@@ -1,2 \+1,2 @@\n x\n-y\n\+z\n$/)])
    }
  })

  it.each([
    [['get', '--local', 'f'.repeat(64)], 'Could not run: File not found'],
    [['list'], 'Could not run: Listing remote file buckets is not allowed\n  The one of this machine'],
    [['list', '--local', '--fromdate', 'soon'], "Could not run: Error while parsing 'fromdate'"],
    [['backup', '--local'], 'Could not run: You must specify a file to back up'],
  ])('refuses %j', async (words, why) => {
    const { status, err } = await bucket(...words)
    expect([status, err]).toEqual([1, expect.stringContaining(`Error: ${why}`)])
  })

  it('lists by path and time, between two dates', async () => {
    const sum = await kept('dated', 'dated')
    const paths = join(folder, 'var/clientbucket', ...sum.slice(0, 8), sum, 'paths')
    utimesSync(paths, 0, new Date('2026-03-04T05:06:07').getTime() / 1000)
    const line = `${sum} 2026-03-04 05:06:07 ${join(folder, 'dated')}\n`
    const within = ['--fromdate', '2026-03-04', '--todate', '2026-03-05']
    expect((await local('list', ...within)).out).toBe(line)
    expect((await local('list', '--fromdate', '2026-03-04 05:06:08')).out).not.toContain(line)
    expect((await local('list')).out).toContain(line)
  })

  it('lists nothing that a terminal would take for more than text, and no file without a path', async () => {
    const odd = join(folder, 'odd')
    for (const [name, paths] of [
      ['a', '/tmp/\u001b[2J\n/tmp/\u202e\n'],
      ['b', ''],
    ] as const) {
      mkdirSync(join(odd, name), { recursive: true })
      writeFileSync(join(odd, name, 'paths'), paths)
    }
    const { status, out } = await bucket('list', '--bucket', odd)
    expect([status, out.split('\n').length]).toEqual([0, 3])
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })

  it.skipIf(!hasPuppet)(`has the bucket that real Puppet has${withoutPuppet}`, async () => {
    const theirs = join(folder, 'theirs')
    mkdirSync(theirs)
    const path = fileOf('shared', 'shared')
    const real = (...words: string[]) => {
      const own = ['--confdir', theirs, '--vardir', theirs, '--basemodulepath', '/nonexistent', '--color=false']
      return String(spawnSync('puppet', ['filebucket', '--bucket', join(theirs, 'bucket'), ...words, ...own]).stdout)
    }
    const said = real('backup', path)
    const ours = ['--bucket', join(theirs, 'bucket')]
    expect((await bucket('backup', ...ours, path)).out).toBe(said)
    await bucket('backup', ...ours, fileOf('another', 'of ours'))
    expect((await bucket('list', ...ours)).out).toBe(real('list'))
  })
})

describe('plumb filebucket and plugin, with a server', () => {
  let server: RunningServer | undefined
  afterAll(() => server?.stop())
  let asking: readonly string[] = []

  beforeAll(async () => {
    const repository = join(folder, 'control')
    mkdirSync(join(repository, 'modules/faces/lib/facter'), { recursive: true })
    writeFileSync(join(repository, 'modules/faces/lib/facter/x.rb'), 'Facter.add(:x) { setcode { 1 } }')
    const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words], { stdio: 'ignore' })
    git('init', '-b', 'production')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'x')
    server = await startServer({ repository, settings: { autosign: 'true' } })
    const node = join(folder, 'node')
    const names = ['--server', 'localhost', '--serverport', String(server.port), '--certname', 'a.test']
    asking = ['--confdir', join(node, 'etc'), '--vardir', join(node, 'var'), ...names, '--key_type', 'ec']
    await plumb(['ssl', 'bootstrap', ...asking])
  })

  it('keeps files on the server', async () => {
    const path = fileOf('remote', new Uint8Array([0, 255, 10]))
    const said = await plumb(['filebucket', 'backup', path, ...asking])
    const [, sum = ''] = /: ([0-9a-f]{64})$/.exec(String(said.stdout)) ?? []
    expect([said.exitCode, said.stderr, sum.length]).toEqual([0, '', 64])
    writeFileSync(path, 'other')
    expect((await plumb(['filebucket', 'restore', path, sum, ...asking])).exitCode).toBe(0)
    expect([...readFileSync(path)]).toEqual([0, 255, 10])
    const { exitCode, stderr } = await plumb(['filebucket', 'get', 'f'.repeat(64), ...asking])
    expect([exitCode, stderr]).toEqual([1, 'Error: Could not run: File not found'])
  })

  it('fetches plug-ins, and names them', async () => {
    const path = join(folder, 'node/var/lib/facter/x.rb')
    const said = await plumb(['plugin', 'download', ...asking])
    expect([said.exitCode, said.stdout]).toEqual([0, expect.stringContaining(path)])
    expect(said.stdout).toMatch(/^Downloaded these plugins: /m)
    const again = await plumb(['plugin', 'download', ...asking])
    expect([again.exitCode, again.stdout]).toEqual([0, 'No plugins downloaded.'])
    expect((await plumb(['plugin', 'download', '--render-as', 'json', ...asking])).stdout).toBe('[]')
  })
})
