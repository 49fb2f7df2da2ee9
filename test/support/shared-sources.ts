import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { gitIdentity } from './control-repository.ts'
import { type GitHost, openGitHost } from './git-host.ts'
import { startPostgres } from './real-puppetdb.js'
import { scratchFolder } from './scratch-folder.ts'

/** A host with a control repository and its module, a bare repository to share commits in, and a PostgreSQL for a store. */
export interface SharedSources {
  readonly host: GitHost
  /** The path of the bare repository. */
  readonly shared: string
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>
  /** Writes a file of sources into a folder, with the time between two looks at what others deployed; the settings that name it. */
  settingsIn(folder: string, interval: string): Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Makes them; `motd` is what the module's file says at first. */
export async function openSharedSources(motd: string): Promise<SharedSources> {
  const host = await openGitHost()
  host.commit('motd', { 'manifests/init.pp': 'class motd {}\n', 'files/motd': motd })
  const puppetfile = `mod 'motd', git: '${host.url}/motd.git', branch: 'main'\n`
  host.commit('control', { Puppetfile: puppetfile, 'manifests/site.pp': 'include motd\n' }, 'production')
  const shared = join(scratchFolder('shared'), 'code.git')
  execaSync('git', ['init', '--quiet', '--bare', shared], { env: gitIdentity })
  const postgres = await startPostgres(scratchFolder('shared-postgres'))
  postgres.psql('postgres', 'create database store')
  return {
    host,
    shared,
    postgres,
    settingsIn(folder, interval) {
      const code_sources = join(folder, 'r10k.yaml')
      const control = { remote: `${host.url}/control.git`, interval: '1d' }
      writeFileSync(code_sources, JSON.stringify({ sources: { control }, deployed: { remote: shared, interval } }))
      const store = postgres.url('store')
      return { code_sources, store, puppetfile_sources: host.url, puppetfile_interval: '0' }
    },
    async close() {
      await postgres.stop()
      await host.close()
    },
  }
}
