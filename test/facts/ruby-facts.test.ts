import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { without } from '../support/needs.ts'
import { withoutPuppet } from '../support/real-puppet.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const withoutFacter = without('Facter')
const folder = scratchFolder('ruby-facts')
const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]

const realPlaces = ['confdir', 'vardir', 'codedir', 'rundir', 'logdir'].flatMap((name) => [
  `--${name}`,
  join(folder, 'real', name),
])

function folderWith(files: Readonly<Record<string, string>>): string {
  const made = scratchFolder('custom-facts')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}

const own = (...words: readonly string[]) => runHere(['facts', ...words, ...places])

/** Messages without times, colours, addresses of objects, and the lines of code that newer Rubies show below errors. */
function messages(text: string): string[] {
  const plain = text.replaceAll(/\u001b\[\d*m/g, '')
  const found = plain.matchAll(/^\[.*? \] (\w+ .*)$/gm)
  return Array.from(found, ([, message = '']) => message.trim()).filter(
    (message) => !message.includes('/proc/1/environ'),
  )
}

/** Values of facts that come from files of Ruby, not from the machine. */
function added(json: string, without: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(JSON.parse(json)).filter(([name]) => !(name in without)))
}

describe.skipIf(withoutFacter)(`facts in Ruby are those of Facter${withoutFacter}`, () => {
  it('in values, errors and warnings', async () => {
    const custom = resolve(import.meta.dirname, 'ruby')
    const later = folderWith({
      'later.rb': "Facter.add(:later) { setcode { 'later' } }",
      'raise.rb': "raise 'at top'",
      'require.rb': "require 'nosuchlib'",
    })
    const external = folderWith({ 'e.txt': 'ext=file' })
    const words = ['-j', '--custom-dir', custom, '--custom-dir', later, '--external-dir', external]
    const plain = JSON.parse((await own('-j', '--no-external-facts')).out)
    const real = spawnSync('facter', words, { encoding: 'utf8' })
    const { out, err, status } = await own(...words)
    const { kernel, kernelrelease, ...rest } = plain
    const machine = { ...rest, ruby: 1, augeas: 1, partitions: 1 }
    expect(added(out, machine)).toEqual(added(real.stdout, machine))
    expect(messages(err)).toEqual(messages(real.stderr))
    expect(status).toBe(1)
  })

  it('in what is not UTF-8', async () => {
    const custom = folderWith({
      'bytes.rb': String.raw`
        Facter.add(:latin) { setcode { "caf\xE9" } }
        Facter.add(:inside) { setcode { ["caf\xE9".b, { 'k' => 1 }] } }
        Facter.add(:key) { setcode { { "caf\xE9" => 1 } } }
        Facter.add(:iso) { setcode { "caf\xE9".dup.force_encoding('ISO-8859-1') } }
        Facter.add(:command) { setcode "printf 'caf\\351'" }
        Facter.add(:executed) { setcode { Facter::Core::Execution.execute("printf 'caf\\351'") } }`,
    })
    const words = ['--json', '--custom-dir', custom, 'latin', 'inside', 'key', 'iso', 'command', 'executed']
    const real = spawnSync('facter', words, { encoding: 'utf8' })
    const { out, err } = await own(...words)
    expect(messages(real.stderr)).toHaveLength(5)
    expect(messages(err).toSorted()).toEqual(messages(real.stderr).toSorted())
    expect(JSON.parse(out)).toEqual(JSON.parse(real.stdout))
  })

  it.each<[string, string, readonly string[]]>([
    ['asked for by name', 'Facter.add(:a) { setcode { { b: [1, { c: 2 }] } } }', ['a.b.1.c']],
    ['asked for, without a value', 'Facter.add(:a) { setcode { nil } }', ['a', 'kernel']],
    ['whose file is named like it', "Facter.add(:fact) { setcode { Facter.value('other') } }", ['fact']],
    ['not wanted', 'Facter.add(:a) { setcode { 1 } }', ['--no-ruby', 'a']],
  ])('%s', async (_, code, words) => {
    const custom = folderWith({ 'fact.rb': code, 'other.rb': "Facter.add('other') { setcode { :o } }" })
    const all = words.includes('--no-ruby') ? words : ['--custom-dir', custom, ...words]
    const real = spawnSync('facter', all, { encoding: 'utf8' })
    const { out, status } = await own(...all)
    expect([out, status]).toEqual([real.stdout, real.status])
  })
})

