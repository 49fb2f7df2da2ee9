import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { useBranchCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import { selectNodes } from '../../deploy/gate/node-selection.ts'
import { computeImpact } from '../../deploy/impact/impact.ts'
import type { ImpactCode } from '../../deploy/impact/impact-request.ts'
import type { Impact } from '../../deploy/impact/impact-result.ts'
import { createCommitOpener, type GateCode } from './gate-code.ts'
import { canRunGate, type GateParts } from './gate-parts.ts'
import { createImpactCompiler } from './impact-compiler.ts'
import { readNodeList } from './node-list.ts'

/** The impact of a commit, and whether agents fetch other files because of it. */
export interface CommitImpact {
  readonly impact: Impact
  /**
   * True if files differ that agents fetch beside their catalog: plug-ins, and files of modules, which a catalog may
   * name without their content. A node with an unchanged catalog may then still change.
   */
  readonly changesFetchedFiles: boolean
}

/** Two commits of an environment, as served: with the modules of their Puppetfiles. */
export interface ServedCommits {
  readonly environment: string
  readonly from: string
  readonly to: string
  /** The nodes to compile; by default all nodes of the environment. */
  readonly only?: readonly string[] | undefined
}

/** Paths of files that agents fetch: plug-ins, external facts, translations and contents of files. */
const fetchedFile = /(?:^|\/)(?:lib|facts\.d|locales|files)\//

async function haveDifferentFetchedFiles(source: GitObjectSource, from: string, to: string): Promise<boolean> {
  const listFetched = async (commit: string) => {
    const entries = await source.listTree(commit)
    const fetched = await mapCooperatively(entries, ({ path, oid, mode }) =>
      fetchedFile.test(path) ? `${mode} ${oid} ${path}` : '',
    )
    return new Set(fetched)
  }
  const [before, after] = [await listFetched(from), await listFetched(to)]
  return before.size !== after.size || [...after].some((each) => !before.has(each))
}

/**
 * Computes the impact of a commit that was already accepted on all nodes of an environment, in the background and within
 * the time of `gate_budget`. Undefined if no node has sent a request or no thread compiles in the background.
 */
export async function computeCommitImpact(
  { environment, from, to, only }: ServedCommits,
  parts: GateParts,
  signal: AbortSignal,
): Promise<CommitImpact | undefined> {
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
    const impact = await computeImpact({
      ...{ from: old, to: fresh, nodes: only ?? nodes, environment, budgetMs: settings.gate_budget * 1000 },
      ...compiler,
    })
    return { impact, changesFetchedFiles: await haveDifferentFetchedFiles(source, from, to) }
  } finally {
    await source.close()
  }
}
