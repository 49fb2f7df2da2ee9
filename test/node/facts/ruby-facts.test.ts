import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const real = recordedAnswers(import.meta.filename, 'Facter 4.3, Puppet 7.23.0')
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

describe('facts in Ruby are those of Facter', () => {
  it.each<[string, string, readonly string[]]>([
    ['asked for by name', 'Facter.add(:a) { setcode { { b: [1, { c: 2 }] } } }', ['a.b.1.c']],
    ['asked for, without a value', 'Facter.add(:a) { setcode { nil } }', ['a', 'kernel']],
    ['whose file is named like it', "Facter.add(:fact) { setcode { Facter.value('other') } }", ['fact']],
    ['not wanted', 'Facter.add(:a) { setcode { 1 } }', ['--no-ruby', 'a']],
  ])('%s', async (title, code, words) => {
    const custom = folderWith({ 'fact.rb': code, 'other.rb': "Facter.add('other') { setcode { :o } }" })
    const all = words.includes('--no-ruby') ? words : ['--custom-dir', custom, ...words]
    const facter = real.one(title, [code, words], () => {
      const { stdout, status } = spawnSync('facter', all, { encoding: 'utf8' })
      return [stdout, status]
    })
    const { out, status } = await own(...all)
    expect([out, status]).toEqual(facter)
  })
})

describe('facts without a value', () => {
  const code = "Facter.add(:hollow) { setcode { { 'a' => nil, 'b' => [1, nil, { 'c' => nil }] } } }"
  const top = 'Facter.add(:top) { setcode { nil } }'
  const hollow = { a: '', b: [1, '', { c: '' }] }

  it.each<[string, readonly string[]]>([
    ['of names', ['hollow', 'top', 'nosuch', 'kernel']],
    ['of a path', ['hollow.a']],
    ['alone', ['hollow.b', '--value-only']],
    ['alone, and empty', ['top', '--value-only']],
  ])('are empty strings in `puppet facts show`: %s', async (title, words) => {
    const libdir = scratchFolder('fact-lib')
    mkdirSync(join(libdir, 'facter'))
    writeFileSync(join(libdir, 'facter/facts.rb'), `${code}\n${top}`)
    const all = ['facts', 'show', ...words, '--libdir', libdir, ...realPlaces]
    const shown = real.one(title, [words, code, top], () => spawnSync('puppet', all, { encoding: 'utf8' }).stdout)
    const { out } = await own('show', ...words, '--custom-dir', join(libdir, 'facter'))
    expect(out).toBe(shown)
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
})