describe.skipIf(withoutPuppet)(`facts without a value${withoutPuppet}`, () => {
  const code = "Facter.add(:hollow) { setcode { { 'a' => nil, 'b' => [1, nil, { 'c' => nil }] } } }"
  const top = 'Facter.add(:top) { setcode { nil } }'
  const hollow = { a: '', b: [1, '', { c: '' }] }

  it.each<[string, readonly string[]]>([
    ['of names', ['hollow', 'top', 'nosuch', 'kernel']],
    ['of a path', ['hollow.a']],
    ['alone', ['hollow.b', '--value-only']],
    ['alone, and empty', ['top', '--value-only']],
  ])('are empty strings in `puppet facts show`: %s', async (_, words) => {
    const libdir = scratchFolder('fact-lib')
    mkdirSync(join(libdir, 'facter'))
    writeFileSync(join(libdir, 'facter/facts.rb'), `${code}\n${top}`)
    const real = spawnSync('puppet', ['facts', 'show', ...words, '--libdir', libdir, ...realPlaces], {
      encoding: 'utf8',
    })
    const { out } = await own('show', ...words, '--custom-dir', join(libdir, 'facter'))
    expect(out).toBe(real.stdout)
  })

  it('are empty strings in what is sent, and null for `facter`', async () => {
    const custom = folderWith({ 'facts.rb': `${code}\n${top}` })
    const { values } = JSON.parse((await own('find', '--custom-dir', custom)).out)
    expect([values.hollow, values.top]).toEqual([hollow, undefined])
    const shown = JSON.parse((await own('-j', '--custom-dir', custom, 'hollow')).out)
    expect(shown).toEqual({ hollow: { a: null, b: [1, null, { c: null }] } })
  })
})

describe('facts in Ruby', () => {
  it('are blocked and kept as facter.conf says', async () => {
    const custom = folderWith({ 'a.rb': 'Facter.add(:one) { setcode { 1 } }\nFacter.add(:two) { setcode { 2 } }' })
    const conf = join(folder, 'facter.conf')
    mkdirSync(folder, { recursive: true })
    writeFileSync(conf, `facts : { blocklist : ["two"] }\nglobal : { custom-dir : ["${custom}"] }`)
    expect((await own('-c', conf, 'one', 'two')).out).toBe('one => 1\ntwo => \n')
  })

  it('run in the Ruby that the core facts tell of', async () => {
    const custom = folderWith({ 'a.rb': 'Facter.add(:own) { setcode { [RUBY_PLATFORM, RUBY_VERSION] } }' })
    const { own: found, ruby } = JSON.parse((await own('-j', '--custom-dir', custom, 'own', 'ruby')).out)
    expect(found).toEqual([ruby.platform, ruby.version])
  })

  it('ask Augeas by its program, and say so where that is not there', async () => {
    const code = "Facter.add(:uid) { setcode { Augeas.open { |a| a.get('/files/etc/passwd/root/uid') } } }"
    const custom = folderWith({ 'a.rb': `require 'augeas'\n${code}` })
    const { out, err } = await own('--custom-dir', custom, 'uid')
    const isHere = spawnSync('augtool', ['--version']).status === 0
    expect(out).toBe(isHere ? '0\n' : '\n')
    if (!isHere) expect(err).toContain("fact='uid', resolution='<anonymous>': augtool is not there")
  })
})
