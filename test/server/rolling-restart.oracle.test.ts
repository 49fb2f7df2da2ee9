import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../support/needs.ts'
import { catalogForm, openNodeClient } from '../support/node-client.ts'
import { plumb } from '../support/plumb.ts'
import { openServerGroup, type ServerGroup } from './server-group.ts'

const lacks = without('PostgreSQL')
const nodes = Array.from({ length: 6 }, (_, index) => `node${index}.test`)

describe.skipIf(lacks !== '')(`three servers behind a balancer, restarted one after the other${lacks}`, () => {
  let group: ServerGroup

  beforeAll(async () => {
    group = await openServerGroup({
      ...{ name: 'rolling', count: 3, nodes },
      commit(host) {
        host.commit('motd', {
          'manifests/init.pp': "class motd { file { '/tmp/motd': source => 'puppet:///modules/motd/motd' } }\n",
          'files/motd': 'number 0\n',
        })
        const puppetfile = `mod 'motd', git: '${host.url}/motd.git', branch: 'main'\n`
        host.commit('control', { Puppetfile: puppetfile, 'manifests/site.pp': 'include motd\n' }, 'production')
      },
      settings: ({ url }) => ({ puppetfile_sources: url, puppetfile_interval: '3s', shutdown_delay: '3s' }),
    })
  }, 300_000)
  afterAll(() => group?.close())

  const failures: string[] = []
  const counts = new Map<string, number>()
  /** Asks for a catalog and its files, over and over, until the end or a failure. */
  async function load(name: string, until: { over: boolean }): Promise<void> {
    const { once, close } = openNodeClient(group.authority, name, group.balancer.port)
    const body = catalogForm(name)
    while (!until.over && failures.length === 0) {
      try {
        const catalog = await once('POST', `/puppet/v3/catalog/${name}`, body)
        if (catalog.status !== 200) throw new Error(`catalog: ${catalog.status} ${catalog.text}`)
        const { code_id } = JSON.parse(catalog.text)
        const query = `environment=production&code_id=${code_id}`
        const file = await once('GET', `/puppet/v3/static_file_content/modules/motd/files/motd?${query}`)
        if (file.status !== 200 || !/^number \d+\n$/.test(file.text))
          throw new Error(`file: ${file.status} ${file.text}`)
        counts.set(name, (counts.get(name) ?? 0) + 2)
      } catch (error) {
        failures.push(String(error))
      }
    }
    close()
  }

  it('lose no request, while modules move, and agree on one commit in the end', { timeout: 400_000 }, async () => {
    const until = { over: false }
    const loads = nodes.map((name) => load(name, until))
    /** Until each node has been answered six more times. */
    const goOn = async () => {
      const before = new Map(counts)
      const more = () => [...counts].filter(([name, count]) => count >= (before.get(name) ?? 0) + 6).length
      await expect.poll(() => [failures, more()]).toEqual([[], nodes.length])
    }
    let number = 0
    for (const index of [0, 1, 2]) {
      group.host.commit('motd', { 'files/motd': `number ${++number}\n` })
      await goOn()
      expect(await group.servers[index]!.stop()).toBe(0)
      await group.start(index)
    }
    await goOn()
    until.over = true
    await Promise.all(loads)
    expect(failures).toEqual([])
    expect(group.balancer.refused).toBe(0)
    const status = async () => {
      const said = await Promise.all(
        group.servers.map(({ places }) => plumb(['code', 'status', '--render-as', 'json', ...places])),
      )
      return new Set(said.map(({ stdout }) => JSON.parse(String(stdout))[0].commit))
    }
    await expect.poll(async () => (await status()).size, { interval: 500 }).toBe(1)
  })
})
