import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applied } from './deferred-runs.ts'

const failing = `
  file { '@/bad': content => Deferred('file', ['@/none']), mode => '0600' }
  -> notify { 'after': message => Deferred('file', ['@/none either']) }
  file { '@/good': content => Deferred('sprintf', ['%s', 'x']) }`

describe('Deferred values', () => {
  it('fail their resource alone, what depends on it is skipped and none of its values is computed', async () => {
    const { status, said, place } = await applied('fails', failing)
    expect(status).toBe(6)
    expect(said).toContain(
      "Error: /Stage[main]/Main/File[@/bad]: Could not evaluate: Parameter content failed on File[@/bad]: Deferred function 'file' failed: Could not find any files from @/none (line: 2)",
    )
    expect(said).toContain('Warning: /Stage[main]/Main/Notify[after]: Skipping because of failed dependencies')
    expect(said.join('\n')).not.toContain('none either')
    expect(readFileSync(join(place, 'good'), 'utf8')).toBe('x')
    expect(existsSync(join(place, 'bad'))).toBe(false)
  })

  it('are computed before anything is applied with preprocess_deferred', async () => {
    const { status, said, place } = await applied('early', failing, '--preprocess_deferred')
    expect(status).toBe(1)
    expect(said).toContain(
      "Error: Parameter content failed on File[@/bad]: Deferred function 'file' failed: Could not find any files from @/none (line: 2)",
    )
    expect(existsSync(place)).toBe(false)
  })

  it('are not computed for resources that the tags leave out', async () => {
    const { status, said } = await applied('tagged', `${failing} notify { 'x': tag => 'mine' }`, '--tags', 'mine')
    expect(status).toBe(2)
    expect(said.join('\n')).not.toContain('any files')
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
})
