import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GemServerForTests, serveGems } from '../../node/gems/gem-index.ts'
import { packGem } from '../../node/gems/packed-gem.ts'
import { chanceOf } from '../../support/chance.js'
import { isNight, seed } from '../../support/nightly.ts'
import { plumbMain } from '../../support/plumb.ts'
import { plumbHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('gem-command')
const moments = isNight ? 100 : 8
let server: GemServerForTests

beforeAll(async () => {
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`lib/big/f${at}.rb`, randomBytes(8_000).toString('base64')]),
  )
  const gems = await Promise.all([
    packGem({
      name: 'greet',
      version: '1.2.0',
      files: { 'lib/greet.rb': "require 'words'\nmodule Greet; TEXT = Words::HELLO; end\n" },
      dependencies: { words: '~> 1.0' },
    }),
    packGem({ name: 'greet', version: '1.1.0', files: { 'lib/greet.rb': 'module Greet; TEXT = "old"; end' } }),
    packGem({ name: 'greet', version: '2.0.0.rc1' }),
    packGem({ name: 'greet', version: '3.0.0', properties: ['ruby:>= 9'] }),
    packGem({ name: 'words', version: '1.5.0', files: { 'lib/words.rb': 'module Words; HELLO = "hello"; end' } }),
    packGem({ name: 'words', version: '2.0.0' }),
    packGem({ name: 'native', version: '1.0.0', metadata: 'extensions:\n- ext/extconf.rb\n' }),
    packGem({ name: 'tampered', version: '1.0.0' }),
    packGem({ name: 'orphan', version: '1.0.0', dependencies: { missing: '>= 1' } }),
    packGem({ name: 'big', version: '1.0.0', files: many, dependencies: { words: '>= 0' } }),
    packGem({ name: 'odd', version: '1.0.0' }),
    packGem({ name: 'decimal', version: '1.0.0', dependencies: { bigdecimal: '>= 1.3' } }),
  ])
  server = await serveGems(gems, { '/gems/tampered-1.0.0.gem': 'other bytes', '/info/odd': '<html>' })
})
afterAll(() => server.close())

/** Runs `plumb gem` in the vardir of this name. */
function gem(name: string, ...words: readonly string[]) {
  const [action = '', ...rest] = words
  const place = join(folder, name)
  const settings = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--gem_sources', server.url]
  return plumbHere(['gem', action, ...rest, ...settings])
}

