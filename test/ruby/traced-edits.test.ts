import { describe, expect, it } from 'vitest'
import { countRecalledCalls } from '../../src/ruby/session/traced/call-memory.ts'
import { chanceOf } from '../support/chance.js'
import { treeOf } from '../support/map-tree.ts'
import { isNight, seed } from '../support/nightly.ts'
import { type Site, saltFile, wrong } from './edited-worlds.ts'
import { manifests, root, site } from './reading-site.ts'

describe('what is recalled of code that reads files and data', () => {
  it(`is what that gives when it runs, as files and data change (RANDOM_SEED=${seed})`, () => {
    const reading: Site = {
      files: treeOf(site, root),
      nodes: [
        { os: { family: 'Debian' }, roles: ['web', 'db'] },
        { os: { family: 'RedHat' }, roles: ['db'] },
      ],
      manifests: manifests.filter((_, index) => isNight || index % 4 === seed % 4),
      // With another function nothing is recalled.
      paths: Object.keys(site).filter((path) => !/functions\/.*\.rb$/.test(path)),
      isToBeEdited: (path) => /^(?:data|modules\/reads\/(?:files|lib\/reads))\/./.test(path),
      open(treeOf, edits, salt) {
        const tree = treeOf(new Map([...edits, [saltFile, `# ${salt}\n`]]))
        return { name: 'traces', tree, modulepath: [{ tree, path: 'modules' }], version: 1, globalHiera: undefined }
      },
    }
    const before = countRecalledCalls()
    const { found, different } = wrong(reading, isNight ? 200 : 9, chanceOf(seed))
    expect(found).toEqual([])
    expect(countRecalledCalls() - before).toBeGreaterThan(reading.manifests.length)
    expect(different).toBeGreaterThan(reading.manifests.length / 4)
  }, 3_600_000)
})
