import { spawnSync } from 'node:child_process'
import { join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFixtures } from '../../../src/workbench/spec/fixtures-file.ts'
import { without } from '../../support/needs.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const lacking = without('puppetlabs_spec_helper')
const folder = scratchFolder('spec-helper')
const kinds = ['symlinks', 'repositories', 'forge_modules'] as const

/** A fixture as puppetlabs_spec_helper lists it: its source and its options. */
type Listed = readonly [string, Readonly<Record<string, string | number | null>>]

const word = fc.constantFrom(
  'a',
  'stdlib',
  'v1',
  '1.2.0',
  'main',
  'spec/other',
  'https://h/a.git',
  'git',
  '#{source_dir}/x',
)
// Without a gem of Puppet, the real program ignores puppet_version.
const option = fc.constantFrom('ref', 'tag', 'branch', 'scm', 'flags', 'target', 'subdir', 'unknown')
const value = fc.oneof(word, fc.constantFrom('', null, 5, 1.5, true, 'x/y'))
const options = fc.dictionary(option, value, { maxKeys: 4 })
const fixture = fc.oneof(word, fc.record({ repo: word, more: options }), fc.constantFrom(null, 5, [], {}))
const modules = fc.dictionary(fc.constantFrom('a', 'b', 'ntp', 'stdlib'), fixture, { maxKeys: 3 })
// Without links, the real program adds one to the module itself, which we always link.
const file = fc.record(
  {
    fixtures: fc.dictionary(fc.constantFrom(...kinds, 'others'), fc.oneof(modules, fc.constant(null)), { maxKeys: 3 }),
    defaults: fc.dictionary(fc.constantFrom(...kinds), options, { maxKeys: 2 }),
  },
  { requiredKeys: [] },
)

/** The text of a file. JSON is YAML, too. */
function write(content: object): string {
  const flatten = (key: string, given: unknown) =>
    key !== 'more' && typeof given === 'object' && given !== null && 'more' in given
      ? { repo: (given as { repo?: unknown }).repo, ...(given.more as object) }
      : given
  const { fixtures, ...others } = content as { readonly fixtures?: Readonly<Record<string, unknown>> }
  const all = fixtures && { fixtures: { ...fixtures, symlinks: fixtures['symlinks'] ?? {} } }
  return JSON.stringify({ ...all, ...others }, flatten)
}

function readOurs(text: string): Readonly<Record<string, readonly Listed[]>> | string {
  try {
    const all = parseFixtures(text, { folder, moduleName: 'spec-helper' })
    const list = (kind: string) =>
      all
        .filter((each) => each.kind === kind)
        .map(
          ({ repo, target, ref, branch, scm, subdir, flags }): Listed => [
            repo,
            {
              target,
              ref: ref ?? null,
              branch: branch ?? null,
              scm: scm ?? null,
              flags: flags.join(' '),
              subdir: subdir ?? null,
            },
          ],
        )
    // Of fixtures with the same source, the real program fetches only the last one.
    return Object.fromEntries(kinds.map((kind) => [kind, [...new Map(list(kind))]]))
  } catch (error) {
    return (error as Error).message
  }
}

/** A list of the real program in the form of ours: numbers as texts, and targets relative to the module. */
function toOurForm(listed: readonly Listed[]): readonly Listed[] {
  return listed.map(([repo, given]) => {
    const { target, flags, ...others } = given
    const texts = Object.entries(others).map(([name, each]) => [name, each === null ? null : String(each)] as const)
    const relative = normalize(String(target).replace(`${folder}/`, ''))
    return [repo, { target: relative, flags: String(flags ?? ''), ...Object.fromEntries(texts) }]
  })
}

describe.skipIf(lacking !== '')(`fixtures are those of puppetlabs_spec_helper${lacking}`, () => {
  it('in files of any form, unless we reject the file', () => {
    const texts = fc.sample(file, 1_000).map(write)
    const script = join(import.meta.dirname, 'fixtures-helper.rb')
    const { stdout, stderr } = spawnSync('ruby', [script], {
      cwd: folder,
      input: JSON.stringify(texts),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    expect(stderr).toBe('')
    const theirs = JSON.parse(stdout) as readonly (Readonly<Record<string, readonly Listed[]>> | string)[]
    const compared = texts.flatMap((text, index) => {
      const [own, real] = [readOurs(text), theirs[index]!]
      // We reject more: targets outside of the module, options of another type, and versions that are no ranges.
      if (typeof own === 'string') return []
      const expected =
        typeof real === 'string' ? real : Object.fromEntries(kinds.map((kind) => [kind, toOurForm(real[kind]!)]))
      return [{ text, own, expected }]
    })
    expect(compared.length).toBeGreaterThan(300)
    for (const { text, own, expected } of compared) expect([text, own]).toEqual([text, expected])
  })
})
