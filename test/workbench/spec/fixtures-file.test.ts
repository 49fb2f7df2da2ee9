import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFixtures, readFixturesFile } from '../../../src/workbench/spec/fixtures-file.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const context = { folder: '/m', moduleName: 'ntp' }

describe('fixtures', () => {
  it.each([
    ['a string', 'repositories: {a: "https://h/a.git"}', { kind: 'repositories', repo: 'https://h/a.git' }],
    ['a hash', 'repositories: {a: {repo: u, ref: v1, branch: b}}', { repo: 'u', ref: 'v1', branch: 'b' }],
    ['a tag', 'repositories: {a: {repo: u, tag: v1}}', { ref: 'v1' }],
    ['a ref before a tag', 'repositories: {a: {repo: u, ref: x, tag: v1}}', { ref: 'x' }],
    ['a number as ref', 'forge_modules: {a: {repo: o/a, ref: 9}}', { kind: 'forge_modules', ref: '9' }],
    ['flags', 'forge_modules: {a: {repo: o/a, flags: "--x  --y=1"}}', { flags: ['--x', '--y=1'] }],
    ['a target', 'repositories: {a: {repo: u, target: spec/other}}', { target: 'spec/other/a' }],
    ['the default target', 'repositories: {a: u}', { target: 'spec/fixtures/modules/a' }],
    ['source_dir', 'symlinks: {a: "#{source_dir}/x"}', { kind: 'symlinks', repo: '/m/x' }],
    ['module_name', 'symlinks: {a: "../#{module_name}"}', { repo: '../ntp' }],
    ['a matching version', 'repositories: {a: {repo: u, puppet_version: ">= 8.0.0"}}', { repo: 'u' }],
  ])('have %s', (_, text, expected) => {
    expect(parseFixtures(`fixtures:\n  ${text}\n`, context)).toEqual([
      expect.objectContaining({ name: 'a', ...expected }),
    ])
  })

  it('have the defaults of their kind', () => {
    const text = 'defaults: {forge_modules: {flags: --x}}\nfixtures: {forge_modules: {a: o/a}, repositories: {b: u}}'
    expect(parseFixtures(text, context).map(({ name, flags }) => [name, flags])).toEqual([
      ['b', []],
      ['a', ['--x']],
    ])
  })

  it.each([
    ['an older Puppet', 'fixtures: {repositories: {a: {repo: u, puppet_version: "< 8.0.0"}}}'],
    ['an option that is no hash', 'fixtures: {repositories: {a: [u]}}'],
    ['an empty file', ''],
    ['an empty list', 'fixtures:\n  repositories:\n'],
  ])('are left out for %s', (_, text) => {
    expect(parseFixtures(text, context)).toEqual([])
  })

  it.each([
    ['x: 1', "No 'fixtures' entries found; required"],
    ['fixtures: {repositories: {"../a": u}}', "'../a' is not the name of a module"],
    ['fixtures: {repositories: {a: {repo: u, target: ../..}}}', "target of 'a' is not a folder in the module"],
    ['fixtures: {repositories: {a: {repo: u, target: /tmp}}}', "target of 'a' is not a folder in the module"],
    ['fixtures: {repositories: {a: {repo: u, target: ~}}}', "target of 'a' is not a folder in the module"],
    ['fixtures: {repositories: {a: {repo: u, subdir: x/../../y}}}', "subdir of 'a' is not a folder in the repository"],
    ['fixtures: {repositories: {a: {repo: u, scm: git, ref: x/y}}}', 'The ref for a is invalid'],
    ['fixtures: {repositories: {a: {repo: u, puppet_version: "one"}}}', 'puppet_version'],
    ['fixtures: {symlinks: {a: "#{`id`}"}}', 'Ruby code'],
    ['a: &a [*a]', 'inside its own anchor'],
  ])('of %s are rejected', (text, message) => {
    expect(() => parseFixtures(text, context)).toThrow(message)
  })

  it('of a file that is too large are rejected', () => {
    const folder = scratchFolder('large-fixtures')
    writeFileSync(join(folder, '.fixtures.yml'), `fixtures: {}\n${'# x\n'.repeat(1_300_000)}`)
    expect(() => readFixturesFile(folder, 'a')).toThrow('Could not read')
  })

  it('stay inside the module, whatever the file contains', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (name, target, subdir) => {
        const text = JSON.stringify({ fixtures: { repositories: { [name]: { repo: 'u', target, subdir } } } })
        let found: ReturnType<typeof parseFixtures> = []
        try {
          found = parseFixtures(text, context)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
        for (const each of found) expect(join('/m', each.target)).toMatch(/^\/m\/./)
      }),
    )
  })
})
