import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
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
