import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeReport } from '../../bench/soak/node-report.js'
import { without } from '../support/needs.ts'
import { isNight } from '../support/nightly.ts'
import { catalogForm, type NodeClient, type NodeReply, openNodeClient } from '../support/node-client.ts'
import { askServer } from '../support/plumb.ts'
import { openServerGroup, type ServerGroup } from './server-group.ts'

const lacks = without('PostgreSQL')
const nodes = Array.from({ length: 8 }, (_, index) => `node${index}.test`)
const roles = 3
const roleOf = (name: string) => nodes.indexOf(name) % roles
const databaseAwayMs = (isNight ? 60 : 10) * 1000

/** Each node exports a resource and collects those of all nodes; the rest of its catalog is of its role and of the commit. */
const site = (number: number) => `
@@notify { "peer \${trusted['certname']}": message => "role \${facts['role']}" }
Notify <<| |>>
file { '/etc/role': content => "number ${number} role \${facts['role']}" }
include motd
`
const control = (number: number) => ({
  'manifests/site.pp': site(number),
  'modules/motd/manifests/init.pp': "class motd { file { '/etc/motd': source => 'puppet:///modules/motd/motd' } }\n",
  'modules/motd/files/motd': `number ${number}\n`,
})

interface WireCatalog {
  readonly code_id: string
  readonly version: string
  readonly environment: string
  readonly resources: readonly { readonly type: string; readonly title: string; readonly parameters?: object }[]
  readonly metadata: Readonly<Record<string, { readonly checksum: { readonly value: string } }>>
}

/** What a catalog has to contain. */
function expectedContent(name: string, number: number) {
  const peers = nodes.map((each) => [`Notify[peer ${each}]`, { message: `role ${roleOf(each)}` }])
  return {
    resources: {
      ...Object.fromEntries(peers),
      'File[/etc/role]': { content: `number ${number} role ${roleOf(name)}` },
      'File[/etc/motd]': { source: 'puppet:///modules/motd/motd' },
    },
    motd: `{sha256}${createHash('sha256').update(`number ${number}\n`).digest('hex')}`,
  }
}

function contentOf({ resources, metadata }: WireCatalog) {
  const declared = resources.filter(({ type }) => ['Notify', 'File'].includes(type))
  return {
    resources: Object.fromEntries(declared.map(({ type, title, parameters }) => [`${type}[${title}]`, parameters])),
    motd: metadata['/etc/motd']?.checksum.value,
  }
}

/** Ends a run whose request was not answered with 200. */
class RunEnded extends Error {}

