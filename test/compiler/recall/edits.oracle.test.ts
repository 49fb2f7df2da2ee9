import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { openEnvironmentDirectory } from '../../../src/code/environments/environment-opener.ts'
import { walkFiles } from '../../../src/code/environments/tree-walk.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { type Chance, chanceOf, chosen } from '../../support/chance.js'
import type { Edits } from '../../support/edited-tree.ts'
import { without } from '../../support/needs.ts'
import { isNight, seed } from '../../support/nightly.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { editedSite } from './site-edits.ts'
import { Beside, committed, factsOf, requestOf } from './worlds.ts'

const rounds = Number(process.env['ROUNDS'] ?? (isNight ? 500 : 12))
const lacking = without("Debian's modules")
const sites = join(scratchFolder('sites'), 'sites')

const nodes: Readonly<Record<string, readonly string[]>> = {
  web: ['web1.example.test', 'web2.example.test', 'lb1.example.test', 'db7.example.test'],
  cloud: ['controller1.example.test', 'compute1.example.test'],
}

describe.skipIf(lacking)(`recalled catalogs${lacking}`, () => {
  beforeAll(() => cpSync(resolve(import.meta.dirname, '../../fixtures/sites'), sites, { recursive: true }))

  it.each(Object.keys(nodes))(
    `are those that are compiled, as code, data and facts change: %s (RANDOM_SEED=${seed})`,
    async (site) => {
      const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
      const { environment } = await openEnvironmentDirectory({ directory: join(sites, site), name: site }, settings)
      const { tree } = environment
      const paths = [...walkFiles(tree, '')].map(({ path }) => `${tree.root}/${path}`)
      const textOf = (path: string) => tree.readText(path.slice(tree.root.length + 1))
      const chance = chanceOf(seed)
      const facts = new Map(nodes[site]!.map((name) => [name, factsOf(name)]))
      const beside = new Beside()
      let good: Edits = new Map()
      for (let round = 0; round < rounds; round++) {
        const { failed } = beside.counts
        const edits = round === 0 ? good : editedSite(chance(20) === 0 ? new Map() : good, paths, textOf, chance)
        if (chance(5) === 0) changeFact(facts, chosen(nodes[site]!, chance), chance)
        const now = committed(environment, edits)
        for (const node of nodes[site]!) {
          const differs = beside.compare(requestOf(now, node, { facts: facts.get(node)! }))
          expect(differs, `round ${round}, ${node}, ${JSON.stringify([...edits])}`).toBeUndefined()
        }
        // A site that is broken is left as it was.
        if (beside.counts.failed === failed) good = edits
      }
      const { recalled, inVain } = beside.counts
      if (isNight) console.log(`${site}: ${JSON.stringify(beside.counts)}`)
      expect(recalled / (recalled + inVain)).toBeGreaterThan(0.5)
    },
    7_200_000,
  )
})

type Facts = Record<string, ExactJson>

function changeFact(facts: Map<string, Facts>, node: string, chance: Chance): void {
  const name = chosen(['timezone', 'uptime_seconds', 'virtual', 'new'], chance)
  facts.set(node, { ...facts.get(node), [name]: chance(100) })
}
