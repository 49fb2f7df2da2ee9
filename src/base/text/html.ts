import { defineIssues, throwIssue } from '../issue.ts'
import { toPrintable } from './printable.ts'

const issues = defineIssues({
  TEMPLATE_PLACE: {
    text: (a: { before: string; why: string }) => `No value is allowed after ${JSON.stringify(a.before)}: ${a.why}`,
    hint: () => 'Values are allowed in text and in double-quoted attributes; create addresses with addressOf',
  },
})

/** HTML code. Only `html` creates it, so that all external text in it is escaped. */
export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /** Fills in a template. Throws TEMPLATE_PLACE for a value at a position where escaping is not sufficient. */
  static fill(texts: TemplateStringsArray, values: readonly TemplateValue[]): Html {
    const places = getPlaceholders(texts)
    let text = texts[0]!
    for (const [index, value] of values.entries())
      text += fillPlaceholder(places[index]!, value, texts[index]!) + texts[index + 1]!
    return new Html(text)
  }

  toString(): string {
    return this.#text
  }
}

/** A URL; the only type allowed in `href`, `src` and `action`. */
export class PageAddress {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /**
   * Builds a URL from path segments, which are percent-encoded, and a query; empty parameters are
   * omitted.
   */
  static of(path: readonly string[], query: PageQuery = {}): PageAddress {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== '') parameters.set(name, String(value))
    const search = parameters.size > 0 ? `?${parameters}` : ''
    return new PageAddress(`/${path.map(encodeSegment).join('/')}${search}`)
  }

  /** The place with this id on the same page. */
  static fragment(id: string): PageAddress {
    return new PageAddress(`#${encodeURIComponent(id)}`)
  }

  /** A web page elsewhere; undefined for other schemes, such as `javascript:`, and for invalid URLs. */
  static external(url: string): PageAddress | undefined {
    if (!URL.canParse(url)) return undefined
    const { protocol, href } = new URL(url)
    return protocol === 'https:' || protocol === 'http:' ? new PageAddress(href) : undefined
  }

  toString(): string {
    return this.#text
  }
}

/** Query parameters of a URL. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>

/** A value in a template: nothing, text, HTML, a URL, or a list. */
export type TemplateValue = undefined | null | false | string | number | Html | PageAddress | readonly TemplateValue[]

/** Creates HTML from a template; all values except HTML are escaped. */
export function html(texts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html {
  return Html.fill(texts, values)
}

/** URL of a page, from its path segments below `/ui`. */
export function createPageAddress(path: readonly string[], query?: PageQuery): PageAddress {
  return PageAddress.of(['ui', ...path], query)
}

/**
 * Escapes text for HTML; characters that hide or reorder text become escapes such as `\u{202e}`.
 */
export function escapeHtml(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : toPrintable(part)))
    .join('')
    .replace(/[&<>"'`]/g, (char) => entities[char]!)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

function fillPlaceholder(place: Place, value: TemplateValue, before: string): string {
  if (place === 'text') return renderValue(value)
  if (place === 'attribute') return value instanceof Html ? escapeHtml(value.toString()) : renderValue(value)
  if (value instanceof PageAddress) return escapeHtml(value.toString())
  return throwIssue(issues.TEMPLATE_PLACE, { before: before.slice(-40), why: 'it is an address' })
}

function renderValue(value: TemplateValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return value.map(renderValue).join('')
  return escapeHtml(String(value))
}

/**
 * Encodes a path segment. Browsers remove the segments `.` and `..`, even if percent-encoded once.
 */
function encodeSegment(part: string): string {
  return part === '.' || part === '..' ? part.replaceAll('.', '%252E') : encodeURIComponent(part)
}

type Place = 'text' | 'attribute' | 'address'

const known = new WeakMap<TemplateStringsArray, readonly Place[]>()

function getPlaceholders(texts: TemplateStringsArray): readonly Place[] {
  const places = known.get(texts) ?? parsePlaceholders(texts)
  known.set(texts, places)
  return places
}

/**
 * Contexts of a template's values, computed once per template: templates are trusted, values are
 * not.
 */
function parsePlaceholders(texts: TemplateStringsArray): readonly Place[] {
  let before = ''
  return texts.slice(0, -1).map((text) => {
    before += text
    const place = findPlaceholderContext(before)
    before += place === 'address' ? '/' : ''
    return place
  })
}

function findPlaceholderContext(before: string): Place {
  const refuse = (why: string) => throwIssue(issues.TEMPLATE_PLACE, { before: before.slice(-40), why })
  const tag = before.slice(before.lastIndexOf('<') + 1)
  if (tag === before || tag.includes('>')) return /^(?:script|style)\b/i.test(tag) ? refuse('it is code') : 'text'
  const open = /\s([-\w:]+)="[^"]*$/.exec(tag)
  if (!open) return refuse('it is not a double-quoted attribute')
  const name = open[1]!.toLowerCase()
  if (code.test(name)) return refuse('it is code')
  if (!addresses.has(name)) return 'attribute'
  return tag.endsWith('="') ? 'address' : refuse('it is a part of an address')
}

/** Attributes that contain code or control the browser; a template must not insert values into them. */
const code = /^(?:on.*|style|srcdoc|srcset|http-equiv|content|formmethod|target)$/
const addresses = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'xlink:href', 'cite', 'background'])
