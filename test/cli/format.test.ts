import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const root = scratchFolder('format')
const folder = join(root, 'module')
const path = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const format = (words: readonly string[], input?: string) =>
  runHere(['format', ...words, '--confdir', root, '--vardir', root], input)

const [untidy, tidy] = ['class a{ $x="y" }\n', "class a {\n  $x = 'y'\n}\n"]

function write(name: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), text)
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  write('manifests/init.pp', untidy)
  write('manifests/sub/tidy.pp', tidy)
})

describe('plumb format', () => {
  it('rewrites the manifests of a directory', async () => {
    const { status, out, err } = await format([folder])
    expect([status, err]).toEqual([0, ''])
    expect(out).toBe(`Formatted ${path('manifests/init.pp')}\n1 of 2 manifests changed\n`)
    expect(read('manifests/init.pp')).toBe(tidy)
    expect((await format([folder])).out).toBe('0 of 2 manifests changed\n')
  })

  it('leaves no other files, and keeps the mode', async () => {
    chmodSync(path('manifests/init.pp'), 0o640)
    await format([folder])
    expect(readdirSync(path('manifests'))).toEqual(['init.pp', 'sub'])
    expect(statSync(path('manifests/init.pp')).mode & 0o777).toBe(0o640)
  })

  it('does not write a manifest that is formatted', async () => {
    const before = statSync(path('manifests/sub/tidy.pp'))
    await format([folder])
    expect(statSync(path('manifests/sub/tidy.pp')).ino).toBe(before.ino)
    expect(statSync(path('manifests/sub/tidy.pp')).mtimeMs).toBe(before.mtimeMs)
  })

  it('ignores dependencies, hidden directories, other files and symbolic links', async () => {
    const foreign = ['vendor/a.pp', 'node_modules/a.pp', 'pkg/a.pp', 'spec/fixtures/modules/b/a.pp', '.git/a.pp']
    for (const name of [...foreign, 'templates/a.epp', 'a.txt']) write(name, untidy)
    write('fixtures/a.pp', untidy)
    symlinkSync(path('fixtures'), path('linked'))
    symlinkSync(path('a.txt'), path('linked.pp'))
    const { out } = await format([folder])
    expect(out).toContain('2 of 3 manifests changed')
    for (const name of [...foreign, 'templates/a.epp', 'a.txt']) expect(read(name)).toBe(untidy)
    expect(read('fixtures/a.pp')).toBe(tidy)
  })

  it('formats the target of a symbolic link that is named', async () => {
    symlinkSync('init.pp', path('manifests/link.pp'))
    const { out } = await format([path('manifests/link.pp'), path('manifests/init.pp')])
    expect(out).toContain('1 of 1 manifest changed')
    expect(lstatSync(path('manifests/link.pp')).isSymbolicLink()).toBe(true)
    expect(read('manifests/init.pp')).toBe(tidy)
  })

  it('formats the other manifests if one has an error', async () => {
    write('manifests/broken.pp', 'class b {\n  $x =\n}\n')
    write('manifests/latin.pp', Buffer.from("$a = 'caf\xe9'\n", 'latin1'))
    write('manifests/mark.pp', '\ufeff$a=1\n')
    const { status, out, err } = await format([folder])
    expect(status).toBe(1)
    expect(out).toContain('1 of 5 manifests changed')
    expect(err).toContain(`Error: Syntax error at '}' (file: ${path('manifests/broken.pp')}, line: 3, column: 1)`)
    expect(err).toContain(`(file: ${path('manifests/latin.pp')}, line: 1, column: 10)`)
    expect(err).toContain(`(file: ${path('manifests/mark.pp')})`)
    expect(read('manifests/broken.pp')).toBe('class b {\n  $x =\n}\n')
    expect(read('manifests/init.pp')).toBe(tidy)
  })

  it('refuses a read-only manifest', async () => {
    chmodSync(path('manifests/init.pp'), 0o444)
    const { status, err } = await format([folder])
    expect(status).toBe(1)
    expect(err).toContain(`Error: ${path('manifests/init.pp')} is read-only`)
    expect(read('manifests/init.pp')).toBe(untidy)
  })

  it.each([[[]], [['--check']], [['--diff']]])('prints a path with a line break on one line: %j', async (words) => {
    const name = 'manifests/a\nFormatted b.pp'
    write(name, untidy)
    const { out } = await format([...words, path(name)])
    expect(out).toContain('manifests/a\\x0aFormatted b.pp\n')
    expect(out).not.toContain('\nFormatted b.pp')
  })

  it('names paths that it cannot format', async () => {
    write('templates/a.epp', '<% $a %>')
    write('large.pp', ' '.repeat(budgets.format.manifest.bound + 1))
    const { status, out, err } = await format([path('none.pp'), path('templates/a.epp'), path('large.pp'), folder])
    expect(status).toBe(1)
    expect(err).toContain(`Error: No such file or directory - ${path('none.pp')}`)
    expect(err).toContain(`Error: ${path('templates/a.epp')} is not a manifest`)
    expect(err).toContain(`${path('large.pp')} exceeds ${budgets.format.manifest.bound} bytes`)
    expect(out).toContain(`Formatted ${path('manifests/init.pp')}\n`)
  })

  it('reads plans with their keywords', async () => {
    write('plans/init.pp', 'plan a($b) { apply($b) { } }\n')
    await format([folder])
    expect(read('plans/init.pp')).toBe('plan a (\n  $b,\n) {\n  apply($b) {}\n}\n')
  })

  it('breaks lines at the given width', async () => {
    write('wide.pp', "$a = ['aaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbb']\n")
    await format(['--width', '40', folder])
    expect(read('wide.pp')).toBe("$a = [\n  'aaaaaaaaaaaaaaaaaaaaaaaaa',\n  'bbbbbbbbbbbbbbbbb',\n]\n")
  })

  it.each([['39'], ['1001'], ['x'], ['80.5']])('refuses the width %s', async (width) => {
    const { status, err } = await format(['--width', width, folder])
    expect(status).toBe(1)
    expect(err).toContain(`Error: Invalid line width '${width}'`)
    expect(read('manifests/init.pp')).toBe(untidy)
  })

  it('needs a path', async () => {
    const { status, err } = await format([])
    expect(status).toBe(1)
    expect(err).toContain('No manifest or directory given')
  })
})

