import { text } from 'node:stream/consumers'
import type { NodeStore } from '../../store/node-store.ts'
import { createGaugeBean, type MBean } from '../jolokia/mbean.ts'

const domain = 'puppetlabs.puppetdb.population'

/** Runs a query whose result is one count. */
type Count = (query: string) => Promise<number>

const formatNodeQuery = (state: string) => `nodes[count()] { node_state = "${state}" }`
/**
 * Counts the resources of all nodes: PuppetDB's own figure is an estimate that includes deactivated
 * nodes.
 */
const resources = 'resources[count()] { node_state = "any" }'

/** Metrics that PuppetDB's clients display, read from the store at each request. */
const figures: Readonly<Record<string, (count: Count) => Promise<number>>> = {
  'num-nodes': (count) => count(formatNodeQuery('active')),
  'num-active-nodes': (count) => count(formatNodeQuery('active')),
  'num-inactive-nodes': (count) => count(formatNodeQuery('inactive')),
  'num-resources': (count) => count(resources),
  async 'avg-resources-per-node'(count) {
    const nodes = await count(formatNodeQuery('any'))
    return nodes === 0 ? 0 : Math.floor((await count(resources)) / nodes)
  },
}

/** Store metrics as MBeans with PuppetDB's names. */
export function createStoreBeans(store: Pick<NodeStore, 'ask'>): readonly MBean[] {
  const countRows: Count = async (query) => {
    const found = await store.ask({ method: 'GET', path: '', search: `query=${encodeURIComponent(query)}` })
    return (JSON.parse(await text(found!.pieces)) as readonly { readonly count: number }[])[0]?.count ?? 0
  }
  return Object.entries(figures).map(([name, figure]) =>
    createGaugeBean(`${domain}:name=${name}`, () => figure(countRows)),
  )
}
