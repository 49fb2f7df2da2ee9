import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noModules } from '../../support/real-puppet.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { applied } from './deferred-runs.ts'

const modules = resolve(import.meta.dirname, 'modules')
const folder = scratchFolder('deferred-functions')

/** The content of a file, by the name of the file; real Puppet and this program write the same. */
const values: Readonly<Record<string, string>> = {
  arguments: `Deferred('deferrals::plain', ['a', 'b'])`,
  'no arguments': `Deferred('deferrals::plain')`,
  'Deferred argument': `Deferred('deferrals::plain', [Deferred('deferrals::plain', ['a', 'b']), 'c'])`,
  'Deferred in an array': `Deferred('join', [[Deferred('deferrals::plain', ['a']), 'b'], '-'])`,
  'Deferred in a hash': `Deferred('inline_epp', ['<%= $x["y"] %>', { 'x' => { 'y' => Deferred('deferrals::plain', ['a', 'b']) } }])`,
  'Deferred in Sensitive': `Sensitive(Deferred('deferrals::plain', ['a', 'b']))`,
  'Puppet 3 API': `Deferred('deferrals_old', ['x'])`,
  'built-in function': `Deferred('sprintf', ['%s', 'x'])`,
  variable: `Deferred('$facts', ['kernel'])`,
  'nested key of a variable': `Deferred('$facts', ['os', 'family'])`,
  'Sensitive result': `Deferred('deferrals::secret', ['a/b'])`,
  'unwrapped result': `Deferred('unwrap', [Deferred('deferrals::secret', ['a/b'])])`,
  'Sensitive argument': `Deferred('deferrals::opened', [Sensitive('word')])`,
  'Sensitive result as argument': `Deferred('deferrals::opened', [Deferred('deferrals::secret', ['a/b'])])`,
  'secret in a template': `Deferred('inline_epp', ['<%= $x.unwrap %>', { 'x' => Deferred('deferrals::secret', ['x']) }])`,
  'secret in text': `Deferred('sprintf', ['p=%s', Deferred('unwrap', [Deferred('deferrals::secret', ['a'])])])`,
  'module function in EPP': `Deferred('inline_epp', ['<%= deferrals::plain("a", "b") %>'])`,
  'EPP of a module': `Deferred('epp', ['deferrals/t.epp', { 'word' => 'w' }])`,
  'ERB of a module': `Deferred('template', ['deferrals/t.erb'])`,
  'inline ERB': `Deferred('inline_template', ['<%= scope["facts"]["kernel"] %>'])`,
  'functions in a function': `Deferred('deferrals::inside', ['w'])`,
  'Binary argument': `Deferred('deferrals::plain', [Binary('aGVsbG8='), 'x'])`,
  'Binary result': `Deferred('binary_file', ['deferrals/bytes'])`,
  'call by name': `Deferred('call', ['deferrals::plain', 'x'])`,
  'lookup with a default': `Deferred('lookup', ['nothing::here', String, 'first', 'default'])`,
  program: `Deferred('generate', ['/bin/echo', 'x'])`,
}

/** Values that cannot be resolved. */
const failures: Readonly<Record<string, string>> = {
  'unknown function': `Deferred('deferrals::unknown', [])`,
  'wrong type': `Deferred('deferrals::plain', [1])`,
  'Sensitive for a String': `Deferred('deferrals::plain', [Sensitive('x')])`,
  'wrong count': `Deferred('deferrals::secret', [])`,
  'exception in Ruby': `Deferred('deferrals::secret', ['x', { 'missing' => true }])`,
  'exception in an argument': `Deferred('deferrals::plain', [Deferred('deferrals::secret', ['x', { 'missing' => true }])])`,
  'exception in the Puppet 3 API': `Deferred('deferrals_old', ['bad'])`,
  'lookup without a default': `Deferred('lookup', ['nothing::here'])`,
  'program that fails': `Deferred('generate', ['/bin/false'])`,
  'result of a wrong type': `Deferred('abs', [-3])`,
}

interface Written {
  readonly contents: Readonly<Record<string, string>>
  readonly errors: readonly string[]
}

const answers = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** Files that real Puppet writes, and its errors. It resolves all values before the run, as its version 7 does by default. */
function realRun(name: string, code: string): Written {
  const place = join(folder, name)
  mkdirSync(join(place, 'f'), { recursive: true })
  const places = [
    '--confdir',
    join(place, 'etc'),
    '--vardir',
    join(place, 'var'),
    '--modulepath',
    modules,
    ...noModules,
  ]
  const words = [
    'apply',
    '--color=false',
    '--preprocess_deferred',
    ...places,
    '-e',
    code.replaceAll('@', join(place, 'f')),
  ]
  const { stdout, stderr } = spawnSync('puppet', words, { encoding: 'utf8' })
  const errors = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => line.startsWith('Error: ') && !line.includes('Facter'))
  return {
    contents: readContents(join(place, 'f')),
    errors: errors.map((line) => line.replaceAll(join(place, 'f'), '@')),
  }
}

const readContents = (place: string): Written['contents'] =>
  Object.fromEntries(readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'latin1')]))

const toManifest = (some: typeof values) =>
  Object.entries(some)
    .map(([name, value]) => `file { '@/${name}': content => ${value} }`)
    .join('\n')

