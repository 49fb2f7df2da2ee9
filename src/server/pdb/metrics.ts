import type { NodeStore } from '../../store/node-store.ts'
import { gauge, type MBean } from '../jolokia/mbean.ts'

const domain = 'puppetlabs.puppetdb.population'

/** A question whose answer is one count. */
type Count = (query: string) => Promise<number>

const nodesIn = (state: string) => `nodes[count()] { node_state = "${state}" }`
/** PuppetDB estimates them, of nodes that are gone, too. */
const resources = 'resources[count()] { node_state = "any" }'

/** The figures of PuppetDB that its clients show, each from the store at the time of asking. */
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

/** Figures of the store as MBeans, by the names that PuppetDB's have. */
export function storeBeans(store: Pick<NodeStore, 'ask'>): readonly MBean[] {
  const count: Count = async (query) => {
    const found = await store.ask({ method: 'GET', path: '', search: `query=${encodeURIComponent(query)}` })
    let text = ''
    for await (const piece of found?.pieces ?? []) text += piece
    return (JSON.parse(text) as readonly { readonly count: number }[])[0]?.count ?? 0
  }
  return Object.entries(figures).map(([name, figure]) => gauge(`${domain}:name=${name}`, () => figure(count)))
}
