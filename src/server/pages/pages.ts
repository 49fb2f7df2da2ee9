import { renderComparePage } from './compare/compare.ts'
import { renderQueryPage } from './console/query-page.ts'
import { renderDeploysPage } from './deploys.ts'
import { renderExportedPage } from './exported-resources.ts'
import { renderFactsPage } from './node/facts.ts'
import { renderHistoryPage } from './node/history.ts'
import { renderResourcesPage } from './node/resources.ts'
import { renderNodePage } from './node/summary.ts'
import { renderNodesPage } from './nodes.ts'
import { renderOverviewPage } from './overview.ts'
import type { PageRenderer } from './page.ts'
import { renderRadiatorPage } from './radiator.ts'
import { renderReportPage } from './report/report.ts'
import { renderReportsPage } from './report/reports.ts'
import { renderRolloutPage } from './rollouts/rollout.ts'
import { renderRolloutsPage } from './rollouts/rollouts.ts'

/** A page and its path below `/ui`; `*` matches any part. */
interface Place {
  readonly path: readonly string[]
  readonly page: PageRenderer
}

/** All pages. */
export const consolePages: readonly Place[] = [
  { path: [], page: renderOverviewPage },
  { path: ['nodes'], page: renderNodesPage },
  { path: ['nodes', '*'], page: renderNodePage },
  { path: ['nodes', '*', 'facts'], page: renderFactsPage },
  { path: ['nodes', '*', 'resources'], page: renderResourcesPage },
  { path: ['nodes', '*', 'history'], page: renderHistoryPage },
  { path: ['reports'], page: renderReportsPage },
  { path: ['reports', '*'], page: renderReportPage },
  { path: ['deploys'], page: renderDeploysPage },
  { path: ['rollouts'], page: renderRolloutsPage },
  { path: ['rollouts', '*'], page: renderRolloutPage },
  { path: ['diff'], page: renderComparePage },
  { path: ['exported'], page: renderExportedPage },
  { path: ['query'], page: renderQueryPage },
  { path: ['radiator'], page: renderRadiatorPage },
]

/** The page for a path, and the parts of the path that match `*`. */
export function findPage(
  path: readonly string[],
): { readonly page: PageRenderer; readonly about: readonly string[] } | undefined {
  for (const { path: pattern, page } of consolePages) {
    if (pattern.length !== path.length) continue
    if (pattern.every((part, at) => part === '*' || part === path[at]))
      return { page, about: path.filter((_, at) => pattern[at] === '*') }
  }
  return undefined
}