describe('Deferred functions', () => {
  it('give the values that they give in real Puppet', async () => {
    const expected = answers.one('values', values, () => realRun('values', toManifest(values)))
    expect(expected.errors).toEqual([])
    const { status, said, place } = await applied('values', toManifest(values))
    expect(status, said.join('\n')).toBe(2)
    expect(readContents(place)).toEqual({ ...expected.contents })
  })

  it('fail as in real Puppet, but their resource alone', async () => {
    const expected = answers.all(failures, () =>
      Object.fromEntries(
        Object.entries(failures).map(([name, value]) => [name, realRun(name, toManifest({ [name]: value }))]),
      ),
    )
    const { status, said, place } = await applied('failures', toManifest(failures))
    expect(status).toBe(4 | 2)
    expect(readContents(place)).toEqual({})
    for (const [name, { errors }] of Object.entries(expected)) {
      const reason = errors[0]!
        .replace(/^Error: /, '')
        .replace(/ \(file: .*| \(line: .*/, '')
        .trim()
      const own = said.filter((line) =>
        line.startsWith(`Error: /Stage[main]/Main/File[@/${name}]: Could not evaluate: `),
      )
      expect(own, name).toHaveLength(1)
      expect(own[0]).toContain(reason)
      expect(own[0]).toContain(`Parameter content failed on File[@/${name}]: `)
      expect(own[0]).toMatch(/ \(line: \d+\)$/)
    }
  })

  it('fail if a type is the content of a file', async () => {
    const { status, said } = await applied('type', "file { '@/a': content => Deferred('type', [1]) }")
    expect(status).toBe(4 | 2)
    expect(said.join('\n')).toContain(
      'Munging failed for value "Integer[1, 1]" in class content: no implicit conversion of Puppet::Pops::Types::PIntegerType into String',
    )
  })

  it('skip dependents of a resource that fails, and apply the others', async () => {
    const { status, said, place } = await applied(
      'dependents',
      `file { '@/bad': content => Deferred('deferrals::secret', ['x', { 'missing' => true }]) }
       -> file { '@/dependent': content => Deferred('deferrals::plain', ['not called']) }
       file { '@/good': content => Deferred('deferrals::written', ['x']) }`,
    )
    expect(status).toBe(6)
    expect(said).toContain('Warning: /Stage[main]/Main/File[@/dependent]: Skipping because of failed dependencies')
    expect(said.join('\n')).not.toContain('plain with 1 words')
    expect(existsSync(join(place, 'dependent'))).toBe(false)
    expect(readFileSync(join(place, 'good'), 'utf8')).toMatch(/^\w+ x\+pp$/)
  })

  it('are called before the run with preprocess_deferred, and name the resource that stops it', async () => {
    const code = `file { '@/a': content => 'x' }
      file { '@/b': content => Deferred('deferrals::secret', ['x', { 'missing' => true }]) }`
    const { status, said, place } = await applied('before', code, '--preprocess_deferred')
    expect(status).toBe(1)
    expect(said.join('\n')).toMatch(
      /Error: .*Parameter content failed on File\[@\/b\]: Deferred function 'deferrals::secret' failed: no secret at x \(line: 2\)/,
    )
    expect(existsSync(place)).toBe(false)
  })

  it('can use a file that an earlier resource of the same run has created', async () => {
    const { status, said, place } = await applied(
      'late',
      `file { '@/source': content => 'from before' } -> file { '@/copy': content => Deferred('file', ['@/source']) }`,
    )
    expect(status, said.join('\n')).toBe(2)
    expect(readFileSync(join(place, 'copy'), 'utf8')).toBe('from before')
  })

  it('share the Ruby of types that modules define', async () => {
    const { status, said, place } = await applied(
      'types',
      `note { '@/note': text => Deferred('deferrals::plain', ['a', 'b']) }
       note { '@/hidden': text => Deferred('deferrals::secret', ['n']) }`,
    )
    expect(status, said.join('\n')).toBe(2)
    expect(readFileSync(join(place, 'note'), 'utf8')).toBe('a+b')
    expect(readFileSync(join(place, 'hidden'), 'utf8')).toBe('hush-n')
    expect(said.join('\n')).not.toContain('hush')
  })

  it('leave no secret in messages, reports and state, whatever a function makes of it', async () => {
    const { status, said, kept } = await applied(
      'secrets',
      `file { '@/a': content => Deferred('deferrals::opened', [Deferred('deferrals::secret', ['a'])]) }
       exec { 'b': command => Deferred('sprintf', ['/bin/false %s', Deferred('unwrap', [Deferred('deferrals::secret', ['b'])])]) }
       notify { 'c': message => Deferred('sprintf', ['%d', Deferred('unwrap', [Deferred('deferrals::secret', ['c'])])]) }
       notify { 'e': message => Deferred('inline_epp', ['<%= deferrals::secret("e").unwrap %>']) }
       notify { 'f': message => Deferred('inline_template', ['<%= scope.call_function("deferrals::secret", ["f"]).unwrap %>']) }
       notify { 'd': message => Deferred('inline_epp', ['<% notice($x.unwrap) %>', { 'x' => Deferred('deferrals::secret', ['d']) }]) }`,
      ...['--debug', '--trace', '--evaltrace', '--show_diff'],
    )
    expect(status).toBe(6)
    expect(said.join('\n')).not.toMatch(/hush/i)
    expect(kept).not.toMatch(/hush/i)
  })
})
