import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('cli-apply')

const plumb = (...words: string[]) => plumbWith(Readable.from([]), ...words)

const typed = (text: string, ...words: string[]) => plumbWith(Readable.from([text]), ...words)

async function plumbWith(stdin: NodeJS.ReadableStream, ...words: string[]) {
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const io = { stdin, color: false, out: say('out'), err: say('err') }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  return { status: await runCommandLine([...words, ...places], io), ...said }
}

describe('plumb apply', () => {
  it.each([
    ["notice('x')", 0, 'Notice: Scope(Class[main]): x'],
    ["notify { 'x': }", 2, "Notice: /Stage[main]/Main/Notify[x]/message: defined 'message' as 'x'"],
    ["file { '/x': mode => '9z' }", 1, ''],
    ["notify { 'x': require => Notify['y'] }", 1, ''],
    ["notify { 'x': message => Deferred('upcase', ['abc']) }", 2, 'Notice: ABC'],
  ])('%s answers %i', async (code, status, said) => {
    const answer = await plumb('apply', '--detailed-exitcodes', '-e', code)
    expect(answer.out).toContain(said)
    expect(answer.status).toBe(status)
  })

  it('runs report processors of modules, which require files of other modules', async () => {
    const modules = join(folder, 'reporting')
    const out = join(folder, 'reported')
    const put = (path: string, text: string) => {
      mkdirSync(join(modules, path, '..'), { recursive: true })
      writeFileSync(join(modules, path), text)
    }
    put('words/lib/words.rb', "module Words; SAID = 'said'; end")
    put(
      'a/lib/puppet/reports/mine.rb',
      `require 'puppet'
require 'words'
Puppet::Reports.register_report(:mine) do
  def process
    File.write('${out}', [host, status, Words::SAID].join(' '))
  end
end`,
    )
    const words = ['--modulepath', modules, '--reports', 'nosuch,mine,log']
    const answer = await plumb('apply', '-e', "notify { 'x': }", ...words)
    expect(readFileSync(out, 'utf8')).toBe('node changed said')
    expect(answer.err).toContain("No report named 'nosuch'")
    expect(answer.out).toContain('Notice: //node/Puppet: x\n')
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

  it('gives a provider facts without a value, as facts, as real Puppet does', async () => {
    const modules = join(folder, 'with-empty-facts')
    const lib = join(modules, 'web/lib')
    for (const path of ['facter', 'puppet/type', 'puppet/provider/asking'])
      mkdirSync(join(lib, path), { recursive: true })
    writeFileSync(join(lib, 'facter/web_version.rb'), 'Facter.add(:web_version) { setcode { nil } }')
    writeFileSync(
      join(lib, 'puppet/type/asking.rb'),
      'Puppet::Type.newtype(:asking) { newparam(:name); newproperty(:answer) }',
    )
    writeFileSync(
      join(lib, 'puppet/provider/asking/ruby.rb'),
      `Puppet::Type.type(:asking).provide(:ruby) do
         def answer = [Facter.fact(:web_version).value, Facter.fact(:no_such), Facter.value(:kernel)].inspect
         def answer=(value); end
       end`,
    )
    const { out, err } = await plumb('apply', '-e', "asking { 'a': answer => 'b' }", '--modulepath', modules)
    expect([out, err]).toEqual([expect.stringContaining(`'[nil, nil, "Linux"]' to 'b'`), ''])
    rmSync(modules, { recursive: true })
  })

  it('prefetches by a provider in Ruby that comes to be able to work in the run', async () => {
    const modules = join(folder, 'with-late-providers')
    const lib = join(modules, 'web/lib/puppet')
    const program = join(folder, 'program-of-late')
    for (const path of ['type', 'provider/lately']) mkdirSync(join(lib, path), { recursive: true })
    writeFileSync(
      join(lib, 'type/lately.rb'),
      'Puppet::Type.newtype(:lately) { newparam(:name, namevar: true); newproperty(:size) }',
    )
    writeFileSync(
      join(lib, 'provider/lately/ruby.rb'),
      `Puppet::Type.type(:lately).provide(:ruby) do
         confine exists: '${program}'
         mk_resource_methods
         def self.prefetch(resources) = resources.each { |name, each| each.provider = new(name: name, size: "seen by #{resources.keys.sort.join('+')}") }
       end`,
    )
    const manifest = `file { '${program}': ensure => file } -> lately { ['a', 'b']: size => 'x' } `
    const { out, err } = await plumb('apply', '-e', manifest, '--modulepath', modules)
    expect([out.match(/Lately.*/g), err]).toEqual([
      ["Lately[a]/size: size changed 'seen by a+b' to 'x'", "Lately[b]/size: size changed 'seen by a+b' to 'x'"],
      '',
    ])
    rmSync(modules, { recursive: true })
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
    expect((await plumb('apply', ...words)).out).toContain("File[/a.txt]/ensure: defined content as '{sha256}")
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

  it('takes code of standard input, which a terminal has for who asks', async () => {
    expect((await typed("notice('typed')", 'apply')).out).toContain('Notice: Scope(Class[main]): typed')
    const terminal = Object.assign(Readable.from(["notice('by hand')"]), { isTTY: true })
    expect((await plumbWith(terminal, 'apply', '-')).out).toContain('Notice: Scope(Class[main]): by hand')
    const nothing = await plumbWith(Object.assign(Readable.from([]), { isTTY: true }), 'apply')
    expect(nothing).toMatchObject({ status: 1, err: expect.stringContaining('Nothing to apply') })
  })

  it('takes one manifest, or a folder of them', async () => {
    const sites = join(folder, 'sites')
    mkdirSync(sites)
    const [one, two] = [join(sites, '1.pp'), join(sites, '2.pp')]
    writeFileSync(one, "notice('one')")
    writeFileSync(two, "notice('two')")
    const single = await plumb('apply', one, two)
    expect(single.err).toBe(`Warning: Only one file can be applied per run.  Skipping ${two}\n`)
    expect(single.out).not.toContain('two')
    expect((await plumb('apply', sites)).out).toMatch(/: one[\s\S]*: two/)
  })

  it.each([
    ['nosuch.pp', 'Could not run: Could not find file nosuch.pp'],
    ['--catalog nosuch.json', 'Could not run: No such file or directory @ rb_sysopen - nosuch.json'],
  ])('says what cannot be read: %s', async (words, why) =>
    expect(await plumb('apply', ...words.split(' '))).toEqual({ status: 1, out: '', err: `Error: ${why}\n` }),
  )

  it('takes a catalog of standard input, and refuses what is none', async () => {
    const compiled = await plumb('catalog', 'compile', '--node', 'node', '--code', "notify { 'of a catalog': }")
    const applied = await typed(compiled.out, 'apply', '--catalog', '-', '--detailed-exitcodes')
    expect([applied.status, applied.out]).toEqual([2, expect.stringContaining("as 'of a catalog'")])
    const none = await typed('junk', 'apply', '--catalog', '-')
    const why = 'Error: Could not run: Could not deserialize catalog from rich_data_json: '
    expect([none.status, none.err]).toEqual([1, expect.stringContaining(why)])
  })

  it('writes the classes of a run, and loads them', async () => {
    const code = "class greeting { notify { 'hello': } }"
    const off = ['--no-write_catalog_summary', '--write-catalog-summary']
    await plumb('apply', '-e', `${code} include greeting`, ...off)
    expect(readFileSync(join(folder, 'var/state/classes.txt'), 'utf8')).toBe('settings\ngreeting\n')
    expect(readFileSync(join(folder, 'var/state/resources.txt'), 'utf8')).toBe('notify[hello]\n')
    expect((await plumb('apply', '-e', code, '--loadclasses')).out).toContain('Greeting/Notify[hello]')
    expect((await plumb('apply', '-e', code)).out).not.toContain('Notify[hello]')
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

  it('lists types, and shows parameters that are asked for', async () => {
    expect((await plumb('resource', '--types')).out).toMatch(/^acl\nanchor\naugeas\n[\s\S]*\nuser\nyumrepo\n$/)
    const words = ['resource', 'file', '/etc/passwd', '--param', 'backup', '-p', 'nosuch']
    const { out } = await plumb(...words)
    expect(out).toContain('  backup   => false,\n')
  })

  it.each([
    [[], 'You must specify the type to display'],
    [['user', 'root', 'uid'], 'Invalid parameter setting uid'],
    [['user', 'root', 'uid='], 'Invalid parameter setting uid='],
    [['user', '--edit', '--to_yaml'], 'Editing with Yaml output is not supported'],
  ])('refuses %j', async (words, why) =>
    expect(await plumb('resource', ...words)).toEqual({ status: 1, out: '', err: `Error: Could not run: ${why}\n` }),
  )

  it('lists no files', async () => {
    expect(await plumb('resource', 'file')).toEqual({
      status: 1,
      out: '',
      err: 'Error: Could not run: Listing all file instances is not supported.  Please specify a file or directory, e.g. plumb resource file /etc\n',
    })
  })

  it('shows things that are not there as absent', async () => {
    const { out } = await plumb('resource', 'user', 'nobody-of-that-name')
    expect(out).toBe("user { 'nobody-of-that-name':\n  ensure   => 'absent',\n  provider => 'useradd',\n}\n")
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
