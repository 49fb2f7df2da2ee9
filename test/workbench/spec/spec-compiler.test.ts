import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SpecCompiler } from '../../../src/workbench/spec/spec-compiler.ts'
import { writeFiles } from '../../support/control-repository.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const modules = join(scratchFolder('modules'), 'modules')
mkdirSync(modules)
writeFiles(modules, {
  'kept/lib/puppet/functions/kept/value.rb': `
require 'fileutils'
Puppet::Functions.create_function(:'kept::value') do
  def value(name, initial)
    folder = File.join(Puppet[:vardir], 'kept', 'values')
    file = File.join(folder, name)
    return File.read(file) if File.exist?(file)
    FileUtils.mkdir_p(folder)
    File.open(file, 'w', 0o600) { |io| io.write(initial) }
    File.chown(File.stat(Puppet[:vardir]).uid, nil, file)
    initial
  end
end
`,
})
symlinkSync(resolve(import.meta.dirname, '../../fixtures/spec-suite'), join(modules, 'sample'))

const blocks: unknown[] = []
const compiler = new SpecCompiler(
  { settings: { vardir: '/var/lib/suite' } },
  {
    call(block, args) {
      blocks.push([block, args])
      return 'from the block'
    },
  },
)

const inputs = {
  environment: 'rp_env',
  modulepath: [modules],
  hiera: null,
  code: '',
  node: 'web1.example.com',
  facts: { networking: { fqdn: 'web1.example.com', hostname: 'web1' } },
  parameters: {},
  extensions: {},
  external: {},
  serverFacts: {},
  exported: false,
  strict: 'warning',
  strictVariables: true,
}

/** A reply, as far as the tests look into it. */
interface Reply {
  readonly ok: {
    readonly catalog: {
      readonly resources: readonly (readonly unknown[])[]
      readonly namevars: object
      readonly classes: readonly string[]
    }
    readonly edges: unknown
    readonly cycles: unknown
  }
  readonly error: unknown
}

function ask(operation: string, given: object): Reply {
  return JSON.parse(compiler.answer(JSON.stringify([operation, { ...inputs, ...given }]))) as Reply
}

