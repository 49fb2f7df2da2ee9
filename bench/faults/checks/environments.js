// Environments: each at the last good commit, or at the one that was acknowledged, and never at half of one.
import { setTimeout as wait } from 'node:timers/promises'
import { catalogRequest } from '../../server/client.js'
import { git, numbersIn } from '../code.js'
import { nodes } from '../place.js'
import { servedCommit } from '../served.js'

const withinMs = 120_000

/** Looks at the repositories, as a kill left them. */
export async function repositoriesOnDisk({ place, finding, acknowledged }) {
  for (const path of new Set([place.bare, place.gitDir]))
    await git(path, ['fsck', '--strict', '--no-dangling', '--no-progress']).catch((error) =>
      finding(`git fsck ${path}: ${error.stderr}`),
    )
  for (const environment of ['production', 'site']) {
    const tip = await tipOf(place, environment)
    const found = place[environment].known.get(tip)
    const least = acknowledged.code[environment]?.number ?? 1
    if (!found) finding(`${environment} is at ${tip}, which nobody made`)
    else if (found.number < least)
      finding(`${environment} is at its commit ${found.number}, and ${least} was acknowledged`)
  }
}

const tipOf = (place, environment) => git(place.tips[environment], ['rev-parse', `refs/heads/${environment}`])

/** What is wrong with a catalog: it is not of one commit, or of an older one than was served before. */
export async function judgeCatalog({ place, finding, remembered }, environment, catalog) {
  const text = await git(place.gitDir, ['cat-file', 'commit', catalog.code_id]).catch(() => undefined)
  const source = text && /^parent (\w+)$/m.exec(text)?.[1]
  const known = place[environment].known.get(source)
  if (!known) return finding(`${environment}: the code_id ${catalog.code_id} is made of ${source}, which nobody made`)
  const { manifest, data, module } = numbersIn(catalog)
  if (manifest !== known.number || data !== known.number || module !== known.module)
    finding(`${environment}: half a commit: ${JSON.stringify({ manifest, data, module })} of ${JSON.stringify(known)}`)
  const before = remembered.served[environment] ?? 0
  if (known.number < before) finding(`${environment} went back from its commit ${before} to ${known.number}`)
  remembered.served[environment] = Math.max(before, known.number)
}

/** Looks at what is served: at once by a catalog of each environment, and in the end each at its branch. */
export async function environmentsServed(world) {
  const { place, asker, finding } = world
  for (const environment of ['production', 'site']) {
    const time = new Date().toISOString()
    const facts = {
      name: nodes[0],
      values: { kernel: 'Linux', run: world.number() },
      timestamp: time,
      expiration: time,
    }
    const { method, path, body, type } = catalogRequest(facts, environment)
    await judgeCatalog(world, environment, JSON.parse(await asker.ask(method, path, { as: nodes[0], body, type })))
  }
  for (const environment of ['production', 'site']) {
    const until = performance.now() + withinMs
    for (;;) {
      const [tip, { source, refused }] = [await tipOf(place, environment), await servedCommit(world, environment)]
      if (tip === source) break
      if (performance.now() > until) {
        finding(`${environment} is at ${tip}, and ${source} is served: ${JSON.stringify(refused)}`)
        break
      }
      await wait(50)
    }
  }
}
