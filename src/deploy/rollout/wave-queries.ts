import { budgets } from '../../base/budgets/budgets.ts'
import { isCatalogIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { splitJsonArray } from '../../base/json/json-rows.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { runCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { awaitWithTimeout } from '../../base/time/promise-timeout.ts'
import type { NodeStore } from '../../store/node-store.ts'
import { rolloutIssues } from './rollout-issues.ts'
import type { RolloutPlan } from './rollout-plan.ts'
import type { QueriedNodes, RolloutNode } from './wave-members.ts'

type Store = Pick<NodeStore, 'ask'>

const { rollout: bounds } = budgets

/** Runs the queries of the waves, one after another. Throws ROLLOUT_QUERY and ROLLOUT_QUERY_SHAPE, which name the wave. */
export async function queryWaves({ waves }: Pick<RolloutPlan, 'waves'>, store: Store): Promise<QueriedNodes> {
  const found = new Map<number, ReadonlySet<string>>()
  for (const [index, { name, nodes }] of waves.entries())
    if (nodes?.query !== undefined) found.set(index, await queryCertnames(nodes.query, store, `the wave '${name}'`))
  return found
}

/**
 * Returns the certnames in the rows of a PQL query. `where` names the query in errors. Throws ROLLOUT_QUERY if the query
 * fails, is late or has too many rows, and ROLLOUT_QUERY_SHAPE for a row without a certname.
 */
export async function queryCertnames(
  query: string,
  store: Store,
  where: string,
  timeMs: number = bounds.queryTime.bound,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  await readRows(query, { store, where, timeMs }, (row) => {
    const certname = getMember(row, 'certname')
    if (typeof certname !== 'string') throwIssue(rolloutIssues.ROLLOUT_QUERY_SHAPE, { where })
    names.add(certname)
  })
  return names
}

/**
 * Returns the nodes with the values of the facts in `by` of all waves. A node without facts in the store has no values.
 * Throws ROLLOUT_QUERY.
 */
export async function readRolloutNodes(
  { waves }: Pick<RolloutPlan, 'waves'>,
  certnames: readonly string[],
  store: Store,
): Promise<readonly RolloutNode[]> {
  const paths = [...new Set(waves.flatMap(({ nodes }) => nodes?.by ?? []))]
  const groups = new Map<string, Record<string, string>>()
  const query = ['from', 'inventory', ['extract', ['certname', ...paths]]]
  const source = { store, where: "'by'", timeMs: bounds.queryTime.bound }
  if (paths.length > 0)
    await readRows(query, source, (row) => {
      const values = paths.flatMap((path) => {
        const value = getMember(row, path) ?? undefined
        return value === undefined ? [] : [[path, formatGroupValue(value)] as const]
      })
      groups.set(String(getMember(row, 'certname')), Object.fromEntries(values))
    })
  return certnames.map((certname) => ({ certname, groups: groups.get(certname) ?? {} }))
}

function formatGroupValue(value: ExactJson): string {
  return (typeof value === 'string' ? value : formatExactJson(value)).slice(0, bounds.groupValue.bound)
}

interface QuerySource {
  readonly store: Store
  readonly where: string
  readonly timeMs: number
}

/** Calls `take` for each row of a query. A query that is late is aborted. Throws ROLLOUT_QUERY. */
async function readRows(
  query: ExactJson,
  { store, where, timeMs }: QuerySource,
  take: (row: ExactJson) => void,
): Promise<void> {
  const late = new AbortController()
  const fail = (why: string): never => throwIssue(rolloutIssues.ROLLOUT_QUERY, { where, why })
  let count = 0
  const read = async () => {
    const body = formatExactJson({ query })
    const answer = await store.ask({ method: 'POST', path: '', search: '', body }, late.signal)
    if (answer?.status !== 200) return fail('the store has no such entity')
    for await (const texts of splitJsonArray(answer.pieces)) {
      if (late.signal.aborted) return
      count += texts.length
      if (count > bounds.queryRows.bound) fail(`it returned more than ${bounds.queryRows.bound} rows`)
      await runCooperatively(takeRows(texts, take))
    }
  }
  const expire = () => {
    late.abort()
    return new Error(`no answer within ${timeMs / 1000} seconds`)
  }
  try {
    await awaitWithTimeout(read(), timeMs, expire)
  } catch (error) {
    late.abort()
    if (isCatalogIssue(error, rolloutIssues)) throw error
    const why = error instanceof PuppetError ? error.diagnostic.message : (error as Error).message
    fail(why.replaceAll('\n', ' '))
  }
}

function* takeRows(texts: readonly string[], take: (row: ExactJson) => void): Generator<void, void> {
  for (const text of texts) {
    take(parseJson(text))
    yield
  }
}
