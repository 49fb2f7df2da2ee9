import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSourceCommit } from '../../src/deploy/synthesis/deployed-commit.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { isNight } from '../support/nightly.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** Moments at which a deploy is killed, in milliseconds from the push on; a longer list in the nights. */
const moments = isNight ? Array.from({ length: 40 }, (_, at) => at * 45) : [60, 350, 700, 1100]

let host: GitHost
let repository: ControlRepository
beforeAll(async () => {
  host = await openGitHost()
  host.commit('ntp', { 'manifests/init.pp': 'class ntp {}\n' })
  repository = controlRepository({
    Puppetfile: `mod 'ntp', git: '${host.url}/ntp.git', branch: 'main'\n`,
    'manifests/site.pp': '',
  })
})
afterAll(() => host?.close())

const refs = (prefix: string) => repository.gitBare('for-each-ref', '--format=%(objectname)', prefix)

describe('a server that is killed while it deploys', () => {
  it('leaves the repository sound, and the environment at a commit that is whole', async () => {
    const folder = scratchFolder('killed')
    const start = () => startServer({ repository: repository.bare, folder, settings: { puppetfile_sources: host.url } })
    let server: RunningServer | undefined = await start()
    await served()
    for (const moment of moments) {
      const good = refs('refs/plumb/deployed/production')
      host.commit('ntp', { 'manifests/init.pp': `class ntp { notice(${moment}) }\n` }, `at${moment}`)
      const commit = repository.push({
        Puppetfile: `mod 'ntp', git: '${host.url}/ntp.git', branch: 'at${moment}'\n`,
      })
      // Wall clock: the moment of the kill is of no matter.
      await wait(moment)
      server.process.kill('SIGKILL')
      await server.stop()
      repository.gitBare('fsck', '--strict', '--no-dangling')
      const place = { gitDir: repository.bare, quarantine: false }
      const left = refs('refs/plumb/deployed/production')
      expect([good, commit]).toContain(left === good ? good : await getSourceCommit(place, left))
      repository.gitBare('rev-list', '--objects', '--quiet', left)
      server = await start()
      await served()
      expect(await getSourceCommit(place, refs('refs/plumb/environment/production'))).toBe(commit)
    }
    await server?.stop()
  }, 900_000)
})

/** Waits until what the branch has is served. */
async function served(): Promise<void> {
  const head = repository.gitBare('rev-parse', 'production')
  const place = { gitDir: repository.bare, quarantine: false }
  const source = async () => {
    const last = refs('refs/plumb/environment/production')
    return last === '' ? '' : await getSourceCommit(place, last)
  }
  await expect.poll(source).toBe(head)
}
