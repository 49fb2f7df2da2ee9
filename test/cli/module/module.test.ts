import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileTexts } from '../../support/file-texts.ts'
import { recordedRuns } from '../../support/puppet-runs.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** Two folders of modules: needs that are met, missing, of another version, of none that counts; a hidden and a bare one. */
function modules() {
  const root = scratchFolder('modules')
  const made = (path: string, metadata?: object | string) => {
    mkdirSync(join(root, path), { recursive: true })
    if (metadata === undefined) return
    const text =
      typeof metadata === 'string' ? metadata : JSON.stringify({ license: 'x', source: 'x', author: 'x', ...metadata })
    writeFileSync(join(root, path, 'metadata.json'), text)
  }
  const needs = (name: string, range?: string) => ({ name, ...(range && { version_requirement: range }) })
  made('a/web', {
    name: 'acme-web',
    version: '1.2.3',
    dependencies: [needs('acme/lib', '>= 2.0.0 < 3.0.0'), needs('acme-gone', '1.x')],
  })
  made('a/lib', { name: 'acme-lib', version: '3.0.0', dependencies: [needs('acme/base')] })
  made('a/shop', {
    name: 'acme-shop',
    version: '0.1.0',
    dependencies: [needs('acme-web'), needs('acme-odd', '>= 1.0.0')],
  })
  made('a/odd', { name: 'acme-odd', version: 'one', dependencies: [] })
  made('a/bare')
  made('b/base', { name: 'other-base', version: '1.0.0', dependencies: [] })
  made('b/web', { name: 'acme-web', version: '0.9.0', dependencies: [] })
  made('c')
  return { root, modulepath: ['a', 'b', 'c'].map((folder) => join(root, folder)).join(':') }
}

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

describe('plumb module list', () => {
  it('shows folders, modules, versions and what is not met, as data', async () => {
    const { modulepath, root } = modules()
    const { status, out } = await runHere(['module', 'list', '--modulepath', modulepath, '--render-as', 'json'])
    const listed = JSON.parse(out) as { path: string; modules: { name: string; version: string; unmet: object[] }[] }[]
    expect(status).toBe(0)
    expect(listed.map(({ path, modules: found }) => [path, found.map(({ name }) => name)])).toEqual([
      [join(root, 'a'), ['bare', 'acme-lib', 'acme-odd', 'acme-shop', 'acme-web']],
      [join(root, 'b'), ['other-base', 'acme-web']],
      [join(root, 'c'), []],
    ])
    expect(listed[0]!.modules[4]).toMatchObject({
      version: '1.2.3',
      unmet: [
        { name: 'acme-lib', reason: 'version_mismatch', installed: '3.0.0' },
        { name: 'acme-gone', reason: 'missing', installed: null },
      ],
    })
  })

  it('lists the modules of a commit', async () => {
    const { root } = modules()
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: join(root, 'repo') })
    mkdirSync(join(root, 'repo', 'modules', 'ntp'), { recursive: true })
    writeFileSync(join(root, 'repo', 'modules', 'ntp', 'metadata.json'), '{"name":"acme-ntp","version":"4.0.0"}')
    git('init', '-q', '-b', 'production')
    git('add', '-A')
    git('commit', '-qm', 'x')
    const commit = String(git('rev-parse', '--short=7', 'HEAD')).trim()
    const words = ['module', 'list', '--repo', join(root, 'repo'), '--at', 'production']
    const { out } = await runHere(words)
    expect(out).toMatch(new RegExp(`^production@${commit}:modules\\n.*acme-ntp \\(v4.0.0\\)\n`))
    const [folder] = JSON.parse((await runHere([...words, '--render-as', 'json'])).out)
    expect(folder.path).toBe(`production@${commit}:modules`)
    expect(folder.modules[0].path).toBe(`production@${commit}:modules/ntp`)
  })

  describe('beside real Puppet', () => {
    it.each([['a list'], ['a tree', '--tree']])('prints %s alike, and warns alike', async (kind, ...words) => {
      const { root, modulepath } = modules()
      const command = ['module', 'list', '--color=false', '--modulepath', modulepath, ...words]
      const plain = (text: string) => text.replaceAll(colours, '')
      const real = recordedRuns(puppet, { [kind]: command }, fileTexts(root), plain)[kind]!
      const ours = await runHere(['module', 'list', '--modulepath', modulepath, ...words])
      expect(ours.out.split('\n')).toEqual(real.stdout.split('\n'))
      expect(ours.err.split('\n')).toEqual(real.stderr.split('\n'))
    })
  })
})
