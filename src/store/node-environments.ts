import type { RowReader } from './node-rows.ts'

/** The environment to which a node belongs, and the commit of the node's last run in it. */
export interface OwnEnvironment {
  readonly environment: string
  readonly codeId: string | null
}

/** Options of `findOwnEnvironments`. */
export interface OwnEnvironmentsOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Milliseconds after which a run no longer counts; 0 means no limit. */
  readonly ttl: number
  /** The served environments, if known: a node whose branch was deleted belongs to another environment. */
  readonly served?: ReadonlySet<string> | undefined
  /** The nodes in the result; by default all. */
  readonly only?: readonly string[] | undefined
}

/** A node whose last run may have been only a trial of an environment. */
interface Trial {
  readonly certname: string
  /** The environment set on the agent's command line or in its puppet.conf. */
  readonly named: string | undefined
}

/** Runs of a node in one environment with one commit. */
interface Runs {
  readonly environment: string
  readonly noop: boolean
  readonly codeId: string | null
  /** Milliseconds since 1970. */
  readonly first: number
  readonly last: number
}

const oneDay = 24 * 3600 * 1000
/** Maximum number of certnames in one query. */
const namesAtOnce = 500
const agentNamed = 'agent_specified_environment'

/**
 * Returns the environments of nodes whose last run may have been only a trial of an environment: a
 * noop run, a run in an environment that the agent itself specified, or a run in an environment
 * that is no longer served. Any other node belongs to the environment of its last report. A noop
 * run never moves a node. A run in an environment that the agent itself specified moves the node
 * only after a day: until then, the node belongs to the environment in which it has run for the
 * longest time.
 */
export async function findOwnEnvironments(
  ask: RowReader,
  options: OwnEnvironmentsOptions,
): Promise<ReadonlyMap<string, OwnEnvironment>> {
  const own = new Map<string, OwnEnvironment>()
  const trials = await findTrials(ask, options)
  for (let at = 0; at < trials.length; at += namesAtOnce) {
    const part = trials.slice(at, at + namesAtOnce)
    const runs = await readRuns(ask, part, options)
    for (const trial of part) {
      const found = resolveOwnEnvironment(runs.get(trial.certname) ?? [], trial, options)
      if (found) own.set(trial.certname, found)
    }
  }
  return own
}

async function findTrials(ask: RowReader, { served, only }: OwnEnvironmentsOptions): Promise<readonly Trial[]> {
  const isAsked = only ? [['in', 'certname', ['array', only]]] : []
  const isNamed = ['and', ['=', 'name', agentNamed], ...isAsked]
  const facts = await ask(['from', 'facts', ['extract', ['certname', 'value'], isNamed]])
  const named = new Map(facts.map(({ certname, value }) => [String(certname), String(value)]))
  const isUnserved = served ? [['not', ['in', 'report_environment', ['array', [...served]]]]] : []
  const hasNamed = ['in', 'certname', ['extract', 'certname', ['select_facts', ['=', 'name', agentNamed]]]]
  const suspicious = ['or', ['=', 'latest_report_noop', true], hasNamed, ...isUnserved]
  const fields = ['certname', 'report_environment', 'latest_report_noop']
  const rows = await ask(['from', 'nodes', ['extract', fields, ['and', suspicious, ...isAsked]]])
  return rows.flatMap(({ certname, report_environment: environment, latest_report_noop: noop }) => {
    if (typeof environment !== 'string') return []
    const name = String(certname)
    const isTrial = noop === true || named.get(name) === environment || served?.has(environment) === false
    return isTrial ? [{ certname: name, named: named.get(name) }] : []
  })
}

async function readRuns(
  ask: RowReader,
  trials: readonly Trial[],
  { now, ttl }: OwnEnvironmentsOptions,
): Promise<ReadonlyMap<string, readonly Runs[]>> {
  const time = 'producer_timestamp'
  const groups = ['certname', 'environment', 'noop', 'code_id']
  const isOne = ['in', 'certname', ['array', trials.map(({ certname }) => certname)]]
  const isRecent = ttl > 0 ? [['>=', time, new Date(now - ttl).toISOString()]] : []
  const fields = [...groups, ['function', 'min', time], ['function', 'max', time]]
  const rows = await ask(['from', 'reports', ['extract', fields, ['and', isOne, ...isRecent], ['group_by', ...groups]]])
  const runs = new Map<string, Runs[]>()
  for (const { certname, environment, noop, code_id: codeId, min, max } of rows) {
    if (typeof environment !== 'string') continue
    const known = runs.get(String(certname)) ?? []
    runs.set(String(certname), known)
    const times = { first: Date.parse(String(min)), last: Date.parse(String(max)) }
    known.push({ environment, noop: noop === true, codeId: typeof codeId === 'string' ? codeId : null, ...times })
  }
  return runs
}

function resolveOwnEnvironment(
  all: readonly Runs[],
  { named }: Trial,
  { now, served }: OwnEnvironmentsOptions,
): OwnEnvironment | undefined {
  const inServed = all.filter(({ environment }) => !served || served.has(environment))
  const enforced = inServed.filter(({ noop }) => !noop)
  // A node that has only noop runs belongs to an environment, too.
  const runs = (enforced.length > 0 ? enforced : inServed).toSorted((one, other) => other.last - one.last)
  const newest = runs[0]
  if (!newest) return undefined
  const isNamed = newest.environment === named
  const recent = runs.filter(({ last }) => now - last <= oneDay).map(({ environment }) => environment)
  const rivals = new Set([newest.environment, ...(isNamed ? recent : [])])
  const candidates = runs.filter(({ environment }) => rivals.has(environment))
  const oldest = candidates.reduce((first, each) => (each.first < first.first ? each : first))
  const { environment, codeId } = runs.find((each) => each.environment === oldest.environment)!
  return { environment, codeId }
}
