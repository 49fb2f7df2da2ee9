import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { useBranchCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { openRepository } from '../../code/git/repository-opener.ts'
import { computeImpact } from '../../deploy/impact/impact.ts'
import type { ImpactCode } from '../../deploy/impact/impact-request.ts'
import type { Impact } from '../../deploy/impact/impact-result.ts'
import { createCommitOpener, type GateCode } from './gate-code.ts'
import { canRunGate, type GateParts } from './gate-parts.ts'
import { createImpactCompiler } from './impact-compiler.ts'

/** Two commits of an environment, as served: with the modules of their Puppetfiles. */
export interface ServedCommits {
  readonly environment: string
  readonly from: string
  readonly to: string
}

/** Paths of files that agents fetch: plug-ins, external facts, translations and contents of files. */
const fetchedFile = /(?:^|\/)(?:lib|facts\.d|locales|files)\//

/**
 * Returns true if files differ that agents fetch beside their catalog: plug-ins, and files of modules, which a catalog
 * may name without their content. A node with an unchanged catalog may then still change.
 */
export async function haveDifferentFetchedFiles(
  source: Pick<GitObjectSource, 'listTree'>,
  { from, to }: Pick<ServedCommits, 'from' | 'to'>,
): Promise<boolean> {
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
 * Computes the impact of a commit that was already accepted on nodes of an environment, in the background and within the
 * time of `gate_budget`. Undefined without nodes, and if no node has sent a request or no thread compiles in the
 * background.
 */
export async function computeCommitImpact(
  { environment, from, to, nodes }: ServedCommits & { readonly nodes: readonly string[] },
  parts: GateParts,
  signal: AbortSignal,
): Promise<Impact | undefined> {
  await parts.ready
  const { settings, services, repository } = parts
  if (repository === undefined || nodes.length === 0 || !canRunGate(parts)) return undefined
  const { environments } = services
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
    const budgetMs = settings.gate_budget * 1000
    return await computeImpact({ from: old, to: fresh, nodes, budgetMs, ...compiler })
  } finally {
    await source.close()
  }
}
