import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

// Facts of this machine are compared in beside-facter.oracle.test.ts.
const facter = recordedAnswers(import.meta.filename, 'Facter 4.3')

describe('plumb facts prints what facter prints', () => {
  const folder = scratchFolder('beside-facter')
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]

  const yaml =
    'arr: [1, "two words", a_b, {x: 1, y: [true, ~]}, [], {}]\nempty: {}\nstr: "it\'s"\nf: 1.5\nneg: -5\n' +
    'q: "say \\"hi\\" \\\\ back"\nnl: "a\\nb"\nt: "true"\nn: "no"\ns: " lead"\nuni: "käse"\nnum: "12"\n"12": 3\n'

  beforeAll(() => {
    for (const name of ['one', 'two']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'one/a.yaml'), yaml)
    writeFileSync(join(folder, 'two/b.txt'), 'same=b\nmade=b\n')
  })

  const both = (name: string) => ['--external-dir', join(folder, name)]
  const named = ['arr', 'empty', 'str', 'f', 'neg', 'q', 'nl', 't', 'n', 's', 'uni', 'num', '12']

  const real = (words: readonly string[]) =>
    facter.one(words.filter((word) => !word.startsWith(folder)).join(' '), [words, yaml], () => {
      const { stdout, status } = spawnSync('facter', words, { encoding: 'utf8' })
      return { stdout, status }
    })

  it.each<[string, () => string[]]>([
    ['text of external facts', () => [...both('one'), ...named]],
    ['JSON of external facts', () => ['-j', ...both('one'), ...named]],
    ['YAML of external facts', () => ['-y', ...both('one'), ...named]],
    ['HOCON of external facts', () => ['--hocon', ...both('one'), ...named]],
    ['nothing', () => ['nosuch']],
  ])('%s', async (_, words) => {
    const { stdout, status } = real(words())
    const own = await runHere(['facts', ...words(), ...places])
    expect([own.out, own.status]).toEqual([stdout, status])
  })

  it.each([[['-j', '-y']], [['--no-external-facts', '--external-dir', 'x']]])('an error about %j', async (words) => {
    const message = /ERROR .*?conflict: please specify only one/
    const theirs = facter.one(words.join(' '), words, () => {
      const { stderr } = spawnSync('facter', words, { encoding: 'utf8' })
      return message.exec(stderr.replaceAll(/\u001b\[\d*m/g, ''))?.[0] ?? ''
    })
    const own = await runHere(['facts', ...words, 'kernel', ...places])
    expect([own.status, message.exec(own.err)?.[0] ?? '']).toEqual([1, theirs])
  })

  it('an error about two levels', async () => {
    expect((await runHere(['facts', '-d', '--verbose', 'kernel', ...places])).status).toBe(1)
  })

  it('and keeps facts as long as facter.conf says', async () => {
    const conf = join(folder, 'ttl.conf')
    writeFileSync(conf, 'facts : { ttls : [ { "timezone" : 1 day }, { "b.txt" : 2 hours } ] }')
    const ask = () => runHere(['facts', '-c', conf, ...both('two'), '-j', 'timezone', 'same', ...places])
    const before = await ask()
    writeFileSync(join(folder, 'var/cached_facts/timezone'), '{"timezone": "MINE", "cache_format_version": 1}')
    writeFileSync(join(folder, 'two/b.txt'), 'same=changed\n')
    expect(JSON.parse((await ask()).out)).toEqual({ same: 'b', timezone: 'MINE' })
    expect(
      JSON.parse((await runHere(['facts', '--no-cache', '-c', conf, ...both('two'), '-j', 'same', ...places])).out),
    ).toEqual({ same: 'changed' })
    expect(JSON.parse(before.out).same).toBe('b')
    writeFileSync(join(folder, 'two/b.txt'), 'same=b\nmade=b\n')
  })
})
