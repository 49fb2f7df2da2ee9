import { toPrintableLine } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import type { GateMode } from '../../machine/settings/definitions/gate.ts'
import type { GateDecision } from '../../store/audit/record.ts'
import type { QualityFinding } from './push-quality.ts'
import type { QualityProblem, ToolResult } from './quality-answer.ts'

/** A tool that checks pushed manifests. */
export type QualityTool = 'lint' | 'format'

/** A message for the pusher about a tool, with a hint. */
export interface QualityMessage {
  readonly level: 'Error' | 'Warning'
  readonly text: string
  readonly hint?: string
}

/** Lines with problems, and the decisions about a push. */
export interface QualityReport {
  readonly lines: readonly string[]
  readonly messages: readonly QualityMessage[]
  /** Reason of a rejection; undefined for an accepted push. */
  readonly refusal: string | undefined
  /** Results of the tools that were enabled, for the audit log. */
  readonly decisions: Readonly<Partial<Record<QualityTool, GateDecision>>>
  /** The findings as JSON texts. */
  readonly documents: readonly string[]
}

/** Maximum number of problems in the output for an environment; JSON has more. */
const mostLines = 20
/** Maximum number of manifests in a hint. */
const mostPaths = 3

const tools: readonly QualityTool[] = ['lint', 'format']

/** Converts findings to the output of a hook. */
export function reportQuality(findings: readonly QualityFinding[]): QualityReport {
  const messages = findings.flatMap(listMessages)
  const decisions: Partial<Record<QualityTool, GateDecision>> = {}
  for (const finding of findings)
    for (const tool of tools) {
      const decision = decide(finding, tool)
      if (decision !== undefined) decisions[tool] = selectGraver(decisions[tool], decision)
    }
  return {
    lines: findings.flatMap(formatProblems),
    messages,
    refusal: messages.find(({ level }) => level === 'Error')?.text,
    decisions,
    documents: findings.map(toDocument),
  }
}

function decide(finding: QualityFinding, tool: QualityTool): GateDecision | undefined {
  const mode = finding.modes[tool]
  if (mode === 'off') return undefined
  if (isRefusedBy(finding, tool)) return 'refused'
  if ('failure' in finding.answer) return 'warned'
  const { errors, warnings } = finding.answer[tool]
  return errors + warnings > 0 || finding.answer.unchecked > 0 ? 'warned' : 'passed'
}

const graveness: readonly GateDecision[] = ['skipped', 'passed', 'warned', 'refused']

function selectGraver(one: GateDecision | undefined, other: GateDecision): GateDecision {
  return one !== undefined && graveness.indexOf(one) > graveness.indexOf(other) ? one : other
}

function isRefusedBy({ modes, answer }: QualityFinding, tool: QualityTool): boolean {
  return modes[tool] === 'refuse' && ('failure' in answer || answer[tool].isFailure)
}

function formatProblems({ environment, answer }: QualityFinding): readonly string[] {
  if ('failure' in answer) return []
  const { problems, lint, format } = answer
  const total = lint.errors + lint.warnings + format.errors
  if (total === 0) return []
  const shown = problems.slice(0, mostLines)
  return [
    `Problems in the manifests that this push changes in ${environment}:`,
    ...shown.map(formatProblem),
    ...(total > shown.length ? [`… and ${formatQuantity(total - shown.length, 'more problem')}`] : []),
  ]
}

/** The line of `plumb lint` about a problem. */
function formatProblem({ path, tool, severity, message, line, check }: QualityProblem): string {
  const name = toPrintableLine(path)
  if (tool === 'format') return `${name} is not formatted`
  return `${name} - ${severity.toUpperCase()}: ${toPrintableLine(message)} on line ${line} (check: ${check})`
}

function listMessages(finding: QualityFinding): readonly QualityMessage[] {
  const { modes, answer, environment } = finding
  const enabled = tools.filter((tool) => modes[tool] !== 'off')
  if ('failure' in answer) {
    const isRefused = enabled.some((tool) => isRefusedBy(finding, tool))
    const text = `The manifests of ${environment} could not be checked: ${answer.failure}`
    return [{ level: isRefused ? 'Error' : 'Warning', text }]
  }
  const { unchecked, unsupported } = answer
  const notes: QualityMessage[] = unsupported.slice(0, mostPaths).map((text) => ({ level: 'Warning', text }))
  if (unsupported.length > mostPaths)
    notes.push({ level: 'Warning', text: `${unsupported.length - mostPaths} more manifests are not supported` })
  if (unchecked > 0)
    notes.push({
      level: 'Warning',
      text: `${formatQuantity(unchecked, 'manifest')} of ${environment} not checked: the time limit was reached`,
    })
  return [...notes, ...enabled.flatMap((tool) => describeResult(tool, modes[tool], answer[tool]))]
}

function describeResult(tool: QualityTool, mode: GateMode, result: ToolResult): readonly QualityMessage[] {
  const { errors, warnings, paths, isFailure } = result
  if (errors + warnings === 0) return []
  const isRefused = mode === 'refuse' && isFailure
  const counts = [
    ...(errors > 0 ? [formatQuantity(errors, 'error')] : []),
    ...(warnings > 0 ? [formatQuantity(warnings, 'warning')] : []),
  ]
  const fault = tool === 'lint' ? `plumb lint reports ${counts.join(' and ')}` : describeUnformatted(errors)
  const decision = isRefused ? 'The push is rejected' : 'The push is accepted although'
  const text = `${decision}${isRefused ? ':' : ''} ${fault} (push_${tool} = ${mode})`
  return [{ level: isRefused ? 'Error' : 'Warning', text, hint: createHint(tool, paths) }]
}

function describeUnformatted(count: number): string {
  return count === 1 ? '1 manifest is not formatted' : `${count} manifests are not formatted`
}

/** The command that corrects the manifests, with paths that need no quotes in a shell. */
function createHint(tool: QualityTool, paths: readonly string[]): string {
  const isShort = paths.length <= mostPaths && paths.every((path) => /^\w[\w./-]*$/.test(path))
  const command = tool === 'lint' ? 'plumb lint --fix' : 'plumb format'
  const corrected = tool === 'lint' ? 'what it can' : 'them'
  return isShort
    ? `Run '${command} ${paths.join(' ')}' to correct ${corrected}.`
    : `Run '${command}' with these manifests to correct ${corrected}.`
}

function toDocument(finding: QualityFinding): string {
  const { ref, environment, modes, answer } = finding
  const refused = tools.filter((tool) => isRefusedBy(finding, tool))
  return JSON.stringify({ ref, environment, push_lint: modes.lint, push_format: modes.format, refused, ...answer })
}