describe('the compiler of a suite', () => {
  it('returns the catalog with namevars and sensitive parameters', () => {
    const { ok } = ask('compile', { code: "class { 'sample': secret => Sensitive('x') }" })
    const found = ok.catalog.resources.find(([type, title]) => type === 'File' && title === '/etc/sample.secret')
    expect(found?.slice(2, 3)).toEqual(['compilable_type'])
    expect(found?.slice(-2)).toEqual([['content'], ['content', 'x']])
    expect(ok.catalog.namevars).toMatchObject({ File: ['path'], Package: ['name', 'provider', 'command'] })
    expect(ok.catalog.classes).toContain('sample::config')
  })

  it('resolves Deferred values', () => {
    const code = "notify { 'x': message => Deferred('sample::double', [2]) }"
    expect(ask('compile', { code }).ok.catalog.resources).toContainEqual(expect.arrayContaining([['message', 4]]))
    const failing = "notify { 'x': message => Deferred('fail', ['no']) }"
    expect(ask('compile', { code: failing })).toMatchObject({ error: { message: expect.stringContaining('no') } })
  })

  it('returns only exported resources if they are wanted', () => {
    const { ok } = ask('compile', { code: 'include sample', exported: true })
    expect(ok.catalog.resources.map(([type]) => type)).toEqual(['Notify', 'Notify'])
  })

  it("returns relationships, also automatic ones, and Puppet's text of cycles", () => {
    const code = "file { ['/srv', '/srv/a']: ensure => directory } file { '/x': notify => File['/srv'] }"
    const { ok } = ask('relate', { code })
    expect(ok.edges).toEqual([
      ['File[/srv]', 'File[/srv/a]', false],
      ['File[/x]', 'File[/srv]', true],
    ])
    expect(ok.cycles).toEqual([])
    const { ok: circle } = ask('relate', { code: 'include sample::cycle' })
    expect(circle.cycles).toEqual(['(Notify[one] => Notify[two] => Notify[one])'])
  })

  it.each([
    ['a failed compilation', 'compile', { code: 'fail("no")' }, 'error', /no \(line: 1, column: 1\) on node web1/],
    ['an invalid resource', 'relate', { code: "file { 'relative': }" }, 'error', /File paths must be fully qualified/],
    ['a function that fails', 'call', { calls: [['call', ['l', 0, 'fail', ['l', 'no']], null]] }, 'function', /^no$/],
    ['an unknown question', 'call', { calls: [['nonsense', ['l'], null]] }, 'function', /unknown question: 'nonsense'/],
    ['a call without a function', 'call', {}, 'error', /call without a function/],
    ['an unknown operation', 'nonsense', {}, 'error', /the operation 'nonsense' must be an object/],
  ])('returns the error of %s', (_, operation, given, kind, message) => {
    expect(ask(operation, given)).toMatchObject({ error: { kind, message: expect.stringMatching(message) } })
  })

  it('calls functions, whose effects are in the catalog', () => {
    const call = ['call', ['l', 0, 'create_resources', ['l', 'notify', ['h', 'x', ['h', 'message', 'y']]]], null]
    expect(ask('call', { calls: [call] })).toEqual({ ok: null })
    const { ok } = ask('compile', { calls: [call] })
    expect(ok.catalog.resources).toContainEqual(expect.arrayContaining(['Notify', 'x']))
  })

  it('keeps what functions write into vardir, in memory', () => {
    const { ok, error } = ask('compile', {
      code: "file { '/a': content => \"${kept::value('a', 'x')}${kept::value('a', 'y')}\" }",
    })
    expect(JSON.stringify(ok?.catalog.resources ?? error)).toContain('"xx"')
    expect(existsSync('/var/lib/suite')).toBe(false)
    const outside = ask('compile', { code: "kept::value('../../../a', 'x')" }).error
    expect(outside).toMatchObject({ message: expect.stringContaining('Read-only file system') })
  })

  it('calls blocks of the suite', () => {
    const call = ['call', ['l', 0, 'sample::greet', ['l', 'world']], 7]
    expect(ask('call', { calls: [call] })).toEqual({ ok: 'from the block' })
    expect(blocks).toEqual([[7, ['l', 'hello world']]])
  })

  it.each([
    ['sample::greet', ['function', expect.stringMatching(/\/sample\/greet\.rb$/)]],
    ['sample_upper', ['legacy', expect.stringMatching(/\/sample_upper\.rb$/)]],
    ['sample::double', ['host']],
    ['create_resources', ['host']],
    ['sample::missing', null],
  ])('tells where the function %s is', (name, kind) => {
    expect(ask('function', { calls: [[name, ['l'], null]] })).toEqual({ ok: kind })
  })

  it('chooses the signature of a Ruby function, or describes the mismatch', () => {
    const choose = (...args: readonly unknown[]) =>
      ask('call', { calls: [['choose', ['l', 'sample::greet', ['l', ...args]], null]] })
    expect(choose('world')).toEqual({ ok: 0 })
    expect(choose('')).toMatchObject({
      error: { class: 'ArgumentError', message: expect.stringContaining('String[1]') },
    })
  })

  it.each([
    ['fail', 'Puppet::ParseError'],
    ['sample::double', 'ArgumentError'],
    ['sample::missing', 'ArgumentError'],
    [
      'sample::refuse',
      'Puppet::PreformattedError',
      /^Evaluation Error: .*, no missing \(file: .*, line: 3, column: 3\)$/,
    ],
  ])('names the exception of %s', (name, exception, message = /./) => {
    const failing = ask('call', { calls: [['call', ['l', 0, name, ['l', 'missing']], null]] })
    expect(failing).toMatchObject({
      error: { kind: 'function', class: exception, message: expect.stringMatching(message) },
    })
  })

  it('answers any text with a reply', () => {
    const json = fc.json({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          fc.string(),
          json.map((text) => `["compile",${text}]`),
        ),
        (text) => {
          expect(JSON.parse(compiler.answer(text))).toHaveProperty('error')
        },
      ),
    )
  })

  it('answers deeply nested requests with an error', () => {
    const nested = `["compile",${'['.repeat(100_000)}${']'.repeat(100_000)}]`
    expect(JSON.parse(compiler.answer(nested))).toHaveProperty('error')
  })
})
