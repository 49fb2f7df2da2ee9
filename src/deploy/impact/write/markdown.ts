import { counted } from '../../../base/text/counted.ts'
import { printableWithTabs } from '../../../base/text/printable.ts'
import type { ChangeGroup, FailureGroup, FaultGroup, Impact } from '../result.ts'
import { changeWords } from './change-words.ts'
import {
  countsText,
  exportText,
  faultText,
  faultWords,
  namesOf,
  placeText,
  resourceRows,
  summaryRows,
} from './words.ts'

/** Maximum length of a merge request comment on GitHub; GitLab accepts more. */
const mostCharacters = 65_536
/** Number of characters reserved for the sentence about omitted parts. */
const reserve = 300
/** Maximum number of characters of a text in a line, and of a change or error. */
const mostInLine = 4000
const mostInFence = 20_000
/** Maximum number of node names, and of rows in the table of resources. */
const mostNames = 20
const mostRows = 30

/** An impact as a merge request comment: the most important parts first, with the number of omitted parts. */
export function impactMarkdown(impact: Impact): string {
  const parts = [
    { text: head(impact), what: '' },
    ...impact.broken.map((group) => ({ text: failure(group, 'Catalog compilation would fail'), what: 'error' })),
    ...impact.faults.map((group) => ({ text: fault(group), what: 'fault' })),
    { text: resources(impact), what: 'table of resources' },
    ...impact.exports.map((each) => ({
      text: `\n**Exported** ${code(each.type)}: ${exportWords(each)}\n`,
      what: 'exported type',
    })),
    ...impact.changed.map((group) => ({ text: changed(group), what: 'change' })),
    ...impact.failing.map((group) => ({ text: failure(group, 'Catalog compilation fails as before'), what: 'error' })),
  ]
  let text = ''
  const left = new Map<string, number>()
  for (const part of parts) {
    if (text.length + part.text.length <= mostCharacters - reserve) text += part.text
    else left.set(part.what, (left.get(part.what) ?? 0) + 1)
  }
  const cut = [...left].map(([what, count]) => counted(count, what)).join(', ')
  return cut === '' ? text : `${text}\n*Omitted, because the comment would be too long: ${cut}.*\n`
}

function head(impact: Impact): string {
  const { environment, from, to } = impact
  const codes = from === undefined ? code(to) : `${code(from)} → ${code(to)}`
  const rows = summaryRows(impact).map(({ what, nodes }) => `| ${what} | ${nodes} |`)
  const title = `### Impact on ${code(environment)}: ${codes}`
  const unchecked = impact.unchecked.length > 0 ? `\nNot checked: ${names(impact.unchecked)}\n` : ''
  return `${[title, '', '| nodes | |', '|---|--:|', ...rows].join('\n')}\n${unchecked}`
}

function resources(impact: Impact): string {
  const rows = resourceRows(impact)
  if (rows.length === 0) return ''
  const lines = rows.slice(0, mostRows).map(({ sign, resource, parameters, nodes }) => {
    const what = parameters.length > 0 ? ` ${cell(parameters.join(', '))}` : ''
    return `| ${signs[sign]} | ${cell(resource)}${what} | ${nodes} |`
  })
  const more = rows.length > mostRows ? [`| | … ${rows.length - mostRows} more | |`] : []
  return `\n${['| | resource | nodes |', '|---|---|--:|', ...lines, ...more].join('\n')}\n`
}

const signs = { '+': 'added', '-': 'removed', '~': 'changed' } as const

function failure(group: FailureGroup, what: string): string {
  const { nodes, message, hint } = group
  const text = [`${message} ${placeText(group)}`.trimEnd(), ...(hint === undefined ? [] : [hint])].join('\n')
  return `\n**${what}: ${counted(nodes.length, 'node')}** (${names(nodes)})\n\n${fence(text, '')}\n`
}

function fault(group: FaultGroup): string {
  const { nodes, severity } = group
  const title = `${severity === 'error' ? 'Error' : 'Warning'}: ${counted(nodes.length, 'node')}`
  return `\n**${title}** (${names(nodes)}), ${code(faultWords(group))}\n\n${fence(faultText(group), '')}\n`
}

function changed({ nodes, change }: ChangeGroup): string {
  const title = `<b>${counted(nodes.length, 'node')}</b>: ${countsText(change.counts)}`
  const text = changeWords(change, 'diff').join('\n')
  return `\n<details><summary>${title}</summary>\n\n${names(nodes)}\n\n${fence(text, 'diff')}\n</details>\n`
}

function exportWords(each: Impact['exports'][number]): string {
  return code(exportText(each, mostNames))
}

function names(nodes: readonly string[]): string {
  return code(namesOf(nodes, mostNames))
}

/** Untrusted text as inline code, so that no Markdown in it is interpreted. */
function code(text: string): string {
  const plain = printableWithTabs(cut(text, mostInLine)).replaceAll('\t', ' ')
  const ticks = ticksAround(plain, 1)
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return plain === '' ? '' : `${ticks}${space}${plain}${space}${ticks}`
}

/** Untrusted text as code in a table cell. A bar ends a cell even in code, so text with a bar becomes character references. */
function cell(text: string): string {
  if (!text.includes('|')) return code(text)
  const plain = printableWithTabs(cut(text, mostInLine))
  return `<code>${plain.replace(/[^A-Za-z0-9 ]/gu, (each) => `&#${each.codePointAt(0)};`)}</code>`
}

/** Untrusted text of several lines in a fence that the text cannot end. */
function fence(text: string, language: string): string {
  const plain = cut(text, mostInFence).split('\n').map(printableWithTabs).join('\n')
  const ticks = ticksAround(plain, 3)
  return `${ticks}${language}\n${plain}\n${ticks}\n`
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (cut)` : text
}

function ticksAround(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  return '`'.repeat(Math.max(least, longest + 1))
}
