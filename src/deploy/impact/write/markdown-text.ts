import { toPrintableLine } from '../../../base/text/printable.ts'

/**
 * A dialect of Markdown: `html` has tables and HTML elements, as on GitHub, GitLab and Gitea; `plain` has neither, as on
 * Bitbucket.
 */
export type MarkdownSyntax = 'html' | 'plain'

/** Maximum number of characters of a text within a line, and of a listed change or error. */
const mostInLine = 4000
const mostInFence = 20_000

/** Formats untrusted text as inline code, so that no Markdown in it is interpreted. */
export function formatInlineCode(text: string): string {
  const plain = toPrintableLine(truncateText(text, mostInLine)).replaceAll('\t', ' ')
  const ticks = createBacktickFence(plain, 1)
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return plain === '' ? '' : `${ticks}${space}${plain}${space}${ticks}`
}

/**
 * Formats untrusted text as code in a table cell. A bar ends a cell even in code, so text with a
 * bar is written with character references.
 */
export function formatTableCell(text: string): string {
  if (!text.includes('|')) return formatInlineCode(text)
  const plain = toPrintableLine(truncateText(text, mostInLine))
  return `<code>${plain.replace(/[^A-Za-z0-9 ]/gu, (each) => `&#${each.codePointAt(0)};`)}</code>`
}

/** Formats untrusted text of several lines as a fenced code block that the text cannot end. */
export function formatCodeBlock(text: string, language: string): string {
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
