import { comparePage } from './compare/compare.ts'
import { queryPage } from './console/query-page.ts'
import { deploysPage } from './deploys.ts'
import { exportedPage } from './exported.ts'
import { factsPage } from './node/facts.ts'
import { historyPage } from './node/history.ts'
import { resourcesPage } from './node/resources.ts'
import { nodePage } from './node/summary.ts'
import { nodesPage } from './nodes.ts'
import { overviewPage } from './overview.ts'
import type { PageOf } from './page.ts'
import { radiatorPage } from './radiator.ts'
import { reportPage } from './report/report.ts'
import { reportsPage } from './report/reports.ts'

/** A page and its path below `/ui`; `*` matches any part. */
interface Place {
  readonly path: readonly string[]
  readonly page: PageOf
}

/** All pages. */
export const places: readonly Place[] = [
  { path: [], page: overviewPage },
  { path: ['nodes'], page: nodesPage },
  { path: ['nodes', '*'], page: nodePage },
  { path: ['nodes', '*', 'facts'], page: factsPage },
  { path: ['nodes', '*', 'resources'], page: resourcesPage },
  { path: ['nodes', '*', 'history'], page: historyPage },
  { path: ['reports'], page: reportsPage },
  { path: ['reports', '*'], page: reportPage },
  { path: ['deploys'], page: deploysPage },
  { path: ['diff'], page: comparePage },
  { path: ['exported'], page: exportedPage },
  { path: ['query'], page: queryPage },
  { path: ['radiator'], page: radiatorPage },
]

/** The page for a path, and the parts of the path that match `*`. */
export function pageAt(
  path: readonly string[],
): { readonly page: PageOf; readonly about: readonly string[] } | undefined {
  for (const { path: pattern, page } of places) {
    if (pattern.length !== path.length) continue
    if (pattern.every((part, at) => part === '*' || part === path[at]))
      return { page, about: path.filter((_, at) => pattern[at] === '*') }
  }
  return undefined
}
