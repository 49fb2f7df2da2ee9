import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { writeModule } from '../../workbench/docs/cases.ts'

const documented = `-- metadata.json --
{"name": "example-docs", "version": "1.2.3"}
-- manifests/init.pp --
# @summary A class.
# @param a The a.
class example(String $a) {}
`

const undocumented = `-- manifests/init.pp --
# @param other Not there.
class example(
  String $a,
  Integer $b = 1,
) {}
-- manifests/hidden.pp --
# @api private
class example::hidden($x) {}
-- functions/f.pp --
# A function.
function example::f($x) { 1 }
-- lib/puppet/type/example.rb --
Puppet::Type.newtype(:example) do
  @doc = 'A type.'
  newparam(:name) do
    isnamevar
  end
  newproperty(:size) do
    desc 'The size.'
  end
end
-- tasks/t.json --
{"parameters": {"p": {"type": "String"}}}
`

describe('plumb docs', () => {
  it('writes REFERENCE.md, and --check compares it', async () => {
    const module = writeModule(documented)
    const file = join(module, 'REFERENCE.md')
    expect(await runHere(['docs', '--check', module])).toEqual({
      status: 1,
      out: '',
      err: `Error: ${file} does not exist\n  Run plumb docs to write it.\n`,
    })
    expect(existsSync(file)).toBe(false)
    expect(await runHere(['docs', module])).toEqual({ status: 0, out: '', err: '' })
    expect(readFileSync(file, 'utf8')).toContain('* [`example`](#example): A class.\n')
    expect(await runHere(['docs', '--check', module])).toEqual({ status: 0, out: '', err: '' })
    writeFileSync(file, 'old')
    expect(await runHere(['docs', '--check', module])).toEqual({
      status: 1,
      out: '',
      err: `Error: ${file} differs from the documentation of the module\n  Run plumb docs to write it.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('old')
  })

  it('prints with --stdout, and JSON by default', async () => {
    const module = writeModule(documented)
    const { out } = await runHere(['docs', '--stdout', module])
    expect(out).toMatch(/^# Reference\n/)
    const json = await runHere(['docs', '--format', 'json', module])
    expect(JSON.parse(json.out)).toMatchObject({ puppet_classes: [{ name: 'example', line: 3 }], puppet_tasks: [] })
    expect(existsSync(join(module, 'REFERENCE.md'))).toBe(false)
  })

  it('writes to --output, in a new directory', async () => {
    const module = writeModule(documented)
    const file = join(module, 'a/b/docs.json')
    expect((await runHere(['docs', '--format', 'json', '--output', file, module])).status).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('puppet_classes')
  })

  it('writes a page with the name and version of the module', async () => {
    const module = writeModule(documented)
    expect((await runHere(['docs', '--format', 'html', module])).status).toBe(0)
    expect(readFileSync(join(module, 'doc/index.html'), 'utf8')).toContain('<h1>example-docs 1.2.3</h1>')
    rmSync(join(module, 'doc'), { recursive: true })
    symlinkSync(scratchFolder('docs-elsewhere'), join(module, 'doc'))
    const { status, err } = await runHere(['docs', '--format', 'html', module])
    expect([status, err]).toEqual([1, expect.stringContaining('is a symbolic link')])
  })

  it('lists the undocumented parts, with their places', async () => {
    const module = writeModule(undocumented)
    expect(await runHere(['docs', '--undocumented', module])).toEqual({
      status: 1,
      out: `functions/f.pp:2: parameter x of function example::f has no description
functions/f.pp:2: return value of function example::f has no description
lib/puppet/type/example.rb:3: parameter name of resource type example has no description
manifests/init.pp:2: class example has no description
manifests/init.pp:2: parameter other of class example is documented but does not exist
manifests/init.pp:3: parameter a of class example has no description
manifests/init.pp:4: parameter b of class example has no description
tasks/t.json:1: task t has no description
tasks/t.json:1: parameter p of task t has no description
`,
      err: '',
    })
    expect(existsSync(join(module, 'REFERENCE.md'))).toBe(false)
    expect(await runHere(['docs', '--undocumented', writeModule(documented)])).toEqual({ status: 0, out: '', err: '' })
  })

  it('lists the undocumented parts as JSON', async () => {
    const module = writeModule(undocumented)
    const { out, status } = await runHere(['docs', '--undocumented', '--render-as', 'json', module])
    expect(status).toBe(1)
    expect((JSON.parse(out) as unknown[])[0]).toEqual({
      file: 'functions/f.pp',
      line: 2,
      kind: 'function',
      name: 'example::f',
      part: 'parameter',
      partName: 'x',
      problem: 'undocumented',
    })
  })

  it('reads links inside the module once, and none that lead out of it or in a circle', async () => {
    const module = writeModule(documented)
    symlinkSync('.', join(module, 'manifests/loop'))
    symlinkSync('/etc/passwd', join(module, 'manifests/passwd.pp'))
    symlinkSync('missing.pp', join(module, 'manifests/broken.pp'))
    const { out, status } = await runHere(['docs', '--stdout', module])
    expect(status).toBe(0)
    expect(out.match(/^### <a/gm)).toHaveLength(1)
  })
})

describe('plumb docs rejects', () => {
  const refuse = async (files: string, ...words: string[]) => {
    const module = writeModule(files)
    const { status, out, err } = await runHere(['docs', ...words, module])
    expect([status, out]).toEqual([1, ''])
    expect(existsSync(join(module, 'REFERENCE.md'))).toBe(false)
    return err.replaceAll(module, 'MODULE')
  }

  it.each([
    [['--stdout', '--check'], '--stdout cannot be used with --check'],
    [['--undocumented', '--check'], '--undocumented cannot be used with --check'],
    [['--check', '--format', 'json'], '--check cannot be used with --format json without --output'],
  ])('the options %j', async (words, message) => {
    expect(await refuse(documented, ...words)).toBe(`Error: ${message}\n`)
  })

  it.each([
    [
      'a manifest that does not parse',
      '-- manifests/init.pp --\nclass example {\n',
      /Syntax error at end of input.*MODULE\/manifests\/init\.pp/,
    ],
    [
      'Ruby that does not parse',
      '-- lib/a.rb --\nPuppet::Type.newtype(:a do\n',
      /Could not parse lib\/a\.rb: .*line: 1/,
    ],
    ['a task that is no JSON', '-- tasks/a.json --\n{"a": \n', /Could not parse tasks\/a\.json: /],
    ['a task that is no object', '-- tasks/a.json --\n[1]\n', /Could not parse tasks\/a\.json: it is not an object/],
  ])('%s', async (_, files, message) => {
    expect(await refuse(files)).toMatch(message)
  })

  it('a directory that is no module', async () => {
    const folder = scratchFolder('docs')
    mkdirSync(join(folder, 'spec'))
    expect((await runHere(['docs', folder])).err).toContain(`${folder} is not a module`)
    expect((await runHere(['docs', join(folder, 'missing')])).status).toBe(1)
  })
})
