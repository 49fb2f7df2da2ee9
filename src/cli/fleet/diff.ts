import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { OpenedEnvironment } from '../../code/environments/environment-opener.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { type CatalogDiff, diffCatalogs, formatDiffCounts, isEmptyDiff } from '../../model/catalog-diff.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import type { ExportTable } from '../../store/exports/memory-exports.ts'
import type { Io } from '../command/command.ts'
import type { MayHave, Option, renderAs } from '../command/options.ts'
import { type inputsOption, openFleetQuerySources } from '../input/query-answers.ts'
import { compileFleet, createProgressCounter, type Fleet, type FleetAnswer, formatFailureLines } from './fleet.ts'

/** The change of a node between two commits. */
type NodeChange =
  | ({ readonly node: string; readonly outcome: 'failed' } & FailedSides)
  | { readonly node: string; readonly outcome: 'same' }
  | { readonly node: string; readonly outcome: 'changed'; readonly diff: CatalogDiff }

/** Errors and hints for the catalogs before and after the change; null for a catalog that compiled. */
interface FailedSides {
  readonly from: string | null
  readonly from_hint: string | null
  readonly to: string | null
  readonly to_hint: string | null
}

/** The nodes whose catalogs are compared, and the output options. */
interface FleetOrder {
  readonly fleet: Fleet
  readonly options: MayHave<readonly [typeof detailedOption, typeof renderAs, typeof inputsOption]>
  readonly io: Io
}

/** Option for an exit status that reports changes. */
export const detailedOption = {
  flags: '--detailed-exitcodes',
  doc: 'Exit with 2 if a catalog changed.',
} as const satisfies Option

/** Compares the catalogs of several nodes, and prints a line for each change. Returns the exit status. */
export async function diffNodes(
  { fleet, options, io }: FleetOrder,
  opened: readonly [from: OpenedEnvironment, to: OpenedEnvironment],
  exports: ExportTable | undefined,
  settings: Settings,
): Promise<number> {
  const progress = createProgressCounter(fleet.nodes.length, io)
  const changes = new Map<string, NodeChange>()
  const asked = await openFleetQuerySources(options, settings, io)
  await compileFleet(fleet, { opened, exports, asked }, settings, (node, [before, after]) => {
    changes.set(node, compareNode(node, before!, after!))
    progress.done(node)
  })
  progress.clear()
  const all = fleet.nodes.map((node) => changes.get(node)!)
  io.out(options.renderAs === 'json' ? `${formatExactJson(all, 2)}\n` : formatSummary(all))
  const hasOutcome = (sought: NodeChange['outcome']) => all.some(({ outcome }) => outcome === sought)
  if (options.detailedExitcodes) return (hasOutcome('changed') ? 2 : 0) + (hasOutcome('failed') ? 4 : 0)
  return hasOutcome('failed') ? 1 : 0
}

function compareNode(node: string, before: FleetAnswer, after: FleetAnswer): NodeChange {
  if ('error' in before || 'error' in after) {
    const [from, to] = [getFailure(before), getFailure(after)]
    return { node, outcome: 'failed', from: from.error, from_hint: from.hint, to: to.error, to_hint: to.hint }
  }
  const parseCatalogBody = (body: Uint8Array) => catalogFromWire(parseJson(new TextDecoder().decode(body)))
  const diff = diffCatalogs(parseCatalogBody(before.catalog.body), parseCatalogBody(after.catalog.body))
  return isEmptyDiff(diff) ? { node, outcome: 'same' } : { node, outcome: 'changed', diff }
}

function getFailure(answer: FleetAnswer): { readonly error: string | null; readonly hint: string | null } {
  return 'error' in answer ? answer : { error: null, hint: null }
}

function formatSummary(changes: readonly NodeChange[]): string {
  const lines = changes.flatMap(formatChangeLines)
  const countOutcome = (outcome: NodeChange['outcome']) => changes.filter((each) => each.outcome === outcome).length
  const totals = `${countOutcome('changed')} changed, ${countOutcome('same')} unchanged, ${countOutcome('failed')} failed`
  return [...[...lines, ...formatResourceLines(changes), totals].map(toPrintable), ''].join('\n')
}

function formatChangeLines(change: NodeChange): string[] {
  if (change.outcome === 'same') return []
  if (change.outcome === 'failed')
    return (['from', 'to'] as const).flatMap((side) => {
      const [error, hint] = [change[side], change[`${side}_hint`]]
      return error === null ? [] : formatFailureLines({ error, hint }, `! ${change.node}: (${side}) `, '!   ')
    })
  return [`~ ${change.node}: ${formatDiffCounts(change.diff)}`]
}

/** Each changed resource with its number of nodes, in descending order. */
function formatResourceLines(changes: readonly NodeChange[]): string[] {
  const counts = new Map<string, number>()
  for (const change of changes) {
    if (change.outcome !== 'changed') continue
    const { added, removed, changed } = change.diff
    const all = [
      ...added.map((each) => `+ ${each}`),
      ...removed.map((each) => `- ${each}`),
      ...changed.map(({ resource, parameters }) => `~ ${resource}: ${parameters.map(({ name }) => name).join(', ')}`),
    ]
    for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return sorted.map(([what, count]) => `  ${what} (${count} ${count === 1 ? 'node' : 'nodes'})`)
}
