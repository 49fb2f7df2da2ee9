import { createPageAddress, type Html, html } from '../../base/text/html.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import { renderConvergenceChart } from './convergence.ts'
import type { Commit, PageRenderer, PageSources } from './page.ts'
import { renderBar } from './parts/bar.ts'
import { renderTable } from './parts/table.ts'
import { formatCount, formatDuration, renderTime } from './parts/time-format.ts'
import { readOwnEnvironments } from './questions/node-environments.ts'
import { queryRows, type StoreQuery } from './questions/store-query.ts'

/** A commit in the catalogs of an environment's nodes, or the served commit. */
interface RunningCommit {
  readonly codeId: string | undefined
  readonly nodes: number
  readonly isServed: boolean
  readonly commit: Commit | undefined
}

/** An environment, its served commit, and the commits of its nodes. */
export interface DeployedEnvironment {
  readonly name: string
  readonly status: EnvironmentStatus | undefined
  readonly running: readonly RunningCommit[]
  readonly nodes: number
  /** Number of nodes whose catalog is from the served commit. */
  readonly converged: number
}

const mostCommits = 12

/** Environments with their served commits and the progress of their nodes. */
export const renderDeploysPage: PageRenderer = async (_request, sources) => {
  const deployed = await readDeployedEnvironments(sources)
  const charts = await Promise.all(deployed.map((each) => renderConvergenceChart(sources, each)))
  const body = html`<h1>Deploys</h1>
<p class="lead">A push deploys a commit; each node receives it with its next catalog.</p>
${deployed.length === 0 && html`<p class="empty">No environment is served, and no node has a catalog.</p>`}
${deployed.map((each, at) => renderEnvironment(each, charts[at], sources.now()))}`
  return { title: 'Deploys', body, modules: charts.some(Boolean) ? ['charts.js'] : [] }
}

interface Group {
  readonly environment: string | null
  readonly code_id: string | null
  readonly count: number
}

async function readDeployedEnvironments(sources: PageSources): Promise<readonly DeployedEnvironment[]> {
  const [served, groups] = await Promise.all([sources.environments(), readCatalogGroups(sources)])
  // Ignore catalogs of deleted branches; a server without environments shows the environments of the store.
  const known =
    served.length > 0 ? served.map(({ name }) => name) : groups.flatMap(({ environment }) => environment ?? [])
  const names = new Set(known)
  const deployed = await Promise.all(
    [...names].map((name) => {
      const own = groups.filter(({ environment }) => environment === name)
      return readDeployedEnvironment(
        sources,
        name,
        served.find((status) => status.name === name),
        own,
      )
    }),
  )
  return deployed.sort((a, b) => b.nodes - a.nodes || (a.name < b.name ? -1 : 1))
}

/**
 * Number of active nodes by environment and commit. A node that tried another environment is counted in its own
 * environment, with the commit of its last run there.
 */
async function readCatalogGroups(sources: PageSources): Promise<readonly Group[]> {
  const own = await readOwnEnvironments(sources)
  const fields: StoreQuery = [['function', 'count'], 'environment', 'code_id']
  const isActive: StoreQuery = ['=', ['node', 'active'], true]
  const isCounted: StoreQuery =
    own.size === 0 ? isActive : ['and', isActive, ['not', ['in', 'certname', ['array', [...own.keys()]]]]]
  const { rows } = await queryRows<Group>(sources.store, {
    of: 'catalogs',
    query: ['extract', fields, isCounted, ['group_by', 'environment', 'code_id']],
  })
  const groups = new Map(rows.map((row) => [JSON.stringify([row.environment, row.code_id]), row]))
  for (const { environment, codeId } of own.values()) {
    const key = JSON.stringify([environment, codeId])
    groups.set(key, { environment, code_id: codeId, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

async function readDeployedEnvironment(
  sources: PageSources,
  name: string,
  status: EnvironmentStatus | undefined,
  groups: readonly Group[],
): Promise<DeployedEnvironment> {
  const head = status?.commit
  const counts = new Map(groups.map(({ code_id: codeId, count: number }) => [codeId ?? undefined, number]))
  if (head !== undefined && !counts.has(head)) counts.set(head, 0)
  const sorted = [...counts].sort(([a, m], [b, n]) => Number(b === head) - Number(a === head) || n - m)
  const running = await Promise.all(
    sorted.slice(0, mostCommits).map(async ([codeId, nodes]) => ({
      codeId,
      nodes,
      isServed: codeId !== undefined && codeId === head,
      commit: codeId === undefined ? undefined : await sources.commit(codeId),
    })),
  )
  const nodes = groups.reduce((sum, each) => sum + each.count, 0)
  return { name, status, running, nodes, converged: head === undefined ? 0 : (counts.get(head) ?? 0) }
}

function renderEnvironment(
  { name, status, running, nodes, converged }: DeployedEnvironment,
  chart: Html | undefined,
  now: number,
): Html {
  const id = `environment-${name}`
  const share = nodes === 0 ? 0 : Math.floor((100 * converged) / nodes)
  const shares = [
    { look: 'unchanged', label: 'the served commit', count: converged },
    { look: 'drifting', label: 'other commits', count: nodes - converged },
  ]
  return html`<section class="environment" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${status?.commit !== undefined && html`<p><strong>${formatCount(converged)}</strong> of ${formatCount(nodes)} ${nodes === 1 ? 'node has' : 'nodes have'} commit <code>${status.commit.slice(0, 12)}</code>${nodes > 0 && ` (${share} %)`}, served for ${formatDuration(Math.max(0, now - (status.since ?? now)))}.</p>${renderBar(shares)}`}
${status?.commit === undefined && html`<p>This server serves no commit of this environment; ${formatCount(nodes)} ${nodes === 1 ? 'node has' : 'nodes have'} a catalog from it.</p>`}
${status?.refused && html`<p class="notice" role="alert">Newer code${status.refused.commit !== undefined && html` (<code>${status.refused.commit.slice(0, 12)}</code>)`} was rejected: ${status.refused.reason}</p>`}
${chart}
${renderCommitsTable(name, running, now)}</section>`
}

function renderCommitsTable(name: string, running: readonly RunningCommit[], now: number): Html {
  return renderTable<RunningCommit>(
    `Commits of ${name}`,
    [
      {
        label: 'Commit',
        heads: true,
        cell: ({ codeId, isServed }) => [
          codeId === undefined ? html`<span class="none">none</span>` : html`<code>${codeId.slice(0, 12)}</code>`,
          isServed && html` <span class="tag">served</span>`,
        ],
      },
      { label: 'Subject', cell: ({ commit }) => commit?.subject },
      { label: 'By', cell: ({ commit }) => commit?.author },
      { label: 'When', cell: ({ commit }) => commit && renderTime(commit.time, now) },
      {
        label: 'Nodes',
        numeric: true,
        cell: ({ codeId, nodes }) =>
          codeId === undefined
            ? formatCount(nodes)
            : html`<a href="${createPageAddress(['nodes'], { code_id: codeId })}">${formatCount(nodes)}</a>`,
      },
    ],
    running,
    'No node has a catalog of this environment.',
  )
}
