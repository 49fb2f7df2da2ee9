import { defineIssues, fail } from '../issue.ts'
import { printable } from './printable.ts'

const issues = defineIssues({
  TEMPLATE_PLACE: {
    text: (a: { before: string; why: string }) => `No value may stand behind ${JSON.stringify(a.before)}: ${a.why}`,
    hint: () => 'Values stand in texts and in attributes in double quotes; addresses are made by addressOf',
  },
})

/** A piece of HTML. Only `html` makes one, so that whatever came from outside is in it escaped. */
export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /** Fills a template in. Throws TEMPLATE_PLACE where a value stands where escaping would not be enough. */
  static fill(texts: TemplateStringsArray, values: readonly Value[]): Html {
    const places = placesOf(texts)
    let text = texts[0]!
    for (const [index, value] of values.entries())
      text += filled(places[index]!, value, texts[index]!) + texts[index + 1]!
    return new Html(text)
  }

  toString(): string {
    return this.#text
  }
}

/** An address of this server, from its root: nothing else may stand in `href`, `src` and `action`. */
export class Address {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /** A path in parts, percent-encoded, and a query without what is empty. */
  static of(path: readonly string[], query: Query = {}): Address {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== '') parameters.set(name, String(value))
    const search = parameters.size > 0 ? `?${parameters}` : ''
    return new Address(`/${path.map(encoded).join('/')}${search}`)
  }

  toString(): string {
    return this.#text
  }
}

/** Parameters of an address. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** A value of a template: nothing at all, text, HTML, or several. */
export type Value = undefined | null | false | string | number | Html | Address | readonly Value[]

/** HTML from a template; all values but HTML are escaped. */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.fill(texts, values)
}

/** The address of a page, by the parts of its path below `/ui`. */
export function addressOf(path: readonly string[], query?: Query): Address {
  return Address.of(['ui', ...path], query)
}

/** Text as HTML shows it and does not obey: what would hide or turn text around stands as `\u{202e}`. */
export function escaped(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
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

function filled(place: Place, value: Value, before: string): string {
  if (place === 'text') return textOf(value)
  if (place === 'attribute') return value instanceof Html ? escaped(value.toString()) : textOf(value)
  if (value instanceof Address) return escaped(value.toString())
  return fail(issues.TEMPLATE_PLACE, { before: before.slice(-40), why: 'it is an address' })
}

function textOf(value: Value): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) return value.map(textOf).join('')
  return escaped(String(value))
}

/** `.` and `..` as parts would be taken away by a browser. */
function encoded(part: string): string {
  return part === '.' || part === '..' ? part.replaceAll('.', '%252E') : encodeURIComponent(part)
}

type Place = 'text' | 'attribute' | 'address'

const known = new WeakMap<TemplateStringsArray, readonly Place[]>()

function placesOf(texts: TemplateStringsArray): readonly Place[] {
  const places = known.get(texts) ?? readPlaces(texts)
  known.set(texts, places)
  return places
}

/** Places of a template's values, which are read once: the template is ours, its values are not. */
function readPlaces(texts: TemplateStringsArray): readonly Place[] {
  let before = ''
  return texts.slice(0, -1).map((text) => {
    before += text
    const place = placeAfter(before)
    before += place === 'address' ? '/' : ''
    return place
  })
}

function placeAfter(before: string): Place {
  const refuse = (why: string) => fail(issues.TEMPLATE_PLACE, { before: before.slice(-40), why })
  const tag = before.slice(before.lastIndexOf('<') + 1)
  if (tag === before || tag.includes('>')) return /^(?:script|style)\b/i.test(tag) ? refuse('it is code') : 'text'
  const open = /\s([-\w:]+)="[^"]*$/.exec(tag)
  if (!open) return refuse('it is no attribute in double quotes')
  const name = open[1]!.toLowerCase()
  if (code.test(name)) return refuse('it is code')
  if (!addresses.has(name)) return 'attribute'
  return tag.endsWith('="') ? 'address' : refuse('it is a part of an address')
}

/** Attributes that hold code, or what a browser obeys. */
const code = /^(?:on.*|style|srcdoc|srcset|http-equiv|content|formmethod|target)$/
const addresses = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'xlink:href', 'cite', 'background'])
