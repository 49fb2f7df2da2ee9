import { toPrintable } from '../../base/text/printable.ts'
import { isActiveFinding } from '../../compiler/policy/check-policies.ts'
import type { PolicyFinding } from '../../compiler/policy/policy.ts'
import { type FleetFailure, formatFailureLines } from '../fleet/fleet.ts'

/** The findings of policies, and the nodes whose catalogs failed to compile. */
export interface CheckReport {
  readonly environment: string
  readonly codeId: string | undefined
  /** The number of checked catalogs. */
  readonly checked: number
  readonly failed: readonly (FleetFailure & { readonly node: string })[]
  readonly findings: readonly PolicyFinding[]
}

/**
 * Exit status: 1 if a finding of severity error has no exception or a catalog failed to compile,
 * otherwise 0.
 */
export function getExitStatus({ failed, findings }: CheckReport): number {
  const isRefused = findings.some((finding) => finding.severity === 'error' && isActiveFinding(finding))
  return isRefused || failed.length > 0 ? 1 : 0
}

/** Formats the report as JSON. */
export function reportToJson(report: CheckReport): string {
  const { environment, codeId = null, checked, failed, findings } = report
  const rows = findings.map(
    ({ rule, severity, message, detail, node, resource, file, line, parameter, exception }) => ({
      ...{ rule, severity, message, detail: detail ?? null, node, resource: resource ?? null },
      ...{ parameter: parameter ?? null, file: file ?? null, line: line ?? null },
      exception: exception ? { until: exception.until, reason: exception.reason, is_over: exception.isOver } : null,
    }),
  )
  const whole = { environment, code_id: codeId, checked, ...countFindings(findings), failed, findings: rows }
  return `${JSON.stringify(whole, undefined, 2)}\n`
}

/** Formats the report as text, grouped by rule; identical findings on several nodes are printed once. */
export function formatReport(report: CheckReport): string {
  const { findings, checked, failed } = report
  const isOfMany = checked > 1
  const lines = failed.flatMap((each) => formatFailureLines(each, `! ${each.node}: `, '!   '))
  for (const [heading, group] of groupItems(findings, formatHeading)) {
    lines.push(heading)
    for (const [line, same] of groupItems(group, formatFindingLine)) {
      lines.push(`  ${line}`)
      const place = formatPlace(same[0]!)
      const nodes = isOfMany ? formatNodes(same) : undefined
      const where = [place, nodes].filter((each) => each !== undefined).join(' ')
      if (where !== '') lines.push(`    ${where}`)
      const { exception } = same[0]!
      if (exception) lines.push(`    ${formatException(exception)}`)
    }
  }
  return `${[...lines, formatSummary(report)].map(toPrintable).join('\n')}\n`
}

function formatHeading({ severity, rule, message }: PolicyFinding): string {
  return `${severity} ${rule}: ${message}`
}

/** The text by which identical findings on several nodes are merged. */
function formatFindingLine({ resource, detail, exception }: PolicyFinding): string {
  const about = resource ?? 'The catalog'
  const mark = exception && !exception.isOver ? '(excepted) ' : ''
  return `${mark}${detail === undefined ? about : `${about}: ${detail}`}`
}

function formatPlace({ file, line }: PolicyFinding): string | undefined {
  if (file === undefined) return undefined
  return line === undefined ? `(file: ${file})` : `(file: ${file}, line: ${line})`
}

/** Maximum number of node names in a line. */
const maxNamed = 3

function formatNodes(findings: readonly PolicyFinding[]): string {
  const nodes = findings.map(({ node }) => node)
  const more = nodes.length > maxNamed ? ` and ${nodes.length - maxNamed} more` : ''
  return `on ${nodes.slice(0, maxNamed).join(', ')}${more}`
}

function formatException({ until, reason, isOver }: NonNullable<PolicyFinding['exception']>): string {
  return isOver ? `exception expired on ${until}: ${reason}` : `until ${until}: ${reason}`
}

function formatSummary({ checked, failed, findings }: CheckReport): string {
  const { errors, warnings, excepted } = countFindings(findings)
  const catalogs = `${formatCount(checked, 'catalog')} checked`
  const lost = failed.length > 0 ? `, ${failed.length} failed to compile` : ''
  return `${catalogs}${lost}: ${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}, ${excepted} excepted`
}

function countFindings(findings: readonly PolicyFinding[]) {
  const own = findings.filter(isActiveFinding)
  const errors = own.filter(({ severity }) => severity === 'error').length
  return { errors, warnings: own.length - errors, excepted: findings.length - own.length }
}

const formatCount = (count: number, what: string): string => `${count} ${count === 1 ? what : `${what}s`}`

function groupItems<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
