import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { plumbHere as plumb } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

describe('plumb node', () => {
  const folder = scratchFolder('node')
  const [confdir, vardir] = [join(folder, 'etc'), join(folder, 'var')]
  const places = ['--confdir', confdir, '--vardir', vardir]
  const kept = (path: string) => join(vardir, path)
  const run = (...words: string[]) => plumb([...words, ...places])

  beforeAll(() => {
    for (const name of ['web1.test', 'web2.test'])
      for (const path of ['server_data/facts/%.json', 'server_data/exports/%.json', 'reports/%/1.json']) {
        const file = kept(path.replace('%', name))
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, '{}')
      }
  })

  it('deactivate: forgets what a node exports, and nothing else', async () => {
    const { stdout, exitCode } = await run('node', 'deactivate', 'WEB1.test')
    expect([exitCode, stdout]).toEqual([0, 'web1.test: exported resources removed'])
    expect(existsSync(kept('server_data/exports/web1.test.json'))).toBe(false)
    expect(existsSync(kept('server_data/exports/web2.test.json'))).toBe(true)
    expect(existsSync(kept('server_data/facts/web1.test.json'))).toBe(true)
  })

  it('clean: removes all but that', async () => {
    await run('ca', 'setup', '--keylength', '2048')
    await run('ca', 'generate', '--certname', 'web2.test', '--keylength', '2048')
    const { stdout, exitCode } = await run('node', 'clean', 'web2.test', 'none.test')
    expect([exitCode, stdout]).toEqual([
      0,
      'web2.test: certificate, facts, reports removed\nnone.test: nothing to remove',
    ])
    const left = ['exports', 'facts'].filter((name) => existsSync(kept(`server_data/${name}/web2.test.json`)))
    expect(left).toEqual(['exports'])
    expect(existsSync(kept('reports/web2.test'))).toBe(false)
    expect(existsSync(kept('server_data/facts/web1.test.json'))).toBe(true)
    const { stdout: listed } = await run('ca', 'list', '--all')
    expect(listed).not.toContain('web2.test')
  })

  it.each([[], ['../facts/web1.test'], ['a/b']])('takes names only: %j', async (...names) => {
    const { exitCode, stderr } = await run('node', 'clean', ...names)
    expect(exitCode).not.toBe(0)
    expect(stderr).not.toBe('')
    expect(existsSync(kept('server_data/facts/web1.test.json'))).toBe(true)
  })
})
