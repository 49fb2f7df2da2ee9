import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('cli-apply')

const own = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
const plumb = (...words: string[]) => runHere([...words, ...own])

describe('plumb apply', () => {
  it.each([
    ["exec { '/bin/false': }", 4, 'Applied catalog in'],
    ["notify { 'x': } exec { '/bin/false': }", 6, 'Applied catalog in'],
  ])('%s answers %i', async (code, status, said) => {
    const answer = await plumb('apply', '--detailed-exitcodes', '-e', code)
    expect(answer.out).toContain(said)
    expect(answer.status).toBe(status)
  })

  it('asks the classifier that the settings name', async () => {
    const enc = join(folder, 'enc')
    writeFileSync(enc, '#!/bin/sh\necho "parameters: {role: of $1}"\n', { mode: 0o755 })
    const words = ['apply', '-e', 'notice($role)', '--node_terminus', 'exec', '--external_nodes']
    expect((await plumb(...words, enc)).out).toContain('Notice: Scope(Class[main]): of node')
    expect(await plumb(...words, '/nonexistent')).toMatchObject({
      status: 1,
      err: expect.stringContaining('Failed to find node via exec: Could not execute posix command'),
    })
  })
})

describe('external facts of modules', () => {
  const files = {
    'facts.d/t.txt': 'e_txt=one\n',
    'facts.d/y.yaml': 'e_yaml: two\n',
    'facts.d/s.sh': '#!/bin/sh\necho e_sh=three\n',
  }
  const notice = `notice("\${facts['e_txt']} \${facts['e_yaml']} \${facts['e_sh']}")`

  it('are there when a folder is applied', async () => {
    const modules = join(folder, 'with-external-facts')
    mkdirSync(join(modules, 'm/facts.d'), { recursive: true })
    for (const [path, text] of Object.entries(files))
      writeFileSync(join(modules, 'm', path), text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 })
    expect((await plumb('apply', '--modulepath', modules, '-e', notice)).out).toContain('one two three')
  })

  it('are there when a commit is applied', async () => {
    const { script, ...texts } = { ...files, script: files['facts.d/s.sh'] }
    const at = (path: string) => `modules/m/${path}`
    const plain = Object.fromEntries(Object.entries(texts).map(([path, text]) => [at(path), text]))
    const { bare } = controlRepository({ ...plain, [at('facts.d/s.sh')]: { script } })
    expect((await plumb('apply', '--repo', bare, '-e', notice)).out).toContain('one two three')
  })
})

describe('plumb resource', () => {
  it('runs a command, and shows it', async () => {
    const { status, out } = await plumb('resource', 'exec', 'NAME', `command=/bin/touch ${join(folder, 'touched')}`)
    expect([status, existsSync(join(folder, 'touched'))]).toEqual([0, true])
    expect(out).toContain('Notice: /Exec[NAME]/returns: executed successfully')
    expect(out).toContain("exec { 'NAME':\n  provider => 'posix',\n  returns  => 'notrun',\n}\n")
  })

  it('fails where it is told to, and else as Puppet does not', async () => {
    const words = ['resource', 'exec', 'X', 'command=/bin/false']
    const { status, err } = await plumb(...words)
    expect([status, err]).toEqual([0, expect.stringContaining("'/bin/false' returned 1 instead of one of [0]")])
    expect((await plumb(...words, '--fail')).status).toBe(1)
  })

  it('applies what an editor leaves', async () => {
    const path = join(folder, 'edited')
    writeFileSync(path, '', { mode: 0o644 })
    const editor = join(folder, 'editor')
    writeFileSync(editor, '#!/bin/sh\n[ "$1" = -x ] && sed -i -e /[cm]time/d -e /type/d -e s/0644/0600/ "$2"\n', {
      mode: 0o755,
    })
    vi.stubEnv('VISUAL', `${editor} -x`)
    const { status, out } = await plumb('resource', 'file', path, '--edit')
    expect([status, out]).toEqual([0, expect.stringContaining("mode changed '0644' to '0600'")])
    vi.stubEnv('VISUAL', editor)
    const failed = await plumb('resource', 'file', path, '--edit')
    expect([failed.status, failed.err]).toEqual([1, expect.stringContaining('exit status 1; nothing was applied')])
    vi.unstubAllEnvs()
    expect(readdirSync('.').filter((name) => name.startsWith('x2puppet'))).toEqual([])
  })
})

it('plumb apply has the types, providers and facts that a commit brings in Ruby', { timeout: 60_000 }, async () => {
  const { bare } = controlRepository({
    'modules/marks/lib/puppet/type/mark.rb':
      'Puppet::Type.newtype(:mark) { newparam(:name, namevar: true); newproperty(:text) }',
    'modules/marks/lib/puppet/provider/mark/ruby.rb': `
      require 'puppet_x/marks/files'
      Puppet::Type.type(:mark).provide(:ruby) do
        def text = PuppetX::Marks.read(resource[:name])
        def text=(value)
          PuppetX::Marks.write(resource[:name], value)
        end
      end`,
    'modules/marks/lib/puppet_x/marks/files.rb': `
      module PuppetX::Marks
        def self.read(path) = File.exist?(path) ? File.read(path) : :absent
        def self.write(path, text) = File.write(path, text)
      end`,
    'modules/marks/lib/facter/marked.rb': "Facter.add(:marked) { setcode { 'by Ruby' } }",
    'modules/plain/manifests/init.pp': 'class plain {}',
  })
  const mark = join(folder, 'mark')
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const words = ['--repo', bare, '--detailed-exitcodes', '-e', `mark { '${mark}': text => $facts['marked'] }`]
  const answer = await plumb('apply', ...words)
  expect(answer.out).toContain("text: defined 'text' as 'by Ruby'")
  expect(answer.status).toBe(2)
  expect(readFileSync(mark, 'utf8')).toBe('by Ruby')
  vi.unstubAllEnvs()
  expect(readdirSync(temporary).filter((name) => name.startsWith('plumb-lib-'))).toEqual([])
})
