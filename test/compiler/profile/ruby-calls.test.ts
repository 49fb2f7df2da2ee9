import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  classifyRubyCall,
  RubyCallCounts,
  type RubyCallOutcome,
} from '../../../src/compiler/profile/ruby-call-counts.ts'
import { summarizeRubyCalls } from '../../../src/compiler/profile/ruby-call-summary.ts'

const ruby = resolve(import.meta.dirname, '../../../src/ruby')

/** The texts in the code after which a call is not recalled; names in them are `NAME`. */
function reasonsInCode(): string[] {
  const files = readdirSync(ruby, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:ts|rb)$/.test(file))
  const text = files.map((file) => readFileSync(join(ruby, file), 'utf8')).join('\n')
  const given = [
    ...text.matchAll(/\b(?:spoil|forbid)\(\s*(['"`])(.+?)\1/g),
    ...text.matchAll(/#because\([^\n]*?, (['"`])(.+?)\1\)/g),
    ...text.matchAll(/\breason(?: ===? undefined \? undefined)?:? \??=?\??=? ?(['"`])(.+?)\1/g),
  ]
  return [...new Set(given.map(([, , reason = '']) => reason.replace(/[#$]\{[^}]*\}/g, 'NAME')))]
}

describe('the group of a Ruby call', () => {
  const reasons: readonly (readonly [reason: string, outcome: RubyCallOutcome])[] = [
    ['recall is off', 'off'],
    ['fails', 'failed'],
    ['has not been loaded yet', 'loading'],
    ['has arguments of this catalog only', 'values'],
    ['returns a numbered object', 'values'],
    ['has no key', 'queries'],
    ['asks call', 'queries'],
    ['uses variable of another scope', 'queries'],
    ['uses call, which has side effects', 'effects'],
    ['uses the cache of another lookup', 'effects'],
    ['changes what others have', 'effects'],
    ['reads a variable stored in Ruby', 'effects'],
    ['is not in a file of UTF-8 text', 'code'],
    ['changes Facter::LIST', 'code'],
    ['names ENV', 'code'],
    ['has $stderr', 'code'],
    ['uses define_method', 'code'],
    ['/modules/a/lib/b.rb adds to_yaml', 'code'],
    ['code of a module redefines String#to_s', 'code'],
    ['STATE is redefined', 'code'],
  ]

  it.each(reasons)('of "%s" is %s', (reason, outcome) => {
    expect(classifyRubyCall({ isRecalled: false, reason })).toBe(outcome)
  })

  it('is known for each reason in the code', () => {
    const known = reasonsInCode()
    expect(known.length).toBeGreaterThan(25)
    expect(known.filter((reason) => classifyRubyCall({ isRecalled: false, reason }) === 'other')).toEqual([])
  })

  it('is counted', () => {
    const counts = new RubyCallCounts()
    counts.count({ label: 'a', isRecalled: true, reason: undefined })
    counts.count({ label: 'a', isRecalled: false, reason: undefined })
    for (const reason of ['fails', 'fails', 'is the reason of a later version'])
      counts.count({ label: 'a', isRecalled: false, reason })
    expect(counts.byOutcome).toEqual({ recalled: 1, recorded: 1, failed: 2, other: 1 })
  })
})

describe('the summary of Ruby calls', () => {
  it('lists reasons and functions, the most frequent first', () => {
    const ran = (label: string, reason?: string) => ({ label, isRecalled: false, reason })
    const calls = [
      ran('one', 'fails'),
      ran('one', 'names ENV'),
      ran('two', 'names ENV'),
      ran('two', 'names ENV'),
      ran('two'),
      { label: 'three', isRecalled: true, reason: undefined },
    ]
    expect(summarizeRubyCalls(calls)).toEqual({
      calls: 6,
      recalled: 1,
      recorded: 1,
      not_recalled: [
        {
          reason: 'names ENV',
          calls: 3,
          labels: [
            { label: 'two', calls: 2 },
            { label: 'one', calls: 1 },
          ],
        },
        { reason: 'fails', calls: 1, labels: [{ label: 'one', calls: 1 }] },
      ],
    })
  })

  it('is empty without calls', () => {
    expect(summarizeRubyCalls([])).toEqual({ calls: 0, recalled: 0, recorded: 0, not_recalled: [] })
  })
})
