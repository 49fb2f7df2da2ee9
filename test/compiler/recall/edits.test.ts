import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDirectory } from '../../../src/environments/open-environment.ts'
import { filesBelow } from '../../../src/environments/walk-tree.ts'
import { loadSettings } from '../../../src/settings/settings.ts'
import { chanceOf, chosen } from '../../ruby/random-edits.ts'
import type { Edits } from '../../support/edited-tree.ts'
import { without } from '../../support/needs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { editedSite } from './site-edits.ts'
import { Beside, committed, factsOf, requestOf } from './worlds.ts'

const seed = Number(process.env['RANDOM_SEED'] ?? 1)
const rounds = Number(process.env['ROUNDS'] ?? 20)
const lacking = without("Debian's modules")
const sites = join(scratchFolder('sites'), 'sites')

const nodes: Readonly<Record<string, readonly string[]>> = {
  web: ['web1.example.test', 'web2.example.test', 'lb1.example.test', 'db7.example.test'],
  cloud: ['controller1.example.test', 'compute1.example.test'],
}

describe.skipIf(lacking)(`recalled catalogs${lacking}`, () => {
  it.each(Object.keys(nodes))(
    `are those that are compiled, as code, data and facts change: %s (RANDOM_SEED=${seed})`,
    async (site) => {
      cpSync(resolve(import.meta.dirname, '../../fixtures/sites'), sites, { recursive: true })
      const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
      const { environment } = await openDirectory({ directory: join(sites, site), name: site }, settings)
      const { tree } = environment
      const chance = chanceOf(seed)
      const paths = [...filesBelow(tree, '')]
        .map(({ path }) => `${tree.root}/${path}`)
        .filter((path) => !/\.(?:pem|key)$/.test(path))
      const beside = new Beside()
      let edits: Edits = new Map()
      const facts = new Map(nodes[site]!.map((name) => [name, factsOf(name)]))
      for (let round = 0; round < rounds; round++) {
        const { failed } = beside.counts
        const before = edits
        if (round > 0)
          edits = editedSite(
            chance(20) === 0 ? new Map() : edits,
            paths,
            (path) => tree.readText(path.slice(tree.root.length + 1)),
            chance,
          )
        const name = chosen(nodes[site]!, chance)
        if (chance(5) === 0)
          facts.set(name, {
            ...facts.get(name)!,
            [chosen(['timezone', 'uptime_seconds', 'virtual', 'new'], chance)]: chance(100),
          })
        const now = committed(environment, edits)
        for (const node of nodes[site]!) {
          const differs = beside.compare(requestOf(now, node, { facts: facts.get(node)! }))
          if (differs) console.log(`round ${round}`, node, [...edits.keys()], parts(differs))
          expect(differs === undefined, `round ${round}, ${node}, ${JSON.stringify([...edits])}`).toBe(true)
        }
        if (beside.counts.failed > failed) edits = before
      }
      console.log(beside.counts)
      expect(beside.counts.recalled).toBeGreaterThan(rounds)
    },
    600_000,
  )
})

function parts({ recalled, compiled }: { recalled: string; compiled: string }) {
  let at = 0
  while (recalled[at] === compiled[at]) at++
  return [recalled.slice(Math.max(0, at - 200), at + 200), compiled.slice(Math.max(0, at - 200), at + 200)]
}
