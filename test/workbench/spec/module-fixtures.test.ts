import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linkModuleFixtures, readModuleFixtures } from '../../../src/workbench/spec/module-fixtures.ts'
import { fc } from '../../support/properties.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A module with metadata.json and .fixtures.yml. */
function makeModule(metadata: string, fixtures: string): string {
  const folder = scratchFolder('fixtures')
  mkdirSync(join(folder, 'spec/fixtures/other'), { recursive: true })
  writeFileSync(join(folder, 'metadata.json'), metadata)
  writeFileSync(join(folder, '.fixtures.yml'), fixtures)
  return folder
}

describe('fixtures of a module', () => {
  it('are the module itself and the symlinks of .fixtures.yml', () => {
    const folder = makeModule(
      '{"name": "me-ntp"}',
      `fixtures:
  symlinks:
    site_ntp: "#{source_dir}/spec/fixtures/other"
    ntp: "#{source_dir}"
    missing: "#{source_dir}/nowhere"
  repositories:
    stdlib: https://example.com/stdlib.git
    site_ntp: https://example.com/site.git
  forge_modules:
    concat: { repo: puppetlabs/concat, ref: 9.0.0 }
`,
    )
    const modulepath = join(folder, 'modules')
    mkdirSync(join(modulepath, 'concat'), { recursive: true })
    const target = join(scratchFolder('linked'), 'modules')
    const warning = linkModuleFixtures(readModuleFixtures(folder), target, [modulepath])
    expect(warning).toMatch(/^Modules of \.fixtures\.yml are missing: stdlib\. Put them into spec\/fixtures\/modules/)
    expect(readdirSync(target).map((name) => [name, readlinkSync(join(target, name))])).toEqual([
      ['ntp', folder],
      ['site_ntp', join(folder, 'spec/fixtures/other')],
    ])
  })

  it.each([
    ['no files', '', '', 0],
    ['metadata that is no object', '[]', 'fixtures: 1', 0],
    ['a name that is no module', '{"name": "../x"}', 'x: [', undefined],
    ['aliases without end', '{"name": "a/b"}', 'a: &a [*a, *a]', undefined],
  ])('with %s', (_, metadata, fixtures, count) => {
    const folder = makeModule(metadata, fixtures)
    if (count === undefined) expect(() => readModuleFixtures(folder)).toThrow('Could not read')
    else expect(readModuleFixtures(folder).folders.size).toBe(count)
  })

  it('are read or rejected with a reason, whatever the files contain', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (metadata, fixtures) => {
        const folder = makeModule(metadata, fixtures)
        try {
          readModuleFixtures(folder)
        } catch (error) {
          expect((error as Error).message).toContain('Could not read')
        }
      }),
      { numRuns: 20 },
    )
  })
})
