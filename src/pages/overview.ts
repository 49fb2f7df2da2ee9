import { addressOf, type Html, html } from './html.ts'
import { type LastRun, lastRunFields, nodeStates, type StateName, stateOfRun, tooOld } from './node-state.ts'
import type { PageOf, PageSources } from './page.ts'
import { bar } from './parts/bar.ts'
import { count, moment, span } from './parts/moment.ts'
import { table } from './parts/table.ts'
import { ask, first } from './questions/ask.ts'
import { runsChart } from './runs-chart.ts'

/** Nodes by state, runs of the last day, what fails. */
export const overviewPage: PageOf = async (_request, sources) => {
  const [counts, runs, failures, culprits] = await Promise.all([
    stateCounts(sources),
    runsChart(sources),
    latestFailures(sources),
    failingResources(sources),
  ])
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const body = html`<h1>Overview</h1>
<p class="lead"><strong>${count(total)}</strong> ${total === 1 ? 'node' : 'nodes'}. Unresponsive is what sent no report for ${span(sources.unresponsiveAfter)}.</p>
${stateCards(counts, total)}
${runs}
<div class="columns">
<section aria-labelledby="failures"><h2 id="failures">Latest failures</h2>${failuresTable(failures, sources.now())}
<p><a href="${addressOf(['nodes'], { state: 'failed', sort: 'report_timestamp' })}">All failed nodes</a></p></section>
<section aria-labelledby="culprits"><h2 id="culprits">What fails most</h2>${culpritsTable(culprits)}</section>
</div>`
  return { title: 'Overview', body, modules: ['charts.js'] }
}

/** The number of nodes in each state. */
export async function stateCounts(sources: PageSources): Promise<ReadonlyMap<StateName, number>> {
  const fields = [...lastRunFields]
  const recent = ['>=', 'report_timestamp', tooOld(sources)]
  const [groups, all] = await Promise.all([
    ask<LastRun & { count: number }>(sources.store, {
      of: 'nodes',
      query: ['extract', [['function', 'count'], ...fields], recent, ['group_by', ...fields]],
    }),
    first<{ count: number }>(sources.store, { of: 'nodes', query: ['extract', [['function', 'count']]] }),
  ])
  const counts = new Map<StateName, number>(nodeStates.map(({ name }) => [name, 0]))
  let silent = all?.count ?? 0
  for (const group of groups.rows) {
    const state = stateOfRun(group)
    counts.set(state, counts.get(state)! + group.count)
    silent -= group.count
  }
  counts.set('unresponsive', Math.max(0, silent))
  return counts
}

function stateCards(counts: ReadonlyMap<StateName, number>, total: number): Html {
  const shares = nodeStates.map(({ name, label }) => ({ look: name, label, count: counts.get(name)! }))
  return html`<section aria-labelledby="states"><h2 id="states" class="hidden">Nodes by state</h2>
${total > 0 && bar(shares)}
<ul class="cards">${nodeStates.map(({ name, label, sign, meaning }) => {
    const number = counts.get(name)!
    return html`<li class="card ${name} ${number === 0 && 'zero'}"><a href="${addressOf(['nodes'], { state: name })}">
<span class="figure">${count(number)}</span> <span class="label"><span aria-hidden="true">${sign}</span> ${label}</span>
<span class="meaning">${meaning}</span></a></li>`
  })}</ul></section>`
}

interface Failure {
  readonly certname: string
  readonly report_timestamp: string
  readonly latest_report_hash: string
  readonly event: FailureEvent | undefined
}

interface FailureEvent {
  readonly report: string
  readonly resource_type: string
  readonly resource_title: string
  readonly message: string | null
}

async function latestFailures({ store }: PageSources): Promise<readonly Failure[]> {
  const fields = ['certname', 'report_timestamp', 'latest_report_hash']
  const { rows } = await ask<Omit<Failure, 'event'>>(store, {
    of: 'nodes',
    query: ['extract', fields, ['=', 'latest_report_status', 'failed']],
    order: [['report_timestamp', 'desc']],
    limit: 10,
  })
  if (rows.length === 0) return []
  const reports = rows.map(({ latest_report_hash: hash }) => hash)
  const { rows: events } = await ask<FailureEvent>(store, {
    of: 'events',
    query: [
      'extract',
      ['report', 'resource_type', 'resource_title', 'message'],
      ['and', ['in', 'report', ['array', reports]], ['=', 'status', 'failure']],
    ],
    limit: 200,
  })
  return rows.map((row) => ({ ...row, event: events.find(({ report }) => report === row.latest_report_hash) }))
}

function failuresTable(failures: readonly Failure[], now: number): Html {
  return table<Failure>(
    'Latest failures',
    [
      {
        label: 'Node',
        heads: true,
        cell: ({ certname }) => html`<a href="${addressOf(['nodes', certname])}">${certname}</a>`,
      },
      { label: 'What failed', cell: ({ event }) => event && failed(event) },
      {
        label: 'Run',
        cell: ({ report_timestamp: time, latest_report_hash: hash }) =>
          html`<a href="${addressOf(['reports', hash])}">${moment(time, now)}</a>`,
      },
    ],
    failures,
    'No node failed in its last run.',
  )
}

function failed({ resource_type: type, resource_title: title, message }: FailureEvent): Html {
  return html`<code>${type}[${title}]</code>${message && html`<br><span class="message">${firstLine(message)}</span>`}`
}

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0]!
  return line.length > 140 ? `${line.slice(0, 140)}…` : line
}

interface Culprit {
  readonly resource_type: string
  readonly resource_title: string
  readonly count: number
}

async function failingResources({ store }: PageSources): Promise<readonly Culprit[]> {
  const fields = ['resource_type', 'resource_title']
  const failing = ['and', ['=', 'latest_report?', true], ['=', 'status', 'failure']]
  const { rows } = await ask<Culprit>(store, {
    of: 'events',
    query: ['extract', [['function', 'count'], ...fields], failing, ['group_by', ...fields]],
  })
  return [...rows].sort((a, b) => b.count - a.count).slice(0, 8)
}

function culpritsTable(culprits: readonly Culprit[]): Html {
  return table<Culprit>(
    'What fails most',
    [
      {
        label: 'Resource',
        heads: true,
        cell: ({ resource_type: type, resource_title: title }) => html`<code>${type}[${title}]</code>`,
      },
      { label: 'Nodes', numeric: true, cell: (row) => html`<a href="${eventsQuery(row)}">${count(row.count)}</a>` },
    ],
    culprits,
    'Nothing fails.',
  )
}

function eventsQuery({ resource_type: type, resource_title: title }: Culprit) {
  const q = `events[certname, timestamp, message, report] {\n  latest_report? = true and status = "failure"\n  and resource_type = ${JSON.stringify(type)} and resource_title = ${JSON.stringify(title)}\n}`
  return addressOf(['query'], { q })
}
