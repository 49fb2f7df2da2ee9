import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { gitIdentity, writeFiles } from '../../support/control-repository.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const root = join(import.meta.dirname, '../../..')
const manifest = 'manifests/init.pp'
const good = "# web\nclass web {\n  notify { 'a': }\n}\n"
const quoted = '# web\nclass web {\n  notify { "a": }\n}\n'
const trailing = "# web\nclass web { \n  notify { 'a': }\n}\n"

let work: string
let env: NodeJS.ProcessEnv
const git = (...words: readonly string[]) => execa('git', words, { cwd: work, env, reject: false })
beforeEach(async () => {
  const folder = scratchFolder('pre-commit')
  const bin = join(folder, 'bin')
  work = join(folder, 'web')
  mkdirSync(work)
  writeFiles(bin, { plumb: { script: `#!/bin/sh\nexec '${process.execPath}' '${plumbMain}' "$@"\n` } })
  env = { ...gitIdentity, HOME: folder, PATH: `${bin}:${process.env['PATH']}` }
  await git('init', '-q')
  const [, script] = /## Git hook[\s\S]*?```sh\n([\s\S]*?)```/.exec(
    readFileSync(join(root, 'docs/formatting.md'), 'utf8'),
  )!
  const hook = join(work, '.git/hooks/pre-commit')
  mkdirSync(join(hook, '..'), { recursive: true })
  writeFileSync(hook, script!)
  chmodSync(hook, 0o755)
})

async function commit(staged: string, after: string = staged, rc = '') {
  writeFiles(work, { [manifest]: staged, 'README.md': '', ...(rc !== '' && { '.puppet-lint.rc': rc }) })
  await git('add', '--all')
  writeFiles(work, { [manifest]: after })
  const { exitCode, stdout, stderr } = await git('commit', '-m', 'A change')
  return { exitCode, said: stdout + stderr }
}

describe('the Git hook of docs/formatting.md', () => {
  it.each([
    ['accepts formatted manifests', good, good, 0, ''],
    ['rejects other ones, and prints the changes', quoted, quoted, 1, "+  notify { 'a': }"],
    ['reads the staged file, which is bad', trailing, good, 1, '-class web { '],
    ['reads the staged file, which is good', good, trailing, 0, ''],
  ])('%s', async (_, staged, after, status, text) => {
    const { exitCode, said } = await commit(staged, after)
    expect(said).toContain(text)
    expect(exitCode).toBe(status)
  })

  it('uses the options of the linter in the commit', async () => {
    const long = `# ${'web'.repeat(50)}\nclass web {}\n`
    expect(await commit(long, long, '--fail-on-warnings\n')).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining('(check: 140chars)'),
    })
  })

  it('accepts a commit without manifests', async () => {
    writeFiles(work, { 'README.md': '' })
    await git('add', '--all')
    expect((await git('commit', '-m', 'A text')).exitCode).toBe(0)
  })
})

describe('.pre-commit-hooks.yaml', () => {
  it('names commands that accept manifests', async () => {
    const hooks = parseDocument(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')).toJS()
    expect(hooks.map(({ id, language }: { id: string; language: string }) => [id, language])).toEqual([
      ['plumb-format', 'system'],
      ['plumb-lint', 'system'],
    ])
    writeFiles(work, { [manifest]: good })
    for (const { entry, files, exclude } of hooks) {
      expect([new RegExp(files).test(manifest), new RegExp(exclude).test(manifest)]).toEqual([true, false])
      expect((await execa('sh', ['-c', `${entry} ${manifest}`], { cwd: work, env, reject: false })).exitCode).toBe(0)
    }
  })
})
