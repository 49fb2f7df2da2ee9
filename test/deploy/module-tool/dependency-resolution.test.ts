import { describe, expect, it } from 'vitest'
import {
  acceptsVersion,
  type CandidateRelease,
  resolveRelease,
} from '../../../src/deploy/module-tool/dependency-resolution.ts'
import { IgnorePatterns } from '../../../src/deploy/module-tool/ignore-patterns.ts'
import { SemVer } from '../../../src/language/values/semver.ts'
import { fc } from '../../support/properties.ts'

const names = ['a-a', 'a-b', 'a-c', 'a-d'] as const
const versions = ['1.0.0', '1.1.0', '2.0.0'] as const
const ranges = ['1.x', '2.x', '>= 1.1.0', '< 1.1.0', '>= 1.0.0'] as const

/** A Forge of four modules: for each release its dependencies. */
const forges = fc.array(
  fc.array(fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...ranges), { maxKeys: 3 }), {
    minLength: versions.length,
    maxLength: versions.length,
  }),
  { minLength: names.length, maxLength: names.length },
)

function releasesOf(forge: readonly (readonly Record<string, string>[])[]): readonly CandidateRelease[] {
  return forge.flatMap((releases, at) =>
    releases.map((dependencies, index) => ({
      ...{ name: names[at]!, version: SemVer.parse(versions[index]!)!, priority: 0, isInstalled: false },
      dependencies: new Map(Object.entries(dependencies)),
    })),
  )
}

function isConsistent(releases: readonly CandidateRelease[]): boolean {
  return releases.every(({ dependencies }) =>
    [...dependencies].every(([name, range]) =>
      releases.some((each) => each.name === name && acceptsVersion(range, each.version)),
    ),
  )
}

/** True if a set with one release of each of these modules, or none of them, contains the first and is consistent. */
function hasSolution(all: readonly CandidateRelease[], chosen: readonly CandidateRelease[], at: number): boolean {
  if (at === names.length) return chosen.some(({ name }) => name === names[0]) && isConsistent(chosen)
  const own = all.filter(({ name }) => name === names[at])
  return hasSolution(all, chosen, at + 1) || own.some((each) => hasSolution(all, [...chosen, each], at + 1))
}

describe('resolveRelease', () => {
  it('returns consistent sets only, and finds none only if there is none', async () => {
    await fc.assert(
      fc.asyncProperty(forges, async (forge) => {
        const all = releasesOf(forge)
        const { solution } = await resolveRelease({
          ...{ name: names[0], range: '>= 0.0.0', constraints: [], hasUniqueNames: true },
          list: async (name) => all.filter((each) => each.name === name),
        })
        if (solution) expect(isConsistent(solution.map(({ release }) => release))).toBe(true)
        else expect(hasSolution(all, [], 0)).toBe(false)
      }),
    )
  })

  it('ends a search without end', async () => {
    const count = 40
    const list = async (slug: string): Promise<CandidateRelease[]> => {
      const at = Number(slug.slice(3))
      return Array.from({ length: 20 }, (_, index) => ({
        ...{ name: slug, version: new SemVer(1, index, 0), priority: 0, isInstalled: false },
        dependencies: new Map(
          at === 10
            ? Array.from({ length: count - 11 }, (_, next) => [`x-m${next + 11}`, '1.x'])
            : at === count - 1
              ? [['x-m99', '>= 1.0.0']]
              : [],
        ),
      }))
    }
    const impossible = { source: 'x-y', name: 'x-m99', range: '9.x' }
    const request = { name: 'x-m10', range: '1.x', constraints: [impossible], hasUniqueNames: true, list }
    await expect(resolveRelease(request)).rejects.toThrow(/Found no versions that meet all dependencies of 'x-m10' in/)
  })
})

describe('IgnorePatterns', () => {
  it('reads any pattern', () => {
    const patterns = new IgnorePatterns([`${'*a'.repeat(500)}b`, `${'**/'.repeat(200)}x`, '[', '\\', '[a-', '!'])
    expect(patterns.ignores('a'.repeat(1000), false)).toBe(false)
    expect(patterns.ignores(`${'a/'.repeat(200)}a`, false)).toBe(false)
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (lines, path) => {
        expect(typeof new IgnorePatterns(lines).ignores(path, true)).toBe('boolean')
      }),
    )
  })
})
