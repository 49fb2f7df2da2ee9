import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { type Balancer, openBalancer } from '../support/balancer.ts'
import { gitIdentity } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'

/** Several servers behind a balancer, with one host of repositories, one shared repository and one PostgreSQL. */
export interface ServerGroup {
  readonly host: GitHost
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>
  readonly balancer: Balancer
  /** The confdir with the certificates of all nodes. */
  readonly authority: string
  readonly servers: readonly RunningServer[]
  /** Starts a server, also again, and waits until the balancer sends it connections. */
  start(index: number): Promise<void>
  close(): Promise<void>
}

export interface ServerGroupOptions {
  /** A name for the folders. */
  readonly name: string
  readonly count: number
  /** Certnames that are given certificates. */
  readonly nodes: readonly string[]
  /** Makes the first commit of the repository `control`, on `production`. */
  commit(host: GitHost): void
  settings?(host: GitHost): Readonly<Record<string, string>>
  /** Environment variables of a server. */
  env?(index: number): Readonly<Record<string, string>>
}

/** Starts all of them. */
export async function openServerGroup(options: ServerGroupOptions): Promise<ServerGroup> {
  const { name, count, nodes, commit, settings = () => ({}), env = () => ({}) } = options
  const folders = Array.from({ length: count }, (_, index) => scratchFolder(`${name}-${index}`))
  const host = await openGitHost()
  commit(host)
  const shared = join(scratchFolder(`${name}-shared`), 'code.git')
  execaSync('git', ['init', '--quiet', '--bare', shared], { env: gitIdentity })
  const postgres = await startPostgres(scratchFolder(`${name}-postgres`))
  postgres.psql('postgres', 'create database store')
  const control = { remote: `${host.url}/control.git`, interval: '1s' }
  const sources = join(scratchFolder(`${name}-sources`), 'r10k.yaml')
  writeFileSync(sources, JSON.stringify({ sources: { control }, deployed: { remote: shared, interval: '1s' } }))
  const authority = join(folders[0]!, 'etc')
  await makeCertificates(folders, nodes)
  const balancer = await openBalancer()
  const servers: RunningServer[] = []
  const given = { code_sources: sources, store: postgres.url('store'), compile_workers: '1', ...settings(host) }
  const start = async (index: number) => {
    servers[index] = await startServer({ folder: folders[index]!, settings: given, env: env(index) })
    balancer.ports = servers.map(({ port }) => port)
    await eventually(
      () => balancer.live,
      (ports) => ports.includes(servers[index]!.port),
    )
  }
  for (let index = 0; index < count; index++) await start(index)
  return {
    ...{ host, postgres, balancer, authority, servers, start },
    async close() {
      balancer.close()
      await Promise.all(servers.map((each) => each.stop()))
      await postgres.stop()
      await host.close()
    },
  }
}

/** Makes an authority in the first folder, and gives its certificates to the other servers. */
async function makeCertificates(folders: readonly string[], nodes: readonly string[]): Promise<void> {
  const [first = '', ...others] = folders
  const places = ['--confdir', join(first, 'etc'), '--vardir', join(first, 'var'), '--keylength', '2048']
  for (const words of [
    ['setup', '--certname', 'localhost'],
    ['generate', '--certname', nodes.join(',')],
  ]) {
    const { exitCode, stderr } = await plumb(['ca', ...words, ...places])
    if (exitCode !== 0) throw new Error(String(stderr))
  }
  for (const folder of others) {
    mkdirSync(join(folder, 'etc'), { recursive: true })
    cpSync(join(first, 'etc/ssl'), join(folder, 'etc/ssl'), { recursive: true })
  }
}
