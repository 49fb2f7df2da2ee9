import type { BranchNaming } from '../../code/environments/environment-name.ts'
import { branches } from '../../code/environments/git/choose-branches.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { GateMode } from '../../machine/settings/definitions/gate.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { isNone, type PushedRef } from '../check.ts'
import { isHarmful } from '../impact/faulty-nodes.ts'
import type { ImpactCode, ImpactOrder } from '../impact/order.ts'
import type { Impact } from '../impact/result.ts'
import { gateMode } from './modes.ts'
import type { EnvironmentNodes, Untried } from './nodes-to-try.ts'

/** A commit as an environment. */
export interface GatedPoint {
  readonly commit: string
  readonly ref: string
  readonly environment: string
  /** True of the commit that agents get now. */
  readonly isServed: boolean
}

/** A push, and all that the gate needs to try it: of a hook with a pool of its own, or of a server with its workers. */
export interface GateOrder {
  readonly pushed: readonly PushedRef[]
  readonly naming: BranchNaming
  readonly settings: Pick<Settings, 'gate' | 'gate_nodes' | 'gate_budget' | 'environment'>
  /** Sees what is pushed, which may be in git's quarantine. */
  readonly source: Pick<GitObjectSource, 'mergeBase' | 'listRefs'>
  /** All of a commit's code, at hand. */
  open(point: GatedPoint): Promise<ImpactCode>
  /** The nodes to try for an environment, the latest request first, and the nodes that are not tried. */
  nodesOf(environment: string): Promise<EnvironmentNodes>
  /** `environment` is the environment of the nodes; for a new branch it differs from the environment of the code. */
  impact(
    asked: Pick<ImpactOrder, 'from' | 'to' | 'nodes' | 'budgetMs' | 'onNode'> & { readonly environment: string },
  ): Promise<Impact>
  /** Hears that a node is done. */
  progress?(environment: string, done: number, of: number): void
}

/** The word of the gate on one branch of a push. */
export interface GateFinding {
  readonly ref: string
  readonly environment: string
  readonly mode: GateMode
  /** Undefined if no node was tried. */
  readonly impact: Impact | undefined
  readonly untried: readonly Untried[]
  /** True if there is no earlier code to compare the branch with. */
  readonly isFirst?: boolean
  /** True where the push takes catalogs from nodes, or brings faults into them, and the mode is `refuse`. */
  readonly isRefused: boolean
}

/**
 * Tries the branches of a push with nodes: each branch that moves, with the nodes of its environment; one that is new,
 * with those of the environment that it left. What goes breaks no catalog. Throws what keeps code from being opened.
 */
export async function tryPush(order: GateOrder): Promise<readonly GateFinding[]> {
  const findings: GateFinding[] = []
  const until = performance.now() + order.settings.gate_budget * 1000
  for (const pushed of order.pushed) {
    if (!pushed.ref.startsWith(branches) || isNone(pushed.after)) continue
    for (const environment of order.naming(pushed.ref.slice(branches.length)))
      findings.push(await tryBranch(order, { ...pushed, environment }, until))
  }
  return findings
}

type PushedEnvironment = PushedRef & { readonly environment: string }

async function tryBranch(order: GateOrder, pushed: PushedEnvironment, until: number): Promise<GateFinding> {
  const { ref, before, after, environment } = pushed
  const mode = gateMode(environment, order.settings)
  const none = { ref, environment, mode, impact: undefined, untried: [], isRefused: false }
  if (mode === 'off') return none
  const old = isNone(before) ? await branchedFrom(order, after) : { commit: before, environment }
  if (!old) return { ...none, isFirst: true }
  const known = await order.nodesOf(old.environment)
  const most = order.settings.gate_nodes
  const nodes = known.nodes.slice(0, most)
  const beyond = known.nodes.slice(most)
  const untried =
    beyond.length === 0
      ? known.untried
      : [{ reason: 'gate_nodes' as const, nodes: beyond, environments: [] }, ...known.untried]
  if (nodes.length === 0) return { ...none, untried }
  const from = await order.open({ ...old, ref: old.commit, environment, isServed: !isNone(before) })
  const to = await order.open({ commit: after, ref, environment, isServed: false })
  const impact = await order.impact({
    ...{ from, to, nodes, environment: old.environment, budgetMs: Math.max(0, until - performance.now()) },
    onNode: ({ done, of }) => order.progress?.(environment, done, of),
  })
  const isRefused = mode === 'refuse' && isHarmful(impact)
  return { ref, environment, mode, impact, untried, isRefused }
}

/** The commit at which a new branch left the branch of the default environment; `undefined` where it never was on it. */
async function branchedFrom(
  { source, naming, settings: { environment } }: GateOrder,
  commit: string,
): Promise<{ readonly commit: string; readonly environment: string } | undefined> {
  const { commits } = await source.listRefs(branches)
  const named = [...commits].map(([ref, at]) => ({ at, names: naming(ref.slice(branches.length)) }))
  const own = named.find(({ names }) => names.includes(environment))
  // In a repository with a prefix it is the branch of that name.
  const [alike] = own ? [] : naming(environment)
  const main = own?.at ?? (alike === undefined ? undefined : commits.get(`${branches}${environment}`))
  const base = main === undefined ? undefined : await source.mergeBase(main, commit)
  return base === undefined ? undefined : { commit: base, environment: alike ?? environment }
}
