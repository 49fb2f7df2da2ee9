import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type AccessEntry,
  computeFileMode,
  createModeAccess,
  formatAccessList,
  isFileModeInSync,
  replaceAccount,
} from '../../../src/machine/windows/file-mode.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'

type Line = readonly [sid: string, mask: number, flags: number]

interface Answers {
  readonly modes: readonly {
    readonly owner: string
    readonly group: string
    readonly directory: boolean
    readonly mode: string
    readonly managed: readonly [boolean, boolean]
    readonly entries: readonly Line[]
    readonly read: string
  }[]
  readonly reassigned: readonly {
    readonly owner: string
    readonly group: string
    readonly who: 'owner' | 'group'
    readonly before: readonly Line[]
    readonly after: readonly Line[]
  }[]
}

const script = join(import.meta.dirname, 'file-modes.rb')
const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0').one(
  'access lists',
  readFileSync(script, 'utf8'),
  (): Answers => JSON.parse(execFileSync('ruby', [script], { encoding: 'utf8' })),
)

const toLines = (entries: readonly AccessEntry[]): Line[] => entries.map(({ sid, mask, flags }) => [sid, mask, flags])
const toEntries = (lines: readonly Line[]): AccessEntry[] =>
  lines.map(([sid, mask, flags]) => ({ kind: 'allow', sid, mask, flags }))

describe('modes on Windows', () => {
  it('writes the access lists of Puppet', () => {
    for (const { owner, group, directory, mode, managed, entries } of puppet.modes) {
      const [managesOwner, managesGroup] = managed
      const bits = Number.parseInt(mode, 8)
      const made = createModeAccess(bits, { owner, group }, { isDirectory: directory, managesOwner, managesGroup })
      expect(toLines(made.entries), `${mode} of ${owner} and ${group}`).toEqual(entries)
    }
  })

  it('reads the modes of Puppet', () => {
    for (const { owner, group, directory, entries, read } of puppet.modes) {
      const descriptor = { owner, group, entries: toEntries(entries), isProtected: true }
      expect(computeFileMode(descriptor, directory).toString(8)).toBe(read)
    }
  })

  it('gives the rights of an account to another, as Puppet does', () => {
    for (const { owner, group, who, before, after } of puppet.reassigned) {
      const changed = replaceAccount(
        { owner, group, entries: toEntries(before), isProtected: false },
        who,
        'S-1-5-32-546',
      )
      expect(toLines(changed.entries)).toEqual(after)
      expect(changed[who]).toBe('S-1-5-32-546')
    }
  })

  it('shows other accounts, and a list without SYSTEM, in the mode', () => {
    const descriptor = { owner: 'S-1-5-32-544', group: 'S-1-5-32-545', isProtected: false }
    const entries = toEntries([
      ['S-1-5-32-544', 0x1f01ff, 0],
      ['S-1-5-32-546', 0x120089, 0],
    ])
    expect(computeFileMode({ ...descriptor, entries }, false).toString(8)).toBe('6000700')
  })
})

const system = 'S-1-5-18'
const users = 'S-1-5-32-545'

it.each([
  [
    'full access of an unmanaged group SYSTEM is any mode',
    { owner: users, group: system },
    0o674,
    0o644,
    [false, false],
    true,
  ],
  ['less than full access is not', { owner: users, group: system }, 0o644, 0o644, [false, false], false],
  ['a managed group SYSTEM has its mode', { owner: users, group: system }, 0o674, 0o644, [false, true], false],
  ['an unmanaged owner SYSTEM', { owner: system, group: users }, 0o744, 0o644, [false, false], true],
  ['extra entries', { owner: users, group: users }, 0o2000644, 0o644, [false, false], false],
] as const)('compares modes: %s', (_, accounts, is, should, [managesOwner, managesGroup], expected) => {
  const descriptor = { ...accounts, entries: [], isProtected: true }
  expect(isFileModeInSync(descriptor, is, should, { managesOwner, managesGroup })).toBe(expected)
})

it('formats a list without inherited entries and entries without rights', () => {
  const entries = toEntries([
    ['S-1-5-18', 0x1f01ff, 3],
    ['S-1-0-0', 0, 0],
    ['S-1-3-0', 0x120089, 9],
    ['S-1-1-0', 0x1f01ff, 0x10],
  ])
  const denied: AccessEntry = { kind: 'deny', sid: 'S-1-5-7', mask: 2, flags: 0 }
  const descriptor = { owner: 'S-1-5-18', group: users, entries: [...entries, denied] }
  expect(formatAccessList({ ...descriptor, isProtected: true })).toBe(
    'G:S-1-5-32-545D:P(A;OICI;0x1f01ff;;;S-1-5-18)(A;OIIO;0x120089;;;S-1-3-0)(D;;0x2;;;S-1-5-7)',
  )
  expect(formatAccessList({ ...descriptor, isProtected: false })).toContain('D:(A;OICI')
})
