import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('deferred')
const modules = resolve(import.meta.dirname, '../resources/beside-puppet/modules')

/** Applies a manifest, `@` standing for a folder of its own. */
async function applied(name: string, manifest: string, ...words: string[]) {
  const place = join(folder, name)
  const places = ['--confdir', join(place, 'etc'), '--vardir', join(place, 'var'), '--modulepath', modules]
  const code = `file { '${place}/f': ensure => directory } ${manifest.replaceAll('@', `${place}/f`)}`
  const { status, out, err } = await runHere(['apply', ...places, '--detailed-exitcodes', ...words, '-e', code])
  const state = ['last_run_report.yaml', 'transactionstore.yaml', 'state.yaml'].map((file) =>
    join(place, 'var/state', file),
  )
  const kept = state.flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8')] : [])).join('')
  return { status, said: `${out}${err}`.replaceAll(`${place}/f`, '@').split('\n'), place: join(place, 'f'), kept }
}

const failing = `
  file { '@/bad': content => Deferred('file', ['@/none']), mode => '0600' }
  -> notify { 'after': message => Deferred('file', ['@/none either']) }
  file { '@/good': content => Deferred('sprintf', ['%s', 'x']) }`

describe('Deferred values', () => {
  it('fail their resource alone, what depends on it is skipped and none of its values is computed', async () => {
    const { status, said, place } = await applied('fails', failing)
    expect(status).toBe(6)
    expect(said).toContain(
      'Error: /Stage[main]/Main/File[@/bad]: Could not evaluate: Could not find any files from @/none',
    )
    expect(said).toContain('Warning: /Stage[main]/Main/Notify[after]: Skipping because of failed dependencies')
    expect(said.join('\n')).not.toContain('none either')
    expect(readFileSync(join(place, 'good'), 'utf8')).toBe('x')
    expect(existsSync(join(place, 'bad'))).toBe(false)
  })

  it('are computed before anything is applied with preprocess_deferred', async () => {
    const { status, said, place } = await applied('early', failing, '--preprocess_deferred')
    expect(status).toBe(1)
    expect(said).toContain('Error: Could not find any files from @/none')
    expect(existsSync(place)).toBe(false)
  })

  it('are not computed for resources that the tags leave out', async () => {
    const { status, said } = await applied('tagged', `${failing} notify { 'x': tag => 'mine' }`, '--tags', 'mine')
    expect(status).toBe(2)
    expect(said.join('\n')).not.toContain('any files')
  })

  it('are found in arrays, in commands, in names, and where children are made in the image of their folder', async () => {
    const { status, said, place } = await applied(
      'nested',
      `exec { 'words': command => ['/bin/echo', Deferred('sprintf', ['%s', 'two words'])], logoutput => true }
       exec { 'line': command => Deferred('sprintf', ['/bin/echo %s', 'hello']), logoutput => true }
       exec { '/bin/sh -c "mkdir @/tree; echo > @/tree/a"': }
       -> file { '@/tree': recurse => true, mode => Deferred('sprintf', ['%s', '0750']) }
       file { '@/by-name': path => Deferred('sprintf', ['%s', '@/named']), content => 'x' }`,
    )
    expect(status, said.join('\n')).toBe(2)
    expect(said).toContain('Notice: /Stage[main]/Main/Exec[words]/returns: two words')
    expect(said).toContain('Notice: /Stage[main]/Main/Exec[line]/returns: hello')
    expect(statSync(join(place, 'tree/a')).mode & 0o777).toBe(0o750)
    expect(readFileSync(join(place, 'named'), 'utf8')).toBe('x')
  })

  it('fail their resource alone where the type is of a module, in Ruby, whose checks wait for them', async () => {
    const { status, said, place } = await applied(
      'ruby',
      `note { '@/both': text => Deferred('sprintf', ['%s', 'a']), words => 'b' }
       note { '@/many': words => Deferred('split', ['b a', ' ']) }
       note { '@/heavy': weight => Deferred('sprintf', ['%s', 'x']) }
       entry { '@/e.json#one': value => Deferred('sprintf', ['%s', 'LOUD']), count => Deferred('max', [2, 3]) }
       entry { '@/e.json#two': value => Deferred('sprintf', ['%s', 'LOUD']), count => Deferred('sprintf', ['%s', 'x']) }`,
    )
    expect(status).toBe(6)
    expect(said.filter((line) => line.startsWith('Error')).join('\n')).toMatch(
      /Note\[@\/both\]: Could not evaluate: .*do not go together[\s\S]*heavy\]: Could not evaluate: .*weight failed[\s\S]*two\]: Could not evaluate: .*count/,
    )
    expect(readFileSync(join(place, 'many'), 'utf8')).toBe('b a')
    expect(JSON.parse(readFileSync(join(place, 'e.json'), 'utf8'))).toEqual({ one: { value: 'loud', count: 3 } })
  })

  it('show nothing that is Sensitive, in what they are made of or what they give', async () => {
    const { status, said, kept } = await applied(
      'secret',
      `file { '@/a': content => Deferred('unwrap', [Sensitive('hush-one')]) }
       file { '@/b': content => Deferred('inline_epp', ['<%= $x.unwrap %>', { 'x' => Sensitive('hush-two') }]) }
       notify { 'c': message => Deferred('new', [Sensitive, 'hush-three']) }
       note { '@/d': text => Deferred('unwrap', [Sensitive('hush-four')]) }
       exec { 'e': command => Deferred('sprintf', ['/bin/false %s', Deferred('unwrap', [Sensitive('hush-five')])]) }
       notify { 'f': message => Deferred('sprintf', ['%d', Sensitive('hush-six')]) }
       notify { 'g': message => Sensitive(Deferred('sprintf', ['%s', 'hush-seven'])) }`,
      ...['--debug', '--show_diff'],
    )
    expect(status).toBe(6)
    expect(said.join('\n')).not.toContain('hush')
    expect(kept).not.toContain('hush')
  })
})
