import { toPrintableLine } from '../../../base/text/printable.ts'
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
} from './impact-parts.ts'

/** Maximum length of a merge request comment on GitHub; GitLab accepts more. */
const mostCharacters = 65_536
/** Number of characters reserved for the sentence about omitted parts. */
const reserve = 300
/** Maximum number of characters of a text within a line, and of a listed change or error. */
const mostInLine = 4000
const mostInFence = 20_000
/** Maximum number of node names, and of rows in the table of resources. */
const mostNames = 20
const mostRows = 30

/**
 * Formats an impact as a merge request comment: the most important parts first, with the number of
 * omitted parts.
 */
export function formatImpactMarkdown(impact: Impact): string {
  const parts = [
    { text: formatHeading(impact), what: '' },
    ...impact.broken.map((group) => ({ text: formatFailure(group, 'Catalog compilation would fail'), what: 'error' })),
    ...impact.faults.map((group) => ({ text: formatFault(group), what: 'fault' })),
    { text: formatResources(impact), what: 'table of resources' },
    ...impact.exports.map((each) => ({
      text: `\n**Exported** ${formatInlineCode(each.type)}: ${formatExport(each)}\n`,
      what: 'exported type',
    })),
    ...impact.changed.map((group) => ({ text: formatChangeGroup(group), what: 'change' })),
    ...impact.failing.map((group) => ({
      text: formatFailure(group, 'Catalog compilation fails as before'),
      what: 'error',
    })),
  ]
  let text = ''
  const left = new Map<string, number>()
  for (const part of parts) {
    if (text.length + part.text.length <= mostCharacters - reserve) text += part.text
    else left.set(part.what, (left.get(part.what) ?? 0) + 1)
  }
  const cut = [...left].map(([what, count]) => formatQuantity(count, what)).join(', ')
  return cut === '' ? text : `${text}\n*Omitted, because the comment would be too long: ${cut}.*\n`
}

function formatHeading(impact: Impact): string {
  const { environment, from, to } = impact
  const codes = from === undefined ? formatInlineCode(to) : `${formatInlineCode(from)} → ${formatInlineCode(to)}`
  const rows = listSummaryRows(impact).map(({ what, nodes }) => `| ${what} | ${nodes} |`)
  const title = `### Impact on ${formatInlineCode(environment)}: ${codes}`
  const unchecked = impact.unchecked.length > 0 ? `\nNot checked: ${formatNodes(impact.unchecked)}\n` : ''
  return `${[title, '', '| nodes | |', '|---|--:|', ...rows].join('\n')}\n${unchecked}`
}

function formatResources(impact: Impact): string {
  const rows = listResourceRows(impact)
  if (rows.length === 0) return ''
  const lines = rows.slice(0, mostRows).map(({ sign, resource, parameters, nodes }) => {
    const what = parameters.length > 0 ? ` ${formatTableCell(parameters.join(', '))}` : ''
    return `| ${signs[sign]} | ${formatTableCell(resource)}${what} | ${nodes} |`
  })
  const more = rows.length > mostRows ? [`| | … ${rows.length - mostRows} more | |`] : []
  return `\n${['| | resource | nodes |', '|---|---|--:|', ...lines, ...more].join('\n')}\n`
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

function formatChangeGroup({ nodes, change }: ChangeGroup): string {
  const title = `<b>${formatQuantity(nodes.length, 'node')}</b>: ${formatChangeCounts(change.counts)}`
  const text = formatChange(change, 'diff').join('\n')
  return `\n<details><summary>${title}</summary>\n\n${formatNodes(nodes)}\n\n${formatCodeBlock(text, 'diff')}\n</details>\n`
}

function formatExport(each: Impact['exports'][number]): string {
  return formatInlineCode(formatExportChange(each, mostNames))
}

function formatNodes(nodes: readonly string[]): string {
  return formatInlineCode(formatNodeNames(nodes, mostNames))
}

/** Formats untrusted text as inline code, so that no Markdown in it is interpreted. */
function formatInlineCode(text: string): string {
  const plain = toPrintableLine(truncateText(text, mostInLine)).replaceAll('\t', ' ')
  const ticks = createBacktickFence(plain, 1)
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return plain === '' ? '' : `${ticks}${space}${plain}${space}${ticks}`
}

/**
 * Formats untrusted text as code in a table cell. A bar ends a cell even in code, so text with a
 * bar is written with character references.
 */
function formatTableCell(text: string): string {
  if (!text.includes('|')) return formatInlineCode(text)
  const plain = toPrintableLine(truncateText(text, mostInLine))
  return `<code>${plain.replace(/[^A-Za-z0-9 ]/gu, (each) => `&#${each.codePointAt(0)};`)}</code>`
}

/** Formats untrusted text of several lines as a fenced code block that the text cannot end. */
function formatCodeBlock(text: string, language: string): string {
  const plain = truncateText(text, mostInFence).split('\n').map(toPrintableLine).join('\n')
  const ticks = createBacktickFence(plain, 3)
  return `${ticks}${language}\n${plain}\n${ticks}\n`
}

function truncateText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (cut)` : text
}

function createBacktickFence(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  return '`'.repeat(Math.max(least, longest + 1))
}
