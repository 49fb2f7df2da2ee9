import { formatQuantity } from '../../base/text/quantity.ts'
import type { RiskKind } from '../approvals/approval-rules.ts'
import { isHarmfulImpact } from '../impact/faulty-nodes.ts'
import type { Impact } from '../impact/impact-result.ts'
import { formatNodeNames } from '../impact/write/impact-parts.ts'
import { formatImpactMarkdown } from '../impact/write/markdown.ts'
import { formatInlineCode } from '../impact/write/markdown-text.ts'
import { formatImpactSummary } from '../impact/write/text.ts'
import type { CommitStatus, GitHost } from './git-host.ts'
import { listRisks, type Risk } from './risks.ts'

/** The content of a comment. */
export interface ReviewContent {
  readonly source: string
  readonly environment: string
  /** The newest commit of the merge request. */
  readonly head: string
  readonly impact: Impact | undefined
  /** Number of nodes that were not compiled, since nothing is known about them or a setting excludes them. */
  readonly untested: number
  /** Rules of approvals.yaml that the change will need, each with its text. */
  readonly rules: readonly string[]
  readonly consoleUrl: string | undefined
}

/** Maximum number of resources of a risk, and of approval rules. */
const mostResources = 10
const mostRules = 20
/** Maximum number of characters of the resources of a risk. */
const mostCharacters = 1000
/** Number of characters for the lines around the impact. */
const reserve = 1000

/**
 * Returns the first line of the comments about a source, by which the server finds its own comment. Readers do not see
 * it: it is an HTML comment, or the definition of an unused link.
 */
export function formatCommentMarker(source: string, { syntax }: Pick<GitHost, 'syntax'>): string {
  return syntax === 'html' ? `<!-- plumbline: ${source} -->` : `[//]: # (plumbline: ${source})`
}

/** Formats the comment of a merge request. Text from code and nodes is written as code, so that it has no effect. */
export function formatReviewComment(content: ReviewContent, host: Pick<GitHost, 'syntax' | 'maxComment'>): string {
  const { source, environment, head, impact, consoleUrl } = content
  const { syntax, maxComment } = host
  const notes = [formatRisks(impact), formatRules(content), formatUntested(content)]
  const body = impact
    ? formatImpactMarkdown(impact, { syntax, limit: maxComment - reserve, notes })
    : [`### Impact on ${formatInlineCode(environment)}\n\nNo node of this environment is known.\n`, ...notes].join('')
  const link = consoleUrl === undefined ? '' : `, [console](${consoleUrl}/nodes)`
  return `${formatCommentMarker(source, host)}\n\n${body}\nCommit ${formatInlineCode(head)}${link}\n`
}

/** Returns the status of a commit with this impact. */
export function createImpactStatus(
  { impact, consoleUrl: url }: Pick<ReviewContent, 'impact' | 'consoleUrl'>,
  { maxDescription }: Pick<GitHost, 'maxDescription'>,
): CommitStatus {
  if (!impact) return { state: 'success', description: 'No node is known', url }
  const text = formatImpactSummary(impact)
  const description = text.length > maxDescription ? `${text.slice(0, maxDescription - 1)}…` : text
  return { state: isHarmfulImpact(impact) ? 'failure' : 'success', description, url }
}

function formatRisks(impact: Impact | undefined): string {
  const risks = impact ? listRisks(impact) : []
  return risks.length === 0 ? '' : `\n**Risks**\n\n${risks.map(formatRisk).join('\n')}\n`
}

const riskNames: Readonly<Record<RiskKind, string>> = {
  restarts: 'Services restarted',
  services: 'Services changed',
  packages: 'Packages changed',
  secrets: 'Secrets changed (values omitted)',
}

function formatRisk({ kind, resources, nodes }: Risk): string {
  const shown = formatInlineCode(formatNodeNames(resources, mostResources).slice(0, mostCharacters))
  return `- ${riskNames[kind]} on ${formatQuantity(nodes, 'node')}: ${shown}`
}

function formatRules({ rules }: ReviewContent): string {
  if (rules.length === 0) return ''
  const more = rules.length > mostRules ? [`- … ${rules.length - mostRules} more`] : []
  const lines = rules.slice(0, mostRules).map((rule) => `- ${formatInlineCode(rule)}`)
  return `\n**Approvals that this change needs**\n\n${[...lines, ...more].join('\n')}\n`
}

function formatUntested({ untested }: ReviewContent): string {
  return untested === 0
    ? ''
    : `\n${formatQuantity(untested, 'node')} not tested; nothing is known about the effect on them.\n`
}
