import { type Html, html, PageAddress, type TemplateValue } from '../../../base/text/html.ts'

/** Number of characters after an opening mark within which its closing mark is searched. */
const spanCharacters = 2000

/** A construct of Markdown within a line. Returns its HTML and its end, or undefined if the text at `at` is another. */
type InlineReader = (text: string, at: number) => { readonly content: TemplateValue; readonly end: number } | undefined

const readers: Readonly<Record<string, InlineReader>> = {
  '`': readCode,
  '*': (text, at) => readStrong(text, at, '*') ?? readEmphasis(text, at, '*'),
  _: (text, at) =>
    /\w/.test(text[at - 1] ?? '') ? undefined : (readStrong(text, at, '_') ?? readEmphasis(text, at, '_')),
  '[': readLink,
  '<': readAngleLink,
  h: readBareLink,
  '\\': (text, at) => (/[!-/:-@[-`{-~]/.test(text[at + 1] ?? '') ? { content: text[at + 1], end: at + 2 } : undefined),
}

/** Converts the text of a paragraph: code, emphasis and links. Anything else, HTML included, remains text. */
export function renderInline(text: string): readonly TemplateValue[] {
  const parts: TemplateValue[] = []
  let plainFrom = 0
  for (let at = 0; at < text.length; ) {
    const found = readers[text[at]!]?.(text, at)
    if (found === undefined) {
      at++
      continue
    }
    parts.push(text.slice(plainFrom, at), found.content)
    at = plainFrom = found.end
  }
  parts.push(text.slice(plainFrom))
  return parts
}

/** The offset of a closing mark near an opening one, -1 if there is none. */
function findClosing(text: string, mark: string, from: number): number {
  return text.slice(from, from + spanCharacters).indexOf(mark)
}

function readCode(text: string, at: number): ReturnType<InlineReader> {
  let size = 1
  while (size < 10 && text[at + size] === '`') size++
  const start = at + size
  const length = findClosing(text, '`'.repeat(size), start)
  if (length <= 0) return undefined
  return { content: html`<code>${text.slice(start, start + length)}</code>`, end: start + length + size }
}

function readStrong(text: string, at: number, mark: string): ReturnType<InlineReader> {
  if (text[at + 1] !== mark || /^\s?$/.test(text[at + 2] ?? '')) return undefined
  const length = findClosing(text, mark + mark, at + 2)
  if (length <= 0) return undefined
  return { content: html`<strong>${renderPlain(text.slice(at + 2, at + 2 + length))}</strong>`, end: at + length + 4 }
}

function readEmphasis(text: string, at: number, mark: string): ReturnType<InlineReader> {
  if (/^\s?$/.test(text[at + 1] ?? '') || text[at + 1] === mark) return undefined
  const length = findClosing(text, mark, at + 1)
  const isWord = mark === '_' && /\w/.test(text[at + 2 + length] ?? '')
  if (length <= 0 || isWord || /\s/.test(text[at + length]!)) return undefined
  return { content: html`<em>${renderPlain(text.slice(at + 1, at + 1 + length))}</em>`, end: at + length + 2 }
}

/** Text in emphasis: only code is converted, so that nothing nests. */
function renderPlain(text: string): readonly TemplateValue[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))
}

function readLink(text: string, at: number): ReturnType<InlineReader> {
  const length = findClosing(text, ']', at + 1)
  const after = at + 1 + length + 1
  if (length < 1 || text[after] !== '(') return undefined
  const size = findClosing(text, ')', after + 1)
  if (size < 1) return undefined
  const [target = ''] = text
    .slice(after + 1, after + 1 + size)
    .trim()
    .split(/\s/)
  const label = renderPlain(text.slice(at + 1, at + 1 + length))
  return { content: createLink(target, label) ?? label, end: after + size + 2 }
}

function readAngleLink(text: string, at: number): ReturnType<InlineReader> {
  const length = /^<https?:/.test(text.slice(at, at + 7)) ? findClosing(text, '>', at) : -1
  const target = text.slice(at + 1, at + length)
  const content = length > 0 ? createLink(target, target) : undefined
  return content && { content, end: at + length + 1 }
}

function readBareLink(text: string, at: number): ReturnType<InlineReader> {
  if (/\w/.test(text[at - 1] ?? '') || !/^https?:\/\//.test(text.slice(at, at + 8))) return undefined
  const [whole = ''] = /^[^\s<>"'`)\]]+/.exec(text.slice(at, at + spanCharacters)) ?? []
  const target = whole.replace(/[.,;:!?*_]{1,10}$/, '')
  const content = createLink(target, target)
  return content && { content, end: at + target.length }
}

/** A link to a web page or to a place on this page; undefined for other addresses. */
function createLink(target: string, label: TemplateValue): Html | undefined {
  const address = target.startsWith('#') ? PageAddress.fragment(target.slice(1)) : PageAddress.external(target)
  return address && html`<a href="${address}">${label}</a>`
}
