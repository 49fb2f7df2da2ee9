// A module and the commit that names it come from elsewhere, and are acknowledged when the server says that it serves them.
import { setTimeout as wait } from 'node:timers/promises'
import { git } from '../code.js'
import { servedCommit } from '../served.js'

const withinMs = 60_000

export const deploys = (world) => {
  const { place, asker, acknowledged } = world
  const { site, module, bare, code } = place
  return async () => {
    const motd = await module.change()
    const tip = await git(place.tips.site, ['rev-parse', 'refs/heads/site'])
    const commit = await site.change(tip, motd)
    if (code === 'repository') await git(site.work, ['push', '--quiet', bare, 'HEAD:refs/heads/site'])
    else await asker.ask('POST', '/code/v1/fetch', { body: '{"environment":"site"}', type: 'application/json' })
    const until = performance.now() + withinMs
    while ((await servedCommit(world, 'site')).source !== commit) {
      if (performance.now() > until) throw new Error(`${commit} of site is not served`)
      await wait(30)
    }
    acknowledged.code.site = site.known.get(commit)
  }
}
