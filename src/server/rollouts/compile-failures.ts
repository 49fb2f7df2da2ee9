import { LRUCache } from 'lru-cache'
import type { MemberIndex } from '../../deploy/rollout/rollout-document.ts'
import type { Rollout } from '../../deploy/rollout/rollout-state.ts'
import type { NodeReport } from './rollout-observation.ts'
import type { CommitComparison } from './rollout-preparation.ts'

/** Largest number of nodes that are compiled at a time to confirm their failure. */
const maxNodes = 20
/** Number of nodes whose result is remembered. */
const maxKnown = 10_000

/**
 * Distinguishes catalogs that do not compile from servers that could not answer. The report of an agent that received no
 * catalog is the same in both cases, so the catalog is compiled here. Otherwise the restart of a server would halt a
 * rollout.
 */
export class CompileFailures {
  readonly #impact: CommitComparison['impact']
  /** By environment, rollout and node: true if the catalog does not compile. */
  readonly #known = new LRUCache<string, boolean>({ max: maxKnown })

  constructor(impact: CommitComparison['impact']) {
    this.#impact = impact
  }

  /** Returns the reports without those of nodes whose failure is not confirmed yet, or whose catalog compiles. */
  async confirm(
    reports: ReadonlyMap<string, NodeReport>,
    {
      environment,
      rollout,
      index,
    }: { readonly environment: string; readonly rollout: Rollout; readonly index: MemberIndex },
  ): Promise<ReadonlyMap<string, NodeReport>> {
    const { number, from, to } = rollout
    const keyOf = (certname: string) => `${environment}#${number} ${certname}`
    const claimed = [...reports].flatMap(([certname, { health }]) => (health === 'not compiled' ? certname : []))
    const isOpen = (certname: string) => !index.failures.broken.has(certname) && !this.#known.has(keyOf(certname))
    const open = claimed.filter(isOpen).slice(0, maxNodes)
    if (open.length > 0) {
      const impact = await this.#impact({ environment, from, to, nodes: open })
      const { broken = [], failing = [], unchecked = [] } = impact ?? {}
      const failed = new Set([...broken, ...failing].flatMap(({ nodes }) => nodes).concat(unchecked))
      for (const certname of open) this.#known.set(keyOf(certname), impact === undefined || failed.has(certname))
    }
    const { broken: known } = index.failures
    const isConfirmed = (certname: string) => known.has(certname) || this.#known.get(keyOf(certname)) === true
    return new Map([...reports].filter(([certname, { health }]) => health !== 'not compiled' || isConfirmed(certname)))
  }
}
