import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { hasPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('cli-apply')

async function plumb(...words: string[]) {
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const io = { stdin: process.stdin, color: false, out: say('out'), err: say('err') }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  return { status: await run([...words, ...places], io), ...said }
}

describe('plumb apply', () => {
  it.each([
    ["notice('x')", 0, 'Notice: Scope(Class[main]): x'],
    ["notify { 'x': }", 2, "Notice: /Stage[main]/Main/Notify[x]/message: defined 'message' as 'x'"],
    ["exec { '/bin/false': }", 4, 'Applied catalog in'],
    ["notify { 'x': } exec { '/bin/false': }", 6, 'Applied catalog in'],
    ["file { '/x': mode => '9z' }", 1, ''],
    ["notify { 'x': require => Notify['y'] }", 1, ''],
    ["notify { 'x': message => Deferred('upcase', ['abc']) }", 2, 'Notice: ABC'],
  ])('%s answers %i', async (code, status, said) => {
    const answer = await plumb('apply', '--detailed-exitcodes', '-e', code)
    expect(answer.out).toContain(said)
    expect(answer.status).toBe(status)
  })

  it('has the data and the modules of the environment', async () => {
    const environment = join(folder, 'environments', 'site')
    for (const path of ['data', 'parts/greeting/manifests']) mkdirSync(join(environment, path), { recursive: true })
    writeFileSync(join(environment, 'environment.conf'), 'modulepath = parts\n')
    writeFileSync(
      join(environment, 'hiera.yaml'),
      'version: 5\nhierarchy: [{name: a, path: a.yaml, data_hash: yaml_data}]',
    )
    writeFileSync(join(environment, 'data/a.yaml'), 'who: world')
    writeFileSync(join(environment, 'parts/greeting/manifests/init.pp'), "class greeting { notify { lookup('who'): } }")
    const manifest = join(folder, 'greet.pp')
    writeFileSync(manifest, 'include greeting')
    const words = ['--environmentpath', join(folder, 'environments'), '--environment', 'site']
    const said = "Notice: /Stage[main]/Greeting/Notify[world]/message: defined 'message' as 'world'"
    expect((await plumb('apply', '-e', 'include greeting', ...words)).out).toContain(said)
    expect((await plumb('apply', manifest, ...words)).out).toContain(said)
  })

  it('collects what is exported with storeconfigs, and warns without', async () => {
    const code = '@@notify { exported: } Notify <<| |>>'
    expect((await plumb('apply', '-e', code, '--storeconfigs')).out).toContain('Notify[exported]')
    const { out, err } = await plumb('apply', '-e', code)
    expect(out).not.toContain('Notify[exported]')
    const why = 'You cannot collect exported resources without storeconfigs being set; the'
    expect(err).toContain(`Warning: ${why} collection will be ignored (line: 1, column: 24)`)
    expect(err).toContain(`Warning: ${why} export is ignored (line: 1, column: 1)`)
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

  it('runs facts in Ruby: of modules, and those that an agent fetched, as facts does', async () => {
    const modules = join(folder, 'with-facts')
    for (const path of [join(modules, 'web/lib'), join(folder, 'var/lib')])
      mkdirSync(join(path, 'facter'), { recursive: true })
    writeFileSync(join(modules, 'web/lib/facter/web.rb'), "Facter.add(:web) { setcode { Facter.value(:db) + '!' } }")
    writeFileSync(join(folder, 'var/lib/facter/db.rb'), "Facter.add('db') { setcode { Puppet[:vardir] } }")
    const { out, err } = await plumb('apply', '-e', "notice($facts['web'])", '--modulepath', modules)
    expect([out, err]).toEqual([expect.stringContaining(`${join(folder, 'var')}!`), ''])
    const facts = await plumb('facts', 'os.family', 'db', 'web')
    expect([facts.status, facts.out, facts.err]).toEqual([
      0,
      `db => ${join(folder, 'var')}\nos.family => Debian\nweb => \n`,
      '',
    ])
    rmSync(join(folder, 'var/lib'), { recursive: true })
  })

  it('takes sources from modules and files below a root', async () => {
    const root = join(folder, 'root')
    const module = join(folder, 'modules/demo/files')
    await plumb('resource', 'file', join(folder, 'modules'), 'ensure=directory')
    for (const path of ['modules/demo', 'modules/demo/files'])
      await plumb('resource', 'file', join(folder, path), 'ensure=directory')
    writeFileSync(join(module, 'a.txt'), 'from the module')
    const manifest = join(folder, 'site.pp')
    writeFileSync(manifest, "file { '/a.txt': source => 'puppet:///modules/demo/a.txt' }")
    const words = ['--modulepath', join(folder, 'modules'), '--agent_root', root, '--noop', manifest]
    expect((await plumb('apply', ...words)).out).toContain("should be 'file' (noop)")
    expect(existsSync(join(root, 'a.txt'))).toBe(false)
    await plumb('apply', ...words.filter((word) => word !== '--noop'))
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('from the module')
  })

  it('is named as node_name_value or node_name_fact say', async () => {
    const compiled = 'Notice: Compiled catalog for'
    const apply = (...words: string[]) => plumb('apply', '-e', "notify { 'x': }", ...words)
    expect((await apply('--node_name_value', 'other')).out).toContain(`${compiled} other in`)
    expect((await apply('--node_name_fact', 'kernel')).out).toContain(`${compiled} Linux in`)
    expect((await apply('--node_name_fact', 'none')).err).toContain("Could not find the fact 'none'")
    const both = await apply('--node_name_fact', 'kernel', '--node_name_value', 'other')
    expect([both.status, both.err]).toEqual([
      1,
      'Error: Cannot specify both the node_name_value and node_name_fact settings\n',
    ])
    expect((await apply('--node_name_value', '../x')).status).toBe(1)
  })

  it('says what is missing', async () => {
    expect(await plumb('apply')).toMatchObject({ status: 1, err: expect.stringContaining('Nothing to apply') })
  })
})

describe('plumb resource', () => {
  it('makes a thing so, and shows it', async () => {
    const path = join(folder, 'made')
    const { status, out } = await plumb('resource', 'file', path, 'ensure=file', 'mode=0600', 'content=x')
    expect(status).toBe(0)
    expect(out).toContain(`Notice: /File[${path}]/ensure: defined content as '{sha256}2d711642`)
    expect(out).toMatch(/^file \{ '.*made':\n {2}ensure {3}=> 'file',\n/m)
    expect(out).toContain("  mode     => '0600',\n")
  })

  it('runs a command, and shows it', async () => {
    const { status, out } = await plumb('resource', 'exec', 'NAME', `command=/bin/touch ${join(folder, 'touched')}`)
    expect([status, existsSync(join(folder, 'touched'))]).toEqual([0, true])
    expect(out).toContain('Notice: /Exec[NAME]/returns: executed successfully')
    expect(out).toContain("exec { 'NAME':\n  provider => 'posix',\n  returns  => 'notrun',\n}\n")
  })

  it('lists no files', async () => {
    expect(await plumb('resource', 'file')).toEqual({
      status: 1,
      out: '',
      err: 'Error: Listing all file instances is not supported.  Please specify a file or directory, e.g. plumb resource file /etc\n',
    })
  })

  it.skipIf(!hasPuppet)(
    'lists services as real Puppet does',
    async () => {
      const { status, out } = await plumb('resource', 'service')
      const real = spawnSync('puppet', [
        'resource',
        'service',
        '--color=false',
        '--confdir',
        folder,
        '--vardir',
        folder,
      ])
      const services = (text: string) => text.match(/^service \{ [^}]*\}/gm)
      expect([status, services(out)]).toEqual([0, services(String(real.stdout))])
    },
    60_000,
  )

  it('shows things that are not there as absent', async () => {
    const { out } = await plumb('resource', 'user', 'nobody-of-that-name')
    expect(out).toBe("user { 'nobody-of-that-name':\n  ensure => 'absent',\n}\n")
  })

  it('knows no type that is none', async () => {
    const { status, err } = await plumb('resource', 'fiel')
    expect(status).toBe(1)
    expect(err).toContain('Could not find type fiel')
    expect(err).toContain("Did you mean 'file'?")
  })
})

describe('plumb facts', () => {
  it('shows one by its path', async () => {
    expect((await plumb('facts', 'kernel')).out).toBe('Linux\n')
    expect((await plumb('facts', 'show', 'kernel', '--value-only')).out).toBe('Linux\n')
    expect(JSON.parse((await plumb('facts', 'show', 'os.family')).out)).toEqual({ 'os.family': expect.any(String) })
  })
})
