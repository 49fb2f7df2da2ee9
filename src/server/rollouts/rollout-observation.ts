import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import type { MemberIndex } from '../../deploy/rollout/rollout-document.ts'
import type { Rollout } from '../../deploy/rollout/rollout-state.ts'
import { classifyReport, type NodeHealth } from '../../deploy/rollout/wave-health.ts'
import type { RolloutReport, RolloutRows } from '../../store/rollouts/rollout-rows.ts'

/** A node's last report about the commit. */
export interface NodeReport {
  readonly health: NodeHealth
  readonly hash: string
}

/** The reports read for a rollout so far. */
interface Tally {
  /** Reports of all nodes since the first wave's start, by certname; the newest one wins. */
  readonly reports: Map<string, { readonly report: RolloutReport; readonly health: NodeHealth }>
  /** Id up to which all reports were read. */
  readUntil: number
}

/**
 * Number of ids that are read again: PostgreSQL assigns an id before the transaction commits, so that a report with a
 * lower id may appear later.
 */
const overlap = 1000
/** Number of rollouts whose reports are in memory. */
const maxTallies = 100

/** Collects the reports of nodes since the starts of their waves. */
export class RolloutObservation {
  readonly #rows: Pick<RolloutRows, 'listReports'>
  readonly #tallies = new LRUCache<string, Tally>({ max: maxTallies })

  constructor(rows: Pick<RolloutRows, 'listReports'>) {
    this.#rows = rows
  }

  /** Reads new reports, and returns the last report of each node since the start of its wave. */
  async observe(environment: string, rollout: Rollout, index: MemberIndex): Promise<ReadonlyMap<string, NodeReport>> {
    const found = new Map<string, NodeReport>()
    const [first] = rollout.started
    if (!first) return found
    const key = `${environment}#${rollout.number}@${first.lastReport}`
    const tally = this.#tallies.get(key) ?? { reports: new Map(), readUntil: first.lastReport }
    this.#tallies.set(key, tally)
    await this.#readReports(tally, { least: first.lastReport, commit: rollout.to, index })
    for (const [certname, { report, health }] of tally.reports) {
      const start = rollout.started[index.waveOf(certname) ?? -1]
      if (start && report.id > start.lastReport) found.set(certname, { health, hash: report.hash })
    }
    return found
  }

  async #readReports(
    tally: Tally,
    { least, commit, index }: { readonly least: number; readonly commit: string; readonly index: MemberIndex },
  ): Promise<void> {
    // All pages are read before the next step: it must not be taken because of reports that were not read yet.
    for (let after = Math.max(least, tally.readUntil - overlap); ; after = tally.readUntil) {
      const reports = await this.#rows.listReports(after, commit)
      for (const report of reports) {
        tally.readUntil = Math.max(tally.readUntil, report.id)
        const { certname } = report
        if (index.waveOf(certname) === undefined) continue
        const health = classifyReport(report, commit)
        const known = tally.reports.get(certname)
        if (health && (!known || known.report.id < report.id)) tally.reports.set(certname, { report, health })
      }
      if (reports.length < budgets.rollout.reportsAtOnce.bound) return
    }
  }
}
