import { type Html, html, type TemplateValue } from '../../../base/text/html.ts'
import { isBlankLine } from '../ruby-text.ts'
import { renderInline } from './inline.ts'

/** Levels of nested lists; deeper items are shown at the last level. */
const listDepth = 6

const heading = /^(#{1,6})[ \t](.*)$/
const item = /^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t](.*)$/
/** Characters of the word after a fence, such as `puppet`. */
const infoCharacters = 100

/**
 * Converts Markdown to HTML: paragraphs, headings, lists, code, and the constructs of `renderInline`. HTML in the text is
 * shown as text.
 */
export function renderMarkdown(text: string): readonly TemplateValue[] {
  return renderBlocks(text.replaceAll('\r\n', '\n').split('\n'), listDepth)
}

function renderBlocks(lines: readonly string[], depth: number): readonly TemplateValue[] {
  const blocks: TemplateValue[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    if (isBlankLine(line)) at++
    else {
      const [block, end] = readBlock(lines, at, depth)
      blocks.push(block)
      at = end
    }
  }
  return blocks
}

type Block = readonly [content: TemplateValue, end: number]

function readBlock(lines: readonly string[], at: number, depth: number): Block {
  const line = lines[at]!
  const mark = readFenceMark(line)
  if (mark !== undefined) return readFence(lines, at, mark)
  const title = heading.exec(line)
  if (title) return [renderHeading(title[1]!.length, title[2]!.trimStart()), at + 1]
  if (/^(?: {4}|\t)/.test(line)) return readIndentedCode(lines, at)
  if (depth > 0 && item.test(line)) return readList(lines, at, depth)
  return readParagraph(lines, at)
}

/** Headings of descriptions are below the headings of the page. */
function renderHeading(level: number, text: string): Html {
  const content = renderInline(text)
  return level <= 2 ? html`<h5>${content}</h5>` : html`<h6>${content}</h6>`
}

/** The mark of a line that starts a block of code, three characters. */
function readFenceMark(line: string): string | undefined {
  const start = /^ {0,3}(```|~~~)/.exec(line)
  if (!start) return undefined
  const info = line
    .slice(start[0].length)
    .replace(/^[`~]+/, '')
    .trim()
  return info.length <= infoCharacters && !info.includes('`') ? start[1] : undefined
}

function readFence(lines: readonly string[], at: number, mark: string): Block {
  let end = at + 1
  while (end < lines.length && !lines[end]!.trimStart().startsWith(mark)) end++
  return [renderCode(lines.slice(at + 1, end)), end + 1]
}

function readIndentedCode(lines: readonly string[], at: number): Block {
  let end = at
  while (end < lines.length && /^(?: {4}|\t|[ \t]*$)/.test(lines[end]!)) end++
  return [renderCode(lines.slice(at, end).map((line) => line.replace(/^(?: {4}|\t)/, ''))), end]
}

function renderCode(lines: readonly string[]): Html {
  return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`
}

function readParagraph(lines: readonly string[], at: number): Block {
  let end = at + 1
  while (end < lines.length && continuesParagraph(lines[end]!)) end++
  return [html`<p>${renderInline(lines.slice(at, end).join('\n'))}</p>`, end]
}

function continuesParagraph(line: string): boolean {
  return !isBlankLine(line) && readFenceMark(line) === undefined && !heading.test(line) && !item.test(line)
}

/** A list: items of the same indentation; more indented lines belong to the item before them. */
function readList(lines: readonly string[], at: number, depth: number): Block {
  const [, indent = '', bullet] = item.exec(lines[at]!)!
  const items: string[][] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]!
    const match = item.exec(line)
    if (match && match[1]!.length <= indent.length) {
      if (match[1]!.length < indent.length || (match[2] === undefined) !== (bullet === undefined)) break
      items.push([match[4]!.trimStart()])
    } else if (
      isBlankLine(line)
        ? !continuesList(lines, end, indent.length)
        : !match && !isIndented(line, indent.length + 1) && isBlankLine(lines[end - 1]!)
    )
      break
    else items.at(-1)!.push(dropIndent(line, indent.length + 2))
  }
  const content = items.map((each) => html`<li>${renderItem(each, depth - 1)}</li>`)
  return [bullet === undefined ? html`<ol>${content}</ol>` : html`<ul>${content}</ul>`, end]
}

/** True if the next line after blank ones is an item or belongs to one. */
function continuesList(lines: readonly string[], at: number, indent: number): boolean {
  // Two blank lines end a list.
  const next = lines[at + 1]
  return next !== undefined && !isBlankLine(next) && (item.test(next) || isIndented(next, indent + 1))
}

function isIndented(line: string, least: number): boolean {
  return /^[ \t]*/.exec(line)![0].length >= least
}

function dropIndent(line: string, most: number): string {
  return line.slice(Math.min(most, /^[ \t]*/.exec(line)![0].length))
}

/** An item of one paragraph has no `<p>`. */
function renderItem(lines: readonly string[], depth: number): TemplateValue {
  const end = lines.findIndex((line, index) => index > 0 && !continuesParagraph(line))
  const first = renderInline(lines.slice(0, end === -1 ? lines.length : end).join('\n'))
  return end === -1 ? first : [first, renderBlocks(lines.slice(end), depth)]
}