describe.skipIf(lacks !== '')(`four servers behind a balancer and one PostgreSQL${lacks}`, () => {
  let group: ServerGroup
  /** The number in each commit. */
  const commits = new Map<string, number>()
  const push = (number: number) => void commits.set(group.host.commit('control', control(number), 'production'), number)
  const counts = { runs: 0, catalogs: 0, files: 0, reports: 0, retries: 0, broken: 0 }
  const runsOf = new Map<string, number>()
  const acknowledged = new Set<string>()
  const wrong: string[] = []

  beforeAll(async () => {
    group = await openServerGroup({
      ...{ name: 'failover', count: 4, nodes },
      commit: (host) => void commits.set(host.commit('control', control(0), 'production'), 0),
      settings: () => ({ storeconfigs: 'true', reports: 'puppetdb' }),
    })
  }, 300_000)
  afterAll(() => group?.close())

  /** The answer with status 200. Other answers, and broken connections, are counted, and end the run. */
  async function answered(kind: string, asking: Promise<NodeReply>): Promise<NodeReply> {
    const reply = await asking.catch((error: NodeJS.ErrnoException) => error)
    if (reply instanceof Error) {
      counts.broken++
      if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(reply.code ?? '')) wrong.push(`${kind}: ${reply}`)
      throw new RunEnded()
    }
    if (reply.status === 200) return reply
    counts.retries++
    if (reply.status !== 503 || !(Number(reply.headers['retry-after']) > 0))
      wrong.push(`${kind}: ${reply.status} ${JSON.stringify(reply.headers)} ${reply.text}`)
    throw new RunEnded()
  }

  /** A run: a catalog, its file, and a report. */
  async function run(name: string, { once }: NodeClient): Promise<void> {
    const form = catalogForm(name, { role: String(roleOf(name)) })
    const catalog = JSON.parse((await answered('catalog', once('POST', `/puppet/v3/catalog/${name}`, form))).text)
    counts.catalogs++
    const number = commits.get(catalog.code_id)
    if (!isCatalogRight(name, catalog)) wrong.push(`${name}: ${number} ${JSON.stringify(contentOf(catalog))}`)
    const path = '/puppet/v3/static_file_content/modules/motd/files/motd'
    const file = once('GET', `${path}?environment=production&code_id=${catalog.code_id}`)
    if ((await answered('file', file)).text !== `number ${number}\n`) wrong.push(`${name}: ${(await file).text}`)
    counts.files++
    const uuid = randomUUID()
    const report = JSON.stringify({ ...nodeReport(name, catalog), transaction_uuid: uuid })
    await answered(
      'report',
      once('PUT', `/puppet/v3/report/${name}?environment=production`, report, 'application/json'),
    )
    counts.reports++
    acknowledged.add(uuid)
  }

  /** In the first run of a node, the others may not have exported yet. */
  function isCatalogRight(name: string, catalog: WireCatalog): boolean {
    const number = commits.get(catalog.code_id)
    if (number === undefined) return false
    const { resources, motd } = contentOf(catalog)
    const expected = expectedContent(name, number)
    const known = Object.keys(resources)
    const isComplete = known.length === Object.keys(expected.resources).length
    const isEqual = known.every(
      (each) => JSON.stringify(resources[each]) === JSON.stringify(expected.resources[each as 'File[/etc/role]']),
    )
    return isEqual && motd === expected.motd && (isComplete || counts.runs < nodes.length)
  }

  /** Runs a node over and over. */
  async function load(name: string, until: { over: boolean }): Promise<void> {
    const client = openNodeClient(group.authority, name, group.balancer.port)
    while (!until.over) {
      try {
        await run(name, client)
        counts.runs++
        runsOf.set(name, (runsOf.get(name) ?? 0) + 1)
      } catch (error) {
        if (!(error instanceof RunEnded)) wrong.push(String(error))
        // Wall clock: an agent that is asked to retry waits; for a shorter time here, to retry more often.
        await wait(200)
      }
    }
    client.close()
  }

  /** Until each node has made three more runs. */
  async function goOn(): Promise<void> {
    const before = new Map(runsOf)
    const behind = () => nodes.filter((name) => (runsOf.get(name) ?? 0) < (before.get(name) ?? 0) + 3)
    await expect.poll(() => [wrong, behind()]).toEqual([[], []])
  }

  test('lose a server, then the database for a while, but no report', { timeout: 600_000 }, async () => {
    // Each node exports once before any catalog has to be complete.
    for (const name of nodes) {
      const client = openNodeClient(group.authority, name, group.balancer.port)
      await run(name, client)
      counts.runs++
      client.close()
    }
    const until = { over: false }
    const loads = nodes.map((name) => load(name, until))
    await goOn()
    push(1)
    await goOn()
    group.servers[0]!.process.kill('SIGKILL')
    await goOn()
    const withoutServer = { ...counts }
    push(2)
    await group.postgres.stop()
    // Wall clock: how long the database is away.
    await wait(databaseAwayMs)
    const withoutDatabase = { ...counts }
    await group.postgres.restart()
    await goOn()
    until.over = true
    await Promise.all(loads)
    expect(wrong).toEqual([])

    const uuids = async () => {
      const query = encodeURIComponent('reports[transaction_uuid] {}')
      const { status, text } = await askServer(
        { confdir: group.authority, port: group.servers[1]!.port },
        `/pdb/query/v4?query=${query}`,
      )
      if (status !== 200) return [text]
      const stored = new Set((JSON.parse(text) as { transaction_uuid: string }[]).map((row) => row.transaction_uuid))
      return [...acknowledged].filter((uuid) => !stored.has(uuid))
    }
    await expect.poll(uuids).toEqual([])
    expect(acknowledged.size).toBe(counts.reports)
    // The database was missed, and the server as well.
    expect(withoutDatabase.retries).toBeGreaterThan(withoutServer.retries)
    console.log(JSON.stringify({ databaseAwayMs, withoutServer, withoutDatabase, end: counts }, undefined, 2))
  })
})
