import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PuppetRun, puppetRuns } from '../support/puppet-runs.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const modules = join(import.meta.dirname, '../resources/beside-puppet/modules')

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

describe.skipIf(!hasPuppet)(`plumb resource of types in Ruby, beside puppet resource${withoutPuppet}`, () => {
  const scratch = scratchFolder('resource-in-ruby')
  let real: readonly PuppetRun[]
  const wordsFor = (who: string, given: readonly string[]) => {
    const base = join(scratch, who)
    const words = given.map((word) => word.replace('@', base))
    const color = who === 'puppet' ? ['--color=false'] : []
    const places = ['--confdir', join(base, 'etc'), '--vardir', join(base, 'var'), '--modulepath', modules]
    return ['resource', ...words, ...places, ...color]
  }
  const said = (text: string, who: string) =>
    text.replaceAll(join(scratch, who), '@').replace(/in [\d.]+ seconds/, 'in N seconds')

  beforeAll(() => {
    for (const who of ['puppet', 'plumb']) {
      mkdirSync(join(scratch, who, 'f', 'pegs'), { recursive: true })
      writeFileSync(join(scratch, who, 'f', 'dns.json'), JSON.stringify(dns))
      writeFileSync(join(scratch, who, 'f', 'pegs', 'b'), 'blue')
    }
    real = puppetRuns([...commands, ...refused].map((words) => wordsFor('puppet', words)))
  }, 120_000)

  it('prints what there is, and what it made, as Puppet does', { timeout: 120_000 }, async () => {
    for (const [index, words] of commands.entries()) {
      const { status, out, err } = await runHere(wordsFor('plumb', words))
      const { exitCode, stdout, stderr } = real[index]!
      const one = { words, status, out: said(out, 'plumb'), err: said(err, 'plumb') }
      expect(one).toEqual({ words, status: exitCode, out: said(stdout, 'puppet'), err: said(stderr, 'puppet') })
    }
    const left = (who: string) => readFileSync(join(scratch, who, 'f', 'dns.json'), 'utf8')
    expect(left('plumb')).toBe(left('puppet'))
  })

  it('refuses what Puppet refuses, in its words', { timeout: 60_000 }, async () => {
    for (const [index, words] of refused.entries()) {
      const { status, err } = await runHere(wordsFor('plumb', words))
      const { exitCode, stderr } = real[commands.length + index]!
      // Puppet begins all of them so, ours those of the command itself.
      const plain = (text: string) => text.replace('Could not run: ', '')
      expect({ words, status, err: plain(err) }).toEqual({ words, status: exitCode, err: plain(stderr) })
    }
  })
})
