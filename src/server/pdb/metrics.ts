import type { NodeStore } from '../../store/node-store.ts'
import { gauge, type MBean } from '../jolokia/mbean.ts'

const domain = 'puppetlabs.puppetdb.population'

/** Runs a query whose result is one count. */
type Count = (query: string) => Promise<number>

const nodesIn = (state: string) => `nodes[count()] { node_state = "${state}" }`
/** PuppetDB returns an estimate that includes deactivated nodes. */
const resources = 'resources[count()] { node_state = "any" }'

/** Metrics that PuppetDB's clients display, read from the store at each request. */
const figures: Readonly<Record<string, (count: Count) => Promise<number>>> = {
  'num-nodes': (count) => count(nodesIn('active')),
  'num-active-nodes': (count) => count(nodesIn('active')),
  'num-inactive-nodes': (count) => count(nodesIn('inactive')),
  'num-resources': (count) => count(resources),
  async 'avg-resources-per-node'(count) {
    const nodes = await count(nodesIn('any'))
    return nodes === 0 ? 0 : Math.floor((await count(resources)) / nodes)
  },
}

/** Store metrics as MBeans with PuppetDB's names. */
export function storeBeans(store: Pick<NodeStore, 'ask'>): readonly MBean[] {
  const count: Count = async (query) => {
    const found = await store.ask({ method: 'GET', path: '', search: `query=${encodeURIComponent(query)}` })
    let text = ''
    for await (const piece of found?.pieces ?? []) text += piece
    return (JSON.parse(text) as readonly { readonly count: number }[])[0]?.count ?? 0
  }
  return Object.entries(figures).map(([name, figure]) => gauge(`${domain}:name=${name}`, () => figure(count)))
}