describe('plumb gem install', () => {
  it('installs the newest gem for this Ruby, with its dependencies', async () => {
    expect(await gem('plain', 'install', 'greet')).toEqual({
      exitCode: 0,
      stdout: `Fetching words-1.5.0.gem
Fetching greet-1.2.0.gem
Successfully installed words-1.5.0
Successfully installed greet-1.2.0
2 gems installed`,
      stderr: '',
    })
    expect((await gem('plain', 'list')).stdout).toBe('greet (1.2.0)\nwords (1.5.0)')
    expect(await gem('plain', 'install', 'greet', '--version', '< 1.2')).toMatchObject({ exitCode: 0 })
    expect((await gem('plain', 'list', 'greet')).stdout).toBe('greet (1.2.0, 1.1.0)')
    expect(JSON.parse((await gem('plain', 'list', 'words', '--render-as', 'json')).stdout)).toEqual([
      { name: 'words', version: '1.5.0', platform: 'ruby', dependencies: [] },
    ])
    expect(await gem('plain', 'uninstall', 'words')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Error: words-1.5.0 is required by greet-1.2.0\n'),
    })
    expect(await gem('plain', 'uninstall', 'greet')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Several versions of greet are installed: 1.2.0, 1.1.0'),
    })
    expect(await gem('plain', 'uninstall', 'greet', '--all')).toMatchObject({
      exitCode: 0,
      stdout: 'Successfully uninstalled greet-1.2.0\nSuccessfully uninstalled greet-1.1.0',
    })
  })

  it('accepts prereleases and other options', async () => {
    expect((await gem('early', 'install', 'greet', '--prerelease')).stdout).toContain('installed greet-2.0.0.rc1')
    expect((await gem('alone', 'install', 'greet', '--ignore-dependencies')).stdout).toContain('\n1 gem installed')
    const [file] = readdirSync(join(folder, 'alone/var/gems/cache'))
    const local = join(folder, 'alone/var/gems/cache', file!)
    expect(await gem('local', 'install', '--local', local)).toMatchObject({
      exitCode: 1,
      stderr: "Error: Unable to resolve dependency: 'greet (= 1.2.0)' requires 'words (~> 1.0)'",
    })
    await gem('local', 'install', 'words', '--version', '~> 1.0')
    expect((await gem('local', 'install', '--local', local)).stdout).toContain('installed greet-1.2.0')
  })

  it.each<[string, readonly string[], string]>([
    ['nothing', [], "Error: Could not find a valid gem 'nothing' (>= 0) in any repository"],
    ['greet', ['--version', '9'], "Error: Could not find a valid gem 'greet' (= 9) in any repository"],
    ['greet', ['--version', '3.0.0'], 'Error: greet-3.0.0 requires Ruby version >= 9. The current ruby version is'],
    ['greet', ['--version', 'new'], 'Error: Illformed requirement ["new"]'],
    ['native', [], 'Error: native-1.0.0 has a C extension, which the built-in Ruby cannot load'],
    ['tampered', [], 'Error: tampered-1.0.0.gem has the SHA-256'],
    ['orphan', [], "Error: Unable to resolve dependency: 'orphan (= 1.0.0)' requires 'missing (>= 1)'"],
    ['odd', [], 'returned an invalid list of versions'],
    ['../x', [], "Error: Invalid gem name '../x'"],
    ['greet', ['--source', 'ftp://user:secret@example.com'], "Error: Invalid gem server 'ftp://example.com'"],
  ])('rejects %s %j', async (name, words, message) => {
    const { exitCode, stderr } = await gem('rejected', 'install', name, ...words)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr).not.toContain('secret')
    const gems = join(folder, 'rejected/var/gems')
    expect(existsSync(gems) ? readdirSync(gems) : []).toEqual([])
  })

  it('needs no gems that belong to the built-in Ruby', async () => {
    expect((await gem('built-in', 'install', 'decimal')).stdout).toContain('installed decimal-1.0.0\n1 gem installed')
  })

  it('suggests an action', async () => {
    expect((await gem('none', 'instal')).stderr).toContain("Did you mean 'install'?")
    expect((await gem('none', 'install')).stderr).toContain('missing argument')
  })

  it('leaves no part of a gem when it is killed', async () => {
    const place = join(folder, 'killed')
    const gems = join(place, 'var/gems')
    const chance = chanceOf(seed)
    const words = ['gem', 'install', 'big', '--confdir', join(place, 'etc'), '--vardir', join(place, 'var')]
    const run = (limitMs: number) =>
      new Promise<string | null>((done) => {
        const child = spawn(process.execPath, [plumbMain, ...words, '--gem_sources', server.url], { stdio: 'ignore' })
        // Wall clock: the process is killed at a random moment of its work.
        const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
        child.once('exit', (_, signal) => {
          clearTimeout(timer)
          done(signal)
        })
      })
    let kills = 0
    for (let round = 0; round < moments; round++) {
      if ((await run(150 + chance(500))) === 'SIGKILL') kills++
      const specs = existsSync(join(gems, 'specifications')) ? readdirSync(join(gems, 'specifications')) : []
      for (const spec of specs) {
        const name = spec.replace(/\.gemspec$/, '')
        expect(existsSync(join(gems, 'cache', `${name}.gem`))).toBe(true)
        if (name === 'big-1.0.0') expect(readdirSync(join(gems, 'gems', name, 'lib/big'))).toHaveLength(400)
      }
      if (specs.includes('big-1.0.0.gemspec')) await gem('killed', 'uninstall', 'big')
    }
    expect(kills).toBeGreaterThan(0)
    expect(await gem('killed', 'install', 'big')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readdirSync(gems).sort()).toEqual(['cache', 'gems', 'specifications'])
  }, 120_000)
})

