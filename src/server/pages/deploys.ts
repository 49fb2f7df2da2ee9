import { addressOf, type Html, html } from '../../base/text/html.ts'
import type { EnvironmentStatus } from '../../code/environments/environments.ts'
import { convergenceChart } from './convergence.ts'
import type { Commit, PageOf, PageSources } from './page.ts'
import { bar } from './parts/bar.ts'
import { count, moment, span } from './parts/moment.ts'
import { table } from './parts/table.ts'
import { ask, type Query } from './questions/ask.ts'
import { ownEnvironmentsOf } from './questions/own-environments.ts'

/** A commit in the catalogs of an environment's nodes, or the served commit. */
interface Running {
  readonly codeId: string | undefined
  readonly nodes: number
  readonly isServed: boolean
  readonly commit: Commit | undefined
}

/** An environment, its served commit, and the commits of its nodes. */
export interface Deployed {
  readonly name: string
  readonly status: EnvironmentStatus | undefined
  readonly running: readonly Running[]
  readonly nodes: number
  /** Number of nodes whose catalog is from the served commit. */
  readonly converged: number
}

const mostCommits = 12

/** Environments with their served commits and the progress of their nodes. */
export const deploysPage: PageOf = async (_request, sources) => {
  const deployed = await deployedEnvironments(sources)
  const charts = await Promise.all(deployed.map((each) => convergenceChart(sources, each)))
  const body = html`<h1>Deploys</h1>
<p class="lead">A push deploys a commit; each node receives it with its next catalog.</p>
${deployed.length === 0 && html`<p class="empty">No environment is served, and no node has a catalog.</p>`}
${deployed.map((each, at) => environmentPart(each, charts[at], sources.now()))}`
  return { title: 'Deploys', body, modules: charts.some(Boolean) ? ['charts.js'] : [] }
}

interface Group {
  readonly environment: string | null
  readonly code_id: string | null
  readonly count: number
}

async function deployedEnvironments(sources: PageSources): Promise<readonly Deployed[]> {
  const [served, groups] = await Promise.all([sources.environments(), catalogGroups(sources)])
  // Ignore catalogs of deleted branches; a server without environments shows the environments of the store.
  const known =
    served.length > 0 ? served.map(({ name }) => name) : groups.flatMap(({ environment }) => environment ?? [])
  const names = new Set(known)
  const deployed = await Promise.all(
    [...names].map((name) => {
      const own = groups.filter(({ environment }) => environment === name)
      return deployedEnvironment(
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
async function catalogGroups(sources: PageSources): Promise<readonly Group[]> {
  const own = await ownEnvironmentsOf(sources)
  const fields: Query = [['function', 'count'], 'environment', 'code_id']
  const isActive: Query = ['=', ['node', 'active'], true]
  const isCounted: Query =
    own.size === 0 ? isActive : ['and', isActive, ['not', ['in', 'certname', ['array', [...own.keys()]]]]]
  const { rows } = await ask<Group>(sources.store, {
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

async function deployedEnvironment(
  sources: PageSources,
  name: string,
  status: EnvironmentStatus | undefined,
  groups: readonly Group[],
): Promise<Deployed> {
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

function environmentPart(
  { name, status, running, nodes, converged }: Deployed,
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
${status?.commit !== undefined && html`<p><strong>${count(converged)}</strong> of ${count(nodes)} ${nodes === 1 ? 'node has' : 'nodes have'} commit <code>${status.commit.slice(0, 12)}</code>${nodes > 0 && ` (${share} %)`}, served for ${span(Math.max(0, now - (status.since ?? now)))}.</p>${bar(shares)}`}
${status?.commit === undefined && html`<p>This server serves no commit of this environment; ${count(nodes)} ${nodes === 1 ? 'node has' : 'nodes have'} a catalog from it.</p>`}
${status?.refused && html`<p class="notice" role="alert">Newer code${status.refused.commit !== undefined && html` (<code>${status.refused.commit.slice(0, 12)}</code>)`} was rejected: ${status.refused.reason}</p>`}
${chart}
${commitsTable(name, running, now)}</section>`
}

function commitsTable(name: string, running: readonly Running[], now: number): Html {
  return table<Running>(
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
      { label: 'When', cell: ({ commit }) => commit && moment(commit.time, now) },
      {
        label: 'Nodes',
        numeric: true,
        cell: ({ codeId, nodes }) =>
          codeId === undefined
            ? count(nodes)
            : html`<a href="${addressOf(['nodes'], { code_id: codeId })}">${count(nodes)}</a>`,
      },
    ],
    running,
    'No node has a catalog of this environment.',
  )
}
