import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/branch-choice.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { GateMode } from '../../machine/settings/definitions/gate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { isHarmfulImpact } from '../impact/faulty-nodes.ts'
import type { ImpactCode, ImpactOrder } from '../impact/impact-request.ts'
import type { Impact } from '../impact/impact-result.ts'
import { isNullOid, type PushedRef } from '../push-check.ts'
import { getGateMode } from './gate-modes.ts'
import type { EnvironmentNodes, UntestedNodes } from './node-selection.ts'

/** A commit of an environment, before or after a push. */
export interface GatedPoint {
  readonly commit: string
  readonly ref: string
  readonly environment: string
  /** True for the commit that is served now. */
  readonly isServed: boolean
}

/**
 * A push, and functions to test it. A hook passes functions of its own worker pool, a server passes functions of its
 * pool.
 */
export interface GateOrder {
  readonly pushed: readonly PushedRef[]
  readonly naming: BranchNaming
  readonly settings: Pick<Settings, 'gate' | 'gate_nodes' | 'gate_budget' | 'environment'>
  /** The repository with the pushed objects, which may be in Git's quarantine. */
  readonly source: Pick<GitObjectSource, 'mergeBase' | 'listRefs'>
  /** Opens the code of a commit. */
  open(point: GatedPoint): Promise<ImpactCode>
  /**
   * Returns the nodes to test for an environment, most recent request first, and the nodes that are
   * not tested.
   */
  listNodes(environment: string): Promise<EnvironmentNodes>
  /**
   * Computes the impact on nodes. `environment` is the environment of the nodes; for a new branch
   * it differs from the environment of the code.
   */
  impact(
    asked: Pick<ImpactOrder, 'from' | 'to' | 'nodes' | 'budgetMs' | 'onNode'> & { readonly environment: string },
  ): Promise<Impact>
  /** Called after each tested node. */
  progress?(environment: string, done: number, of: number): void
}

/** The decision about one branch of a push. */
export interface GateFinding {
  readonly ref: string
  readonly environment: string
  readonly mode: GateMode
  /** The impact of the branch on nodes; undefined if no node was tested. */
  readonly impact: Impact | undefined
  readonly untried: readonly UntestedNodes[]
  /** True if there is no earlier code to compare the branch with. */
  readonly isFirst?: boolean
  /** True if catalogs would fail to compile or have new faults, and the mode is `refuse`. */
  readonly isRefused: boolean
}

/**
 * Tests the branches of a push: each moved branch on the nodes of its environment, and a new branch on the nodes of the
 * environment from which it branched. Does not test deleted branches. Throws if code cannot be opened.
 */
export async function testPush(order: GateOrder): Promise<readonly GateFinding[]> {
  const findings: GateFinding[] = []
  const until = performance.now() + order.settings.gate_budget * 1000
  for (const pushed of order.pushed) {
    if (!pushed.ref.startsWith(branches) || isNullOid(pushed.after)) continue
    for (const environment of order.naming(pushed.ref.slice(branches.length)))
      findings.push(await testBranch(order, { ...pushed, environment }, until))
  }
  return findings
}

type PushedEnvironment = PushedRef & { readonly environment: string }

async function testBranch(order: GateOrder, pushed: PushedEnvironment, until: number): Promise<GateFinding> {
  const { ref, before, after, environment } = pushed
  const mode = getGateMode(environment, order.settings)
  const none = { ref, environment, mode, impact: undefined, untried: [], isRefused: false }
  if (mode === 'off') return none
  const old = isNullOid(before) ? await findBranchPoint(order, after) : { commit: before, environment }
  if (!old) return { ...none, isFirst: true }
  const known = await order.listNodes(old.environment)
  const most = order.settings.gate_nodes
  const nodes = known.nodes.slice(0, most)
  const beyond = known.nodes.slice(most)
  const untried =
    beyond.length === 0
      ? known.untried
      : [{ reason: 'gate_nodes' as const, nodes: beyond, environments: [] }, ...known.untried]
  if (nodes.length === 0) return { ...none, untried }
  const from = await order.open({ ...old, ref: old.commit, environment, isServed: !isNullOid(before) })
  const to = await order.open({ commit: after, ref, environment, isServed: false })
  const impact = await order.impact({
    ...{ from, to, nodes, environment: old.environment, budgetMs: Math.max(0, until - performance.now()) },
    onNode: ({ done, of }) => order.progress?.(environment, done, of),
  })
  const isRefused = mode === 'refuse' && isHarmfulImpact(impact)
  return { ref, environment, mode, impact, untried, isRefused }
}

/** Input of `findBranchPoint`. */
export interface BranchPointQuestion extends Pick<GateOrder, 'source' | 'naming'> {
  readonly settings: Pick<Settings, 'environment'>
}

/** The merge base of a new branch and the branch of the default environment; `undefined` if there is none. */
export async function findBranchPoint(
  { source, naming, settings: { environment } }: BranchPointQuestion,
  commit: string,
): Promise<{ readonly commit: string; readonly environment: string } | undefined> {
  const { commits } = await source.listRefs(branches)
  const named = [...commits].map(([ref, at]) => ({ at, names: naming(ref.slice(branches.length)) }))
  const own = named.find(({ names }) => names.includes(environment))
  // If environment names have a prefix, use the branch with the unprefixed name.
  const [alike] = own ? [] : naming(environment)
  const main = own?.at ?? (alike === undefined ? undefined : commits.get(`${branches}${environment}`))
  const base = main === undefined ? undefined : await source.mergeBase(main, commit)
  return base === undefined ? undefined : { commit: base, environment: alike ?? environment }
}
