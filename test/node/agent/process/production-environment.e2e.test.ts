import { execFileSync } from 'node:child_process'
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { runHere } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const isRoot = process.getuid?.() === 0

/** A machine's folders, and the words that name them. */
function machine() {
  const folder = scratchFolder('production')
  const at = (path: string) => join(folder, path)
  for (const each of ['conf', 'var', 'code']) mkdirSync(at(each))
  const places = (name: string) => [`--${name}`, at(name.replace('dir', ''))]
  return { at, words: [...['confdir', 'vardir', 'codedir'].flatMap(places), '--certname', 'node'] }
}

type At = (path: string) => string

const environments = (at: At) => mkdirSync(at('code/environments'))
const created = (at: At) => `Notice: /File[${at('code/environments/production')}]/ensure: created\n`

/** What each state of the code folder becomes, as Puppet 7.23 leaves it: the kind and mode of environments/production. */
const states: readonly (readonly [
  state: string,
  prepare: (at: At) => void,
  options: (at: At) => string[],
  kind: string,
])[] = [
  ['an empty folder', environments, () => [], 'directory 750'],
  ['an empty folder, under noop', environments, () => ['--noop'], 'directory 750'],
  ['no folder', () => {}, () => [], 'none'],
  [
    'an existing production',
    (at) => mkdirSync(at('code/environments/production'), { recursive: true, mode: 0o711 }),
    () => [],
    'directory 711',
  ],
  [
    'a dangling link',
    (at) => {
      environments(at)
      symlinkSync('/nonexistent', at('code/environments/production'))
    },
    () => [],
    'link 777',
  ],
  [
    'a link to an empty folder',
    (at) => {
      mkdirSync(at('elsewhere'))
      symlinkSync(at('elsewhere'), at('code/environments'))
    },
    () => [],
    'directory 750',
  ],
  [
    'production on another folder of the path',
    (at) => {
      environments(at)
      mkdirSync(at('code/b/production'), { recursive: true })
    },
    (at) => ['--environmentpath', `${at('code/environments')}:${at('code/b')}`],
    'none',
  ],
  [
    'a missing first folder of the path',
    (at) => mkdirSync(at('code/b')),
    (at) => ['--environmentpath', `${at('code/environments')}:${at('code/b')}`],
    'none',
  ],
]

function kindOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return 'none'
  return `${stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'directory' : 'file'} ${(stat.mode & 0o777).toString(8)}`
}

describe('the directory of the environment production', () => {
  it.each(states)('with %s, after plumb apply', async (_, prepare, options, kind) => {
    const { at, words } = machine()
    prepare(at)
    const { status, out } = await runHere(['apply', '-e', 'notice(1)', ...words, ...options(at)])
    expect([status, kindOf(at('code/environments/production'))]).toEqual([0, kind])
    expect(out.startsWith(created(at))).toBe(kind === 'directory 750')
  })

  it.each(states)('with %s, after puppet apply', (state, prepare, options, kind) => {
    const { at, words } = machine()
    prepare(at)
    const before = (readdirSync(at(''), { recursive: true }) as string[]).sort().map((path) => [path, kindOf(at(path))])
    const all = ['apply', '-e', 'notice(1)', ...words, ...options(at)]
    const left = puppet.one(state, { before, all: all.map((word) => word.replaceAll(at(''), '')) }, () => {
      execFileSync('puppet', all, { stdio: 'ignore' })
      return kindOf(at('code/environments/production'))
    })
    expect(left).toBe(kind)
  })

  it('is created by an agent that reaches no server', async () => {
    const { at, words } = machine()
    environments(at)
    const server = ['--server', 'localhost', '--serverport', '1', '--waitforcert', '0', '--keylength', '2048']
    const { status, out } = await runHere(['agent', '--test', '--noop', ...server, ...words])
    expect([status, kindOf(at('code/environments/production'))]).toEqual([1, 'directory 750'])
    expect(out.startsWith(created(at))).toBe(true)
  })

  it('is not created for another environment, which must exist', async () => {
    const { at, words } = machine()
    environments(at)
    const { status, err } = await runHere(['apply', '-e', 'notice(1)', '--environment', 'nosuch', ...words])
    expect([status, kindOf(at('code/environments/production'))]).toEqual([1, 'none'])
    expect(err).toContain(
      `Error: Could not find a directory environment named 'nosuch' anywhere in the path: ${at('code/environments')}`,
    )
  })

  it('does not replace a file of that name', async () => {
    const { at, words } = machine()
    environments(at)
    writeFileSync(at('code/environments/production'), 'mine')
    expect(await runHere(['apply', '-e', 'notice(1)', ...words])).toMatchObject({ status: 0 })
    expect(readFileSync(at('code/environments/production'), 'utf8')).toBe('mine')
  })

  it.skipIf(!isRoot)('belongs to the user and group of the settings that exist (needs root)', async () => {
    const { at, words } = machine()
    environments(at)
    await runHere(['apply', '-e', 'notice(1)', '--user', 'nosuch', '--group', 'daemon', ...words])
    const { uid, gid } = lstatSync(at('code/environments/production'))
    const daemon = Number(execFileSync('getent', ['group', 'daemon'], { encoding: 'utf8' }).split(':')[2])
    expect([uid, gid]).toEqual([0, daemon])
  })

  it.skipIf(!isRoot)("fails the run in Puppet's words where this user may not create it (needs root)", async () => {
    const { at, words } = machine()
    environments(at)
    for (const each of ['', 'conf', 'var', 'code']) chownSync(at(each), 65534, 65534)
    process.setegid?.(65534)
    process.seteuid?.(65534)
    const { status, err } = await runHere(['apply', '-e', 'notice(1)', ...words]).finally(() => {
      process.seteuid?.(0)
      process.setegid?.(0)
    })
    const path = at('code/environments/production')
    expect(status).toBe(1)
    expect(err).toContain(
      `Error: Could not prepare for execution: Got 1 failure(s) while initializing: File[${path}]: change from 'absent' ` +
        `to 'directory' failed: Could not set 'directory' on ensure: Permission denied @ dir_s_mkdir - ${path}\n`,
    )
  })
})
