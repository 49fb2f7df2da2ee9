import type { RolloutReport } from '../../store/rollouts/rollout-rows.ts'
import type { HaltConditions, Threshold } from './rollout-plan.ts'

/** The result of a node's last run since the start of its wave. */
export type NodeHealth =
  /** No report names the commit. */
  | 'waiting'
  | 'ok'
  | 'failed'
  /** The catalog could not be compiled. */
  | 'not compiled'
  /** The run applied nothing (noop), and proves nothing. */
  | 'noop'
  /** The run corrected changes that were made by hand. */
  | 'corrective'

/** Nodes of a wave by their health. */
export interface WaveHealth {
  readonly nodes: number
  /** Number of nodes that applied the commit or failed to. */
  readonly reported: number
  readonly failed: readonly string[]
  /** Nodes that failed again, as they did before the rollout. */
  readonly failedBefore: readonly string[]
  readonly corrective: readonly string[]
  /** Nodes without a report about the commit. */
  readonly waiting: readonly string[]
}

/** Classifies a report of a node that was assigned a commit; undefined if the report is about another commit. */
export function classifyReport(report: RolloutReport, commit: string): NodeHealth | undefined {
  const { codeId, status, correctiveChange, cachedCatalogStatus, noop } = report
  if (codeId !== commit) {
    // An agent whose catalog does not compile applies its cached catalog, or reports a failure without a catalog.
    const isUncompiled = cachedCatalogStatus === 'on_failure' || (codeId === undefined && status === 'failed')
    return isUncompiled ? 'not compiled' : undefined
  }
  if (status === 'failed') return 'failed'
  if (noop) return 'noop'
  return correctiveChange ? 'corrective' : 'ok'
}

/** Nodes known before a rollout: `broken` do not compile with the new commit, `failing` failed with the old one. */
export interface KnownFailures {
  readonly broken: ReadonlySet<string>
  readonly failing: ReadonlySet<string>
}

/** Counts the nodes of a wave. A node that failed before the rollout does not count as failed. */
export function measureWave(
  nodes: readonly string[],
  health: ReadonlyMap<string, NodeHealth>,
  { broken, failing }: KnownFailures,
): WaveHealth {
  const stateOf = (node: string) => health.get(node) ?? (broken.has(node) ? 'not compiled' : 'waiting')
  const having = (...states: readonly NodeHealth[]) => nodes.filter((node) => states.includes(stateOf(node)))
  const waiting = having('waiting')
  const failed = having('failed', 'not compiled')
  return {
    nodes: nodes.length,
    reported: nodes.length - having('waiting', 'noop').length,
    failed: failed.filter((node) => !failing.has(node)),
    failedBefore: failed.filter((node) => failing.has(node)),
    corrective: having('corrective'),
    waiting,
  }
}

/** True if a number of nodes reaches a threshold. A share applies from a minimum count, unless the wave is smaller. */
export function reachesThreshold(
  count: number,
  nodes: number,
  { threshold, minimum }: { readonly threshold: Threshold | undefined; readonly minimum: number },
): boolean {
  if (!threshold || count === 0) return false
  if ('count' in threshold) return count >= threshold.count
  return count >= Math.min(minimum, nodes) && count * 100 >= threshold.percent * nodes
}

/** Largest number of nodes named in a reason. */
const namedNodes = 5

/** The reason to halt because of a wave's reports; undefined if there is none. */
export function findHaltReason(
  wave: string,
  { nodes, failed, corrective }: WaveHealth,
  halt: HaltConditions,
): string | undefined {
  const { minimum } = halt
  if (reachesThreshold(failed.length, nodes, { threshold: halt.failed, minimum }))
    return `${formatCount(failed, nodes)} of wave '${wave}' failed`
  if (reachesThreshold(corrective.length, nodes, { threshold: halt.corrective, minimum }))
    return `${formatCount(corrective, nodes)} of wave '${wave}' had corrective changes`
  return undefined
}

/**
 * The reason to halt at the end of a wave because no node, or too few nodes, sent a report; undefined if there is none.
 */
export function findUnreachableReason(
  wave: string,
  { nodes, reported, waiting }: WaveHealth,
  { unreachable: threshold, minimum }: HaltConditions,
): string | undefined {
  const isSilent = nodes > 0 && reported === 0
  if (!isSilent && !reachesThreshold(waiting.length, nodes, { threshold, minimum })) return undefined
  return `${formatCount(waiting, nodes)} of wave '${wave}' sent no report`
}

/** For example `2 of 20 nodes (web1, web2)`. */
export function formatCount(some: readonly string[], all: number): string {
  const more = some.length > namedNodes ? ', …' : ''
  return `${some.length} of ${all} node${all === 1 ? '' : 's'} (${some.slice(0, namedNodes).join(', ')}${more})`
}
