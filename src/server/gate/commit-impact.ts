import { useBranchCommit } from '../../code/environments/git/branch-deployer.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import { selectNodes } from '../../deploy/gate/node-selection.ts'
import { computeImpact } from '../../deploy/impact/impact.ts'
import type { ImpactCode } from '../../deploy/impact/impact-request.ts'
import type { Impact } from '../../deploy/impact/impact-result.ts'
import { createCommitOpener, type GateCode } from './gate-code.ts'
import { canRunGate, type GateParts } from './gate-parts.ts'
import { createImpactCompiler } from './impact-compiler.ts'
import { readNodeList } from './node-list.ts'

/** Two commits of an environment, as served: with the modules of their Puppetfiles. */
export interface ServedCommits {
  readonly environment: string
  readonly from: string
  readonly to: string
}

/**
 * Computes the impact of a commit that was already accepted on all nodes of an environment, in the background and within
 * the time of `gate_budget`. Undefined if no node has sent a request or no thread compiles in the background.
 */
export async function computeCommitImpact(
  { environment, from, to }: ServedCommits,
  parts: GateParts,
  signal: AbortSignal,
): Promise<Impact | undefined> {
  await parts.ready
  const { settings, services, store, repository } = parts
  if (repository === undefined || !canRunGate(parts)) return undefined
  const { askings, environments } = services
  const known = await readNodeList({ askings, store, now: Date.now(), ttl: settings.node_ttl * 1000 })
  const { nodes } = selectNodes(known, { environment, needsRequest: true })
  if (nodes.length === 0) return undefined
  const source = await openRepository(repository, { spoolFolder: settings.vardir })
  try {
    const open = createCommitOpener(source, environments, { settings, deployed: useBranchCommit })
    const opened = new Map<ImpactCode, GateCode>()
    const openCode = async (commit: string, isServed: boolean) => {
      const found = await open({ commit, ref: commit, environment, isServed })
      opened.set(found.code, found)
      return found.code
    }
    const [old, fresh] = [await openCode(from, true), await openCode(to, false)]
    const compiler = createImpactCompiler({ opened, environment }, parts, signal)
    return await computeImpact({
      ...{ from: old, to: fresh, nodes, environment, budgetMs: settings.gate_budget * 1000 },
      ...compiler,
    })
  } finally {
    await source.close()
  }
}
