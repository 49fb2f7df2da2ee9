import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { meetsRequirements, parseGemVersion } from '../../../../src/node/gems/gem-version.ts'
import { gemScheme } from '../../../../src/node/resources/providers/package/gem.ts'
import { parsePipVersion, pipScheme } from '../../../../src/node/resources/providers/package/pip-version.ts'
import { compareWithDesired, rpmScheme } from '../../../../src/node/resources/providers/package/rpm-version.ts'
import type { VersionScheme } from '../../../../src/node/resources/providers/package/version-range.ts'
import { recordedAnswers } from '../../../support/recorded-answers.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const versions = {
  Rpm: `1.0 1.0-1 1:1.0-1 1.00 1.0.1 1.0~rc1-1 1.0~rc1 1.0~ 1.0a 1.0b 1.0-1.el7 1.0-1.el7.x86_64 1.0-2 2 10 1.a a
    1.0^git1 1.0+git 1..0 007 7 x:1.0 -1 1.0- 1.0-1noarch 4.1.2-29.el6 1.0.2k 1.0.2`.split(/\s+/),
  Pip: `1.0 1.0.0 1.10 1.9 1.0a1 1.0alpha1 1.0b2 1.0rc1 1.0c1 1.0.pre1 1.0.post1 1.0-1 1.0.r2 1.0.dev3 1.0a1.dev1
    1.0.post1.dev2 1!0.5 v2.0 2.0+local 2.0+local.1 2.0+1 2.0+1.2 2.0+abc 0.0 1.0RC1 1.0_rc_1 1.0.0.1 1.0-1.dev1`.split(
    /\s+/,
  ),
  Gem: `1.0 1.0.0 1 1.10 1.9 1.0.a 1.0.rc1 1.0.0.rc1 1.0-x 1.0.a.1 1.0.b 2 0.9 1.0.0.1 1.a.0 1.0.pre.1 0 0.0 10 1.2.3-4`.split(
    /\s+/,
  ),
}

const requirements =
  `~> 1.2|~> 1.2.3|~> 1|>= 1.0, < 2.0|= 1.0|1.0|!= 1.0|> 1.0.rc1|~> 1.0.a|<= 1.0.a, > 0|>= 1,, < 2|x, > 1`.split('|')

const script = `
require 'json'
require 'puppet'
%w[rpm pip gem].each { |name| require "puppet/util/package/version/#{name}" }
require 'puppet/util/rpm_compare'
include Puppet::Util::RpmCompare
given = JSON.parse($stdin.read)
orders = given['versions'].to_h do |name, texts|
  kind = Puppet::Util::Package::Version.const_get(name)
  [name, texts.flat_map { |a| texts.map { |b| (kind.parse(a) <=> kind.parse(b)) <=> 0 } }]
end
rpms = given['versions']['Rpm']
wanted = rpms.flat_map { |a| rpms.map { |b| rpm_compareEVR(a.dup, b.dup) <=> 0 } }
met = given['requirements'].map do |text|
  given['versions']['Gem'].map do |version|
    Gem::Dependency.new('', text.split(',')).match?('', Gem::Version.new(version))
  rescue ArgumentError
    false
  end
end
puts JSON.generate(orders: orders, wanted: wanted, met: met, pips: given['versions']['Pip'].map { |each| Puppet::Util::Package::Version::Pip.parse(each).to_s })
`

function ordersOf<Version>(texts: readonly string[], { parse, compare }: VersionScheme<Version>): readonly string[] {
  return pairsOf(texts, (a, b) => compare(parse(a)!, parse(b)!))
}

function pairsOf(texts: readonly string[], compare: (a: string, b: string) => number): readonly string[] {
  return texts.flatMap((a) => texts.map((b) => `${a} ${'<=>'[Math.sign(compare(a, b)) + 1]} ${b}`))
}

interface Real {
  /** Each compared with each: -1, 0 or 1. */
  readonly orders: Readonly<Record<keyof typeof versions, readonly number[]>>
  readonly wanted: readonly number[]
  readonly met: readonly (readonly boolean[])[]
  readonly pips: readonly string[]
}

describe('versions of packages have the order that real Puppet gives them', () => {
  const question = { versions, requirements, script }
  const real = puppet.one('all versions', question, () => {
    const { stdout } = spawnSync('ruby', ['-e', script], { input: JSON.stringify(question), encoding: 'utf8' })
    return JSON.parse(stdout) as Real
  })
  const named = (texts: readonly string[], orders: readonly number[]) => {
    let at = 0
    return pairsOf(texts, () => orders[at++]!)
  }

  it('but for 0:1.0, which real Puppet holds for newer than 2, and 1, for older than 1.0', () => {
    const [rpms, pips] = [
      ['0:1.0', '2', '1.0'],
      ['1', '1.0', '0'],
    ]
    expect(ordersOf(rpms, rpmScheme).slice(0, 3)).toEqual(['0:1.0 = 0:1.0', '0:1.0 < 2', '0:1.0 = 1.0'])
    expect(ordersOf(pips, pipScheme).slice(0, 3)).toEqual(['1 = 1', '1 = 1.0', '1 > 0'])
  })

  it('of rpm', () => {
    expect(ordersOf(versions.Rpm, rpmScheme)).toEqual(named(versions.Rpm, real.orders.Rpm))
    expect(pairsOf(versions.Rpm, compareWithDesired)).toEqual(named(versions.Rpm, real.wanted))
  })

  it('of Python', () => {
    expect(ordersOf(versions.Pip, pipScheme)).toEqual(named(versions.Pip, real.orders.Pip))
    expect(versions.Pip.map((text) => parsePipVersion(text)?.text)).toEqual(real.pips)
    expect(['1.0x', '', '1.0.', 'latest', '1'.repeat(2000)].map((text) => parsePipVersion(text))).toEqual(
      Array(5).fill(undefined),
    )
  })

  it('of Ruby', () => {
    expect(ordersOf(versions.Gem, gemScheme)).toEqual(named(versions.Gem, real.orders.Gem))
    const met = requirements.map((text) => versions.Gem.map((each) => meetsRequirements(text, parseGemVersion(each)!)))
    const table = (rows: readonly (readonly boolean[])[]) =>
      rows.flatMap((row, index) => row.map((met, at) => `${requirements[index]} ${met} ${versions.Gem[at]}`))
    expect(table(met)).toEqual(table(real.met))
  })
})
