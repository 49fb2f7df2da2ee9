import { formatQuantity } from '../../../base/text/quantity.ts'
import type { ChangeGroup, CompileFailureGroup, FaultGroup, Impact } from '../impact-result.ts'
import { formatChange } from './catalog-change.ts'
import {
  formatCatalogFault,
  formatChangeCounts,
  formatExportChange,
  formatFaultKind,
  formatFaultLocation,
  formatNodeNames,
  listResourceRows,
  listSummaryRows,
  type ResourceRow,
} from './impact-parts.ts'
import { formatCodeBlock, formatInlineCode, formatTableCell, type MarkdownSyntax } from './markdown-text.ts'

/** Maximum length of a merge request comment on GitHub; GitLab accepts more. */
const mostCharacters = 65_536

/** Dialect and content of the comment. */
export interface ImpactMarkdownOptions {
  readonly syntax: MarkdownSyntax
  /** Maximum number of characters. */
  readonly limit: number
  /** Parts in Markdown that follow the heading. They are never omitted. */
  readonly notes: readonly string[]
}
/** Number of characters reserved for the sentence about omitted parts. */
const reserve = 300
/** Maximum number of node names, and of rows in the table of resources. */
const mostNames = 20
const mostRows = 30

/**
 * Formats an impact as a merge request comment: the most important parts first, with the number of
 * omitted parts.
 */
export function formatImpactMarkdown(
  impact: Impact,
  { syntax, limit, notes }: ImpactMarkdownOptions = { syntax: 'html', limit: mostCharacters, notes: [] },
): string {
  const parts = [
    { text: [formatHeading(impact, syntax), ...notes].join(''), what: '' },
    ...impact.broken.map((group) => ({ text: formatFailure(group, 'Catalog compilation would fail'), what: 'error' })),
    ...impact.faults.map((group) => ({ text: formatFault(group), what: 'fault' })),
    { text: formatResources(impact, syntax), what: 'table of resources' },
    ...impact.exports.map((each) => ({
      text: `\n**Exported** ${formatInlineCode(each.type)}: ${formatExport(each)}\n`,
      what: 'exported type',
    })),
    ...impact.changed.map((group) => ({ text: formatChangeGroup(group, syntax), what: 'change' })),
    ...impact.failing.map((group) => ({
      text: formatFailure(group, 'Catalog compilation fails as before'),
      what: 'error',
    })),
  ]
  let text = ''
  const left = new Map<string, number>()
  for (const part of parts) {
    if (text.length + part.text.length <= limit - reserve) text += part.text
    else left.set(part.what, (left.get(part.what) ?? 0) + 1)
  }
  const cut = [...left].map(([what, count]) => formatQuantity(count, what)).join(', ')
  return cut === '' ? text : `${text}\n*Omitted, because the comment would be too long: ${cut}.*\n`
}

function formatHeading(impact: Impact, syntax: MarkdownSyntax): string {
  const { environment, from, to } = impact
  const codes = from === undefined ? formatInlineCode(to) : `${formatInlineCode(from)} → ${formatInlineCode(to)}`
  const rows = listSummaryRows(impact)
  const lines =
    syntax === 'html'
      ? ['| nodes | |', '|---|--:|', ...rows.map(({ what, nodes }) => `| ${what} | ${nodes} |`)]
      : rows.map(({ what, nodes }) => `- ${what}: ${formatQuantity(nodes, 'node')}`)
  const title = `### Impact on ${formatInlineCode(environment)}: ${codes}`
  const unchecked = impact.unchecked.length > 0 ? `\nNot checked: ${formatNodes(impact.unchecked)}\n` : ''
  return `${[title, '', ...lines].join('\n')}\n${unchecked}`
}

function formatResources(impact: Impact, syntax: MarkdownSyntax): string {
  const rows = listResourceRows(impact)
  if (rows.length === 0) return ''
  if (syntax === 'plain') return formatResourceList(rows)
  const lines = rows.slice(0, mostRows).map(({ sign, resource, parameters, nodes }) => {
    const what = parameters.length > 0 ? ` ${formatTableCell(parameters.join(', '))}` : ''
    return `| ${signs[sign]} | ${formatTableCell(resource)}${what} | ${nodes} |`
  })
  const more = rows.length > mostRows ? [`| | … ${rows.length - mostRows} more | |`] : []
  return `\n${['| | resource | nodes |', '|---|---|--:|', ...lines, ...more].join('\n')}\n`
}

function formatResourceList(rows: readonly ResourceRow[]): string {
  const lines = rows.slice(0, mostRows).map(({ sign, resource, parameters, nodes }) => {
    const what = parameters.length > 0 ? ` ${formatInlineCode(parameters.join(', '))}` : ''
    return `- ${signs[sign]}: ${formatInlineCode(resource)}${what}, ${formatQuantity(nodes, 'node')}`
  })
  const more = rows.length > mostRows ? [`- … ${rows.length - mostRows} more`] : []
  return `\n**Resources**\n\n${[...lines, ...more].join('\n')}\n`
}

const signs = { '+': 'added', '-': 'removed', '~': 'changed' } as const

function formatFailure(group: CompileFailureGroup, what: string): string {
  const { nodes, message, hint } = group
  const text = [`${message} ${formatFaultLocation(group)}`.trimEnd(), ...(hint === undefined ? [] : [hint])].join('\n')
  return `\n**${what}: ${formatQuantity(nodes.length, 'node')}** (${formatNodes(nodes)})\n\n${formatCodeBlock(text, '')}\n`
}

function formatFault(group: FaultGroup): string {
  const { nodes, severity } = group
  const title = `${severity === 'error' ? 'Error' : 'Warning'}: ${formatQuantity(nodes.length, 'node')}`
  return `\n**${title}** (${formatNodes(nodes)}), ${formatInlineCode(formatFaultKind(group))}\n\n${formatCodeBlock(formatCatalogFault(group), '')}\n`
}

function formatChangeGroup({ nodes, change }: ChangeGroup, syntax: MarkdownSyntax): string {
  const [count, counts] = [formatQuantity(nodes.length, 'node'), formatChangeCounts(change.counts)]
  const text = formatChange(change, 'diff').join('\n')
  if (syntax === 'plain')
    return `\n**${count}**: ${counts}\n\n${formatNodes(nodes)}\n\n${formatCodeBlock(text, 'diff')}\n`
  const title = `<b>${count}</b>: ${counts}`
  return `\n<details><summary>${title}</summary>\n\n${formatNodes(nodes)}\n\n${formatCodeBlock(text, 'diff')}\n</details>\n`
}

function formatExport(each: Impact['exports'][number]): string {
  return formatInlineCode(formatExportChange(each, mostNames))
}

function formatNodes(nodes: readonly string[]): string {
  return formatInlineCode(formatNodeNames(nodes, mostNames))
}
