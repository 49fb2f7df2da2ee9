import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileTexts } from '../../support/file-texts.ts'
import { recordedRuns } from '../../support/puppet-runs.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const scratch = scratchFolder('resource-in-ruby')
// The same path wherever the tests are.
const modules = join(scratch, 'modules')
symlinkSync(join(import.meta.dirname, '../../node/resources/beside-puppet/modules'), modules)

const dns = {
  'example.com': {
    email: 'a@b.c',
    records: {
      'www.example.com': { type: 'A', value: ['192.0.2.1', '192.0.2.2'], ttl: 5 },
      'b.example.com': { type: 'TXT', value: ["it's"], ttl: null },
    },
  },
}

/** Command lines after `resource`, in this order on one machine; `@` is its folder. */
const commands: readonly (readonly string[])[] = [
  ['dnsrr'],
  ['dnsrr', 'none.example.com'],
  ['dnsrr', 'www.example.com', 'value=192.0.2.9', 'ttl=7'],
  ['dnszone', 'x.example.com', 'email=me-x'],
  ['dnszone', 'example.com', 'email=n-x', '--noop'],
  ['dnszone'],
  ['dnsrr', '--to_yaml'],
  ['note', '@/f/n', 'text=five'],
  ['peg'],
  ['peg', 'b', 'ensure=present', 'colour=green'],
  ['peg', 'none'],
]

const refused: readonly (readonly string[])[] = [
  ['note'],
  ['dnszone', 'example.com', 'nonsense'],
  ['dnszone', 'example.com', 'nonsense=1'],
  ['nothing'],
]

describe('plumb resource of types in Ruby, beside puppet resource', () => {
  const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
  let real: ReturnType<typeof recordedRuns>
  let left: string
  const dnsOf = (who: string) => readFileSync(join(scratch, who, 'f', 'dns.json'), 'utf8')
  const wordsFor = (who: string, given: readonly string[]) => {
    const base = join(scratch, who)
    const words = given.map((word) => word.replace('@', base))
    // The messages of the version of the recorded answers.
    const own = who === 'puppet' ? ['--color=false'] : ['--compatibility', 'puppet7']
    const places = ['--confdir', join(base, 'etc'), '--vardir', join(base, 'var'), '--modulepath', modules]
    return ['resource', ...words, ...places, ...own]
  }
  const said = (text: string, who: string) =>
    text.replaceAll(join(scratch, who), '@').replace(/in [\d.]+ seconds/, 'in N seconds')

  beforeAll(() => {
    for (const who of ['puppet', 'plumb']) {
      mkdirSync(join(scratch, who, 'f', 'pegs'), { recursive: true })
      writeFileSync(join(scratch, who, 'f', 'dns.json'), JSON.stringify(dns))
      writeFileSync(join(scratch, who, 'f', 'pegs', 'b'), 'blue')
    }
    const all = [...commands, ...refused].map((words) => [words.join(' '), wordsFor('puppet', words)] as const)
    const clean = (text: string) => said(text, 'puppet')
    real = recordedRuns(puppet, Object.fromEntries(all), [dns, fileTexts(modules)], clean)
    left = puppet.one('what is left', [dns, commands, fileTexts(modules)], () => dnsOf('puppet'))
  }, 120_000)

  it('prints what there is, and what it made, as Puppet does', { timeout: 120_000 }, async () => {
    for (const words of commands) {
      const { status, out, err } = await runHere(wordsFor('plumb', words))
      const { exitCode, stdout, stderr } = real[words.join(' ')]!
      const one = { words, status, out: said(out, 'plumb'), err: said(err, 'plumb') }
      expect(one).toEqual({ words, status: exitCode, out: stdout, err: stderr })
    }
    expect(dnsOf('plumb')).toBe(left)
  })

  it('refuses what Puppet refuses, in its words', { timeout: 60_000 }, async () => {
    for (const words of refused) {
      const { status, err } = await runHere(wordsFor('plumb', words))
      const { exitCode, stderr } = real[words.join(' ')]!
      // Puppet begins all of them so, ours those of the command itself.
      const plain = (text: string) => text.replace('Could not run: ', '')
      expect({ words, status, err: plain(err) }).toEqual({ words, status: exitCode, err: plain(stderr) })
    }
  })
})
