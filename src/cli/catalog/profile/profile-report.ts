import { toPrintable } from '../../../base/text/printable.ts'
import type { CompileProfile } from '../../../compiler/profile/compile-profile.ts'
import { type Cost, listCosts } from '../../../compiler/profile/cost-table.ts'
import { buildCostTree } from '../../../compiler/profile/cost-tree.ts'
import { type RubyCallSummary, summarizeRubyCalls } from '../../../compiler/profile/ruby-call-summary.ts'
import type { WorkKind } from '../../../language/host.ts'
import type { Catalog } from '../../../model/catalog.ts'

/** The costs of one kind of work, the most expensive first. */
interface CostTable {
  /** Number of different classes, functions, … that ran. */
  readonly count: number
  readonly most_expensive: readonly Cost[]
}

/** The profile of a compilation as data. */
export interface ProfileReport {
  readonly node: string
  readonly environment: string
  readonly code_id: string | null
  readonly resources: number
  readonly runs: number
  readonly total_ms: number
  /** In the order of time. */
  readonly phases: readonly Cost[]
  readonly classes: CostTable
  readonly defined_types: CostTable
  readonly functions: CostTable
  readonly lambdas: CostTable
  readonly templates: CostTable
  readonly hiera_levels: CostTable
  readonly ruby_calls: RubyCallSummary
}

/** Number of rows of a table. */
const maxRows = 20
/** Number of functions and templates that are printed for a reason. */
const maxLabels = 5

/** Summarizes the profile of the last of `runs` compilations. */
export function reportProfile(profile: CompileProfile, catalog: Catalog, runs: number): ProfileReport {
  const root = buildCostTree(profile)
  const costs = listCosts(root)
  const listRounded = (kind: WorkKind) => (costs.get(kind) ?? []).map(roundCost)
  const listMostExpensive = (kind: WorkKind): CostTable => {
    const rows = listRounded(kind)
    rows.sort((one, other) => other.own_ms - one.own_ms)
    return { count: rows.length, most_expensive: rows.slice(0, maxRows) }
  }
  return {
    node: catalog.name,
    environment: catalog.environment,
    code_id: catalog.codeId ?? null,
    resources: catalog.resources.length,
    runs,
    total_ms: roundMs(root.total),
    phases: listRounded('phase'),
    classes: listMostExpensive('class'),
    defined_types: listMostExpensive('defined type'),
    functions: listMostExpensive('function'),
    lambdas: listMostExpensive('lambda'),
    templates: listMostExpensive('template'),
    hiera_levels: listMostExpensive('Hiera level'),
    ruby_calls: summarizeRubyCalls(profile.rubyCalls),
  }
}

/** Formats a profile as tables. */
export function formatProfileReport(report: ProfileReport): string {
  const { node, environment, code_id: codeId, resources, runs, total_ms: total } = report
  const at = codeId === null ? '' : ` at ${codeId}`
  const run = runs === 1 ? '' : `, compilation ${runs} of this process`
  const title = `Catalog of ${node} in environment ${environment}${at}: ${resources} resources in ${formatMs(total)} ms${run}`
  return [
    title,
    ...formatTable('phase', 'in the order of time', report.phases),
    ...formatCostTable('class', report.classes),
    ...formatCostTable('defined type', report.defined_types),
    ...formatCostTable('function', report.functions),
    ...formatCostTable('lambda', report.lambdas),
    ...formatCostTable('template', report.templates),
    ...formatCostTable('Hiera level', report.hiera_levels),
    ...formatRubyCalls(report.ruby_calls),
  ]
    .map((line) => `${toPrintable(line)}\n`)
    .join('')
}

function formatCostTable(kind: string, { count, most_expensive: rows }: CostTable): string[] {
  const order = count > rows.length ? `${rows.length} of ${count}, by own time` : 'by own time'
  return formatTable(kind, order, rows)
}

function formatTable(kind: string, order: string, rows: readonly Cost[]): string[] {
  if (rows.length === 0) return []
  return [
    '',
    `${formatCells('own ms', 'total ms', 'calls')}  ${kind} (${order})`,
    ...rows.map(
      ({ name, calls, own_ms: own, total_ms: total }) =>
        `${formatCells(formatMs(own), formatMs(total), String(calls))}  ${name}`,
    ),
  ]
}

function formatRubyCalls({ calls, recalled, recorded, not_recalled: others }: RubyCallSummary): string[] {
  if (calls === 0) return ['', 'No Ruby code ran.']
  const rest = calls - recalled - recorded
  return [
    '',
    `Ruby calls: ${calls}. Recalled: ${recalled}. Run and recorded for later catalogs: ${recorded}. Not recallable: ${rest}`,
    ...(rest === 0 ? [] : [`${'calls'.padStart(8)}  reason: functions and templates`]),
    ...others.map(({ reason, calls: number, labels }) => {
      const shown = labels
        .slice(0, maxLabels)
        .map(({ label, calls: each }) => (each === 1 ? label : `${label} (${each})`))
      const more = labels.length > maxLabels ? [`${labels.length - maxLabels} more`] : []
      return `${String(number).padStart(8)}  ${reason}: ${[...shown, ...more].join(', ')}`
    }),
  ]
}

function formatCells(own: string, total: string, calls: string): string {
  return `${own.padStart(10)} ${total.padStart(10)} ${calls.padStart(8)}`
}

const formatMs = (ms: number): string => ms.toFixed(2)

function roundCost({ own_ms: own, total_ms: total, ...cost }: Cost): Cost {
  return { ...cost, own_ms: roundMs(own), total_ms: roundMs(total) }
}

/** Rounds to microseconds. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
