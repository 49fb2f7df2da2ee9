import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  compareDebianVersions,
  debianScheme,
  parseDebianVersion,
} from '../../../../src/node/resources/providers/package/debian-version.ts'
import { parseVersionRange } from '../../../../src/node/resources/providers/package/version-range.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'

const dpkg = recordedAnswers(import.meta.filename, 'dpkg 1.21')

const versions =
  `1.0 1.00 1.0~ 1.0~~ 1.0~~a 1.0~rc1 1.0~rc1-1 1.0-1 1.0-1~bpo12+1 1.0-1+b2 1.0-10 1.0-9 1.0.1 1.0a 1.0+a
  1.0+dfsg-1 1:0.1 0:1.0 2 10 1.a 1.0-0 1.0-a 007 7 1.19-1 9007199254740993 9007199254740992 a 1.0+~ 1.0+`
    .split(/\s+/)
    .filter((each) => each !== 'a')

describe('versions of Debian packages', () => {
  it('have the order that dpkg gives them', () => {
    const pairs = versions.flatMap((a, index) => versions.slice(index).map((b) => [a, b] as const))
    const script = pairs
      .map(
        ([a, b]) =>
          `dpkg --compare-versions ${a} lt ${b} && echo lt || { dpkg --compare-versions ${a} eq ${b} && echo eq || echo gt; }`,
      )
      .join('\n')
    const words = dpkg.one('pairs', script, () =>
      spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n'),
    )
    const own = pairs.map(([a, b]) => {
      const order = Math.sign(compareDebianVersions(parseDebianVersion(a)!, parseDebianVersion(b)!))
      return `${a} ${order < 0 ? 'lt' : order === 0 ? 'eq' : 'gt'} ${b}`
    })
    expect(own).toEqual(pairs.map(([a, b], index) => `${a} ${words[index]} ${b}`))
  })

  it.each([
    ['<=1.19-1', ['1.18', '1.19', '1.19-1'], ['1.19-2', '1.20', '1:0']],
    ['>1.0 <2.0', ['1.1', '2.0~rc1'], ['1.0', '2.0', '2.0-1']],
    ['>=1:1.0', ['1:1.0', '2:0'], ['9.9']],
    ['<2 >1 <0', ['1.5'], ['2']],
  ])('%s is a range', (range, within, without) => {
    const includes = (each: string) => parseVersionRange(range, debianScheme)!.includes(parseDebianVersion(each)!)
    expect([within.map(includes), without.map(includes)]).toEqual([within.map(() => true), without.map(() => false)])
  })

  it.each(['<>1', '=1', '<', '>=1.0 <_', ''])('%s is none', (word) => {
    expect(parseVersionRange(word, debianScheme)).toBeUndefined()
  })

  it.each(['1.19-1', 'latest', 'present'])('%s is one version', (word) => {
    expect(parseVersionRange(word, debianScheme)).toMatchObject({ isExact: true })
  })
})