describe('plumb format --check', () => {
  it('lists the manifests that are not formatted, and exits with 1', async () => {
    const { status, out, err } = await format(['--check', folder])
    expect([status, out]).toEqual([1, `${path('manifests/init.pp')}\n`])
    expect(err).toBe('1 of 2 manifests not formatted; run `plumb format` to format them.\n')
    expect(read('manifests/init.pp')).toBe(untidy)
  })

  it('exits with 0 if all are formatted', async () => {
    expect(await format(['--check', path('manifests/sub')])).toEqual({ status: 0, out: '', err: '' })
  })

  it('prints JSON', async () => {
    write('manifests/broken.pp', 'if')
    const { status, out, err } = await format(['--check', '--render-as', 'json', path('manifests')])
    expect([status, err]).toEqual([1, ''])
    expect(JSON.parse(out)).toEqual([
      {
        file: path('manifests/broken.pp'),
        status: 'error',
        diagnostic: expect.objectContaining({ code: 'SYNTAX_ERROR' }),
      },
      { file: path('manifests/init.pp'), status: 'changed' },
      { file: path('manifests/sub/tidy.pp'), status: 'unchanged' },
    ])
  })
})

describe('plumb format --diff', () => {
  const patch = (name: string) =>
    `--- a/${name}\n+++ b/${name}\n@@ -1 +1,3 @@\n-class a{ $x="y" }\n+class a {\n+  $x = 'y'\n+}\n`

  it('prints a patch and writes nothing', async () => {
    const { status, out } = await format(['--diff', folder])
    expect([status, out]).toEqual([0, patch(path('manifests/init.pp').slice(1))])
    expect(read('manifests/init.pp')).toBe(untidy)
    expect((await format(['--diff', '--check', folder])).status).toBe(1)
  })

  it('replaces all lines of a manifest with very many differences', async () => {
    write('long.pp', "$a=1\n$b='x'\n".repeat(3000))
    const { out } = await format(['--diff', path('long.pp')])
    expect(out).toContain('@@ -1,6000 +1,6000 @@\n-$a=1\n')
    expect(out.split('\n').filter((line) => line.startsWith('+$'))).toHaveLength(6000)
  })
})

describe('many manifests, on several threads,', () => {
  it('are formatted, or refused, in order', async () => {
    const contents = Array.from({ length: 450 }, (_, index) => [untidy, tidy, 'if'][index % 3]!)
    const names = contents.map((_, index) => `m${String(index).padStart(3, '0')}.pp`)
    const folder = join(root, 'many')
    mkdirSync(folder, { recursive: true })
    for (const [index, name] of names.entries()) writeFileSync(join(folder, name), contents[index]!)
    const { status, out, err } = await format([folder])
    const listKind = (kind: number) => names.filter((_, index) => index % 3 === kind).map((name) => join(folder, name))
    const changed = listKind(0).map((name) => `Formatted ${name}\n`)
    expect([status, out]).toEqual([1, `${changed.join('')}150 of 450 manifests changed\n`])
    const errors = listKind(2).map((name) => `Error: Syntax error at end of input (file: ${name})\n`)
    expect(err).toBe(errors.join(''))
    expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(
      contents.map((content) => (content === untidy ? tidy : content)),
    )
  })
})

describe('plumb format --stdin', () => {
  it('prints the formatted text', async () => {
    expect(await format(['--stdin'], untidy)).toEqual({ status: 0, out: tidy, err: '' })
    expect(await format(['--stdin', '--check'], untidy)).toEqual({ status: 1, out: '', err: '' })
    expect(await format(['--stdin', '--check'], tidy)).toEqual({ status: 0, out: '', err: '' })
  })

  it('takes the name from a path', async () => {
    const { out } = await format(['--stdin', 'plans/a.pp'], 'plan a { }')
    expect(out).toBe('plan a {}\n')
    const { status, err } = await format(['--stdin', 'some/b.pp'], 'if')
    expect([status, err]).toEqual([1, 'Error: Syntax error at end of input (file: some/b.pp)\n'])
  })

  it('prints nothing but the error for invalid input', async () => {
    const { status, out, err } = await format(['--stdin'], 'class a {')
    expect([status, out]).toEqual([1, ''])
    expect(err).toContain('Syntax error')
    expect((await format(['--stdin'], ' '.repeat(budgets.format.manifest.bound + 1))).err).toContain('exceeds')
  })
})