describe('the package provider puppet_gem', () => {
  const modules = join(folder, 'modules')
  const files = {
    'g/lib/puppet/type/greeting.rb':
      'Puppet::Type.newtype(:greeting) { newparam(:name, namevar: true); newproperty(:text) }',
    'g/lib/puppet/provider/greeting/ruby.rb': `Puppet::Type.type(:greeting).provide(:ruby) do
  confine feature: :greet
  def text = File.exist?(resource[:name]) ? File.read(resource[:name]) : :absent
  def text=(given)
    require 'greet'
    File.write(resource[:name], given + Greet::TEXT)
  end
end`,
    'g/lib/puppet/feature/greet.rb': "Puppet.features.add(:greet, libs: ['greet'])",
    'g/lib/puppet/functions/g/greet.rb': `Puppet::Functions.create_function(:'g::greet') do
  def greet
    require 'greet'
    Greet::TEXT
  end
end`,
  }
  beforeAll(() => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(modules, path)), { recursive: true })
      writeFileSync(join(modules, path), text)
    }
  })

  const apply = (name: string, code: string) => {
    const place = join(folder, name)
    const settings = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--modulepath', modules]
    return plumbHere(['apply', ...settings, '--gem_sources', server.url, '--detailed-exitcodes', '-e', code])
  }

  it('installs a gem that a Ruby provider and a Deferred function use in the same run', async () => {
    const code = `package { 'greet': ensure => installed, provider => puppet_gem }
      -> greeting { '${folder}/said': text => 'I say ' }
      -> file { '${folder}/deferred': content => Deferred('g::greet') }`
    const { exitCode, stdout, stderr } = await apply('used', code)
    expect(stderr).toBe('')
    expect(exitCode).toBe(2)
    expect(stdout).toContain('Package[greet]/ensure: created')
    expect(readFileSync(join(folder, 'said'), 'utf8')).toBe('I say hello')
    expect(readFileSync(join(folder, 'deferred'), 'utf8')).toBe('hello')
  })

  it.each<[string, string, string]>([
    ["ensure => '1.1.0'", 'ensure: created', 'greet (1.1.0)'],
    ['ensure => latest', "ensure changed ['1.1.0'] to '1.2.0'", 'greet (1.2.0, 1.1.0)\nwords (1.5.0)'],
    ["ensure => '~> 1.1'", '', 'greet (1.2.0, 1.1.0)\nwords (1.5.0)'],
    ["ensure => ['1.1.0', '9.0']", '', 'greet (1.2.0, 1.1.0)\nwords (1.5.0)'],
    [
      "ensure => '2.0.0.rc1', install_options => ['--no-document', { '--source' => '@' }]",
      "to '2.0.0.rc1'",
      'greet (2.0.0.rc1, 1.2.0, 1.1.0)\nwords (1.5.0)',
    ],
    ["ensure => present, install_options => ['--bindir=x']", '', 'greet (2.0.0.rc1, 1.2.0, 1.1.0)\nwords (1.5.0)'],
    [
      "ensure => '7', install_options => ['--sorce=x']",
      'invalid option: --sorce',
      'greet (2.0.0.rc1, 1.2.0, 1.1.0)\nwords (1.5.0)',
    ],
    [
      "ensure => '7'",
      "Could not find a valid gem 'greet' (= 7) in any repository",
      'greet (2.0.0.rc1, 1.2.0, 1.1.0)\nwords (1.5.0)',
    ],
    [
      "ensure => '7', source => 'puppet:///modules/g/x.gem'",
      'puppet:// URLs are not supported as gem sources',
      'greet (2.0.0.rc1, 1.2.0, 1.1.0)\nwords (1.5.0)',
    ],
    ['ensure => absent', 'ensure: removed', 'words (1.5.0)'],
    ["source => '%', install_options => ['--local']", 'ensure: created', 'greet (1.1.0)\nwords (1.5.0)'],
  ])('manages %s', async (attributes, message, list) => {
    const file = join(folder, 'greet.gem')
    if (!existsSync(file)) writeFileSync(file, (await packGem({ name: 'greet', version: '1.1.0' })).file)
    const given = attributes.replace('@', server.url).replace('%', file)
    const { stdout, stderr } = await apply('managed', `package { 'greet': ${given}, provider => puppet_gem }`)
    expect(`${stdout}\n${stderr}`).toContain(message)
    if (message === '') expect(`${stdout}${stderr}`).not.toContain('Package[greet]')
    expect((await gem('managed', 'list')).stdout).toBe(list)
  })

  it('is shown by plumb resource', async () => {
    const place = join(folder, 'managed')
    const words = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var')]
    const { stdout } = await plumbHere(['resource', 'package', 'words', 'provider=puppet_gem', ...words])
    expect(stdout).toBe("package { 'words':\n  ensure   => ['1.5.0'],\n  provider => 'puppet_gem',\n}")
  })
})
