import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { escapeXml } from '../../base/text/xml.ts'
import { schedulerIssues } from './issues.ts'

/** An element, which can be changed. Names are as written, with their prefix. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Map<string, string>
  /** Elements, and text without escapes. White space between elements and comments are left out. */
  children: (XmlElement | string)[]
}

/** Creates an element. Undefined children are left out. */
export function createXmlElement(name: string, ...children: readonly (XmlElement | string | undefined)[]): XmlElement {
  return { name, attributes: new Map(), children: children.filter((each) => each !== undefined) }
}

/** The elements directly below an element. */
export function listXmlElements({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}

/** The first element with these names, from level to level. */
export function findXmlElement(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  let at: XmlElement | undefined = element
  for (const name of names) at = at && listXmlElements(at).find((child) => child.name === name)
  return at
}

/** The text of an element below `element`; undefined if there is no such element. */
export function readXmlText(element: XmlElement, ...names: readonly string[]): string | undefined {
  const found = findXmlElement(element, ...names)
  return found?.children.filter((child) => typeof child === 'string').join('')
}

/** Replaces the text of the element directly below `element`; an undefined text removes the element. */
export function setXmlText(element: XmlElement, name: string, text: string | undefined): void {
  const found = findXmlElement(element, name)
  if (text === undefined) element.children = element.children.filter((child) => child !== found)
  else if (found) found.children = [text]
  else element.children.push(createXmlElement(name, text))
}

/** The element directly below `element`, which is created if it is missing: before the named elements, if one exists. */
export function ensureXmlElement(element: XmlElement, name: string, ...followers: readonly string[]): XmlElement {
  const found = findXmlElement(element, name)
  if (found) return found
  const made = createXmlElement(name)
  const at = element.children.findIndex((child) => typeof child !== 'string' && followers.includes(child.name))
  element.children.splice(at < 0 ? element.children.length : at, 0, made)
  return made
}

const namePattern = /[\p{L}_:][\p{L}\p{N}_:.-]*/uy
const attributePattern = /\s+([\p{L}_:][\p{L}\p{N}_:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/uy
const tagEndPattern = /\s*(\/?)>/y

/** Parses XML in linear time. Throws XML_INVALID, also for document types and for elements that are nested too deeply. */
export function parseXml(text: string): XmlElement {
  return new XmlParser(text).parse()
}

class XmlParser {
  readonly #text: string
  readonly #top = createXmlElement('')
  readonly #open: XmlElement[] = [this.#top]
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): XmlElement {
    const text = this.#text
    if (text.startsWith('\ufeff')) this.#at = 1
    while (this.#at < text.length) {
      const start = text.indexOf('<', this.#at)
      const before = text.slice(this.#at, start < 0 ? text.length : start)
      if (before !== '') this.#add(this.#unescape(before))
      if (start < 0) break
      this.#at = start + 1
      this.#parseMarkup()
    }
    if (this.#open.length > 1) this.#fail(`the element ${this.#open.at(-1)!.name} has no end`)
    const [root, ...others] = withoutIndentation(this.#top.children)
    if (root === undefined || typeof root === 'string' || others.length > 0)
      return this.#fail('there is not one root element')
    return root
  }

  /** Parses from behind a `<`. */
  #parseMarkup(): void {
    if (this.#skip('!--')) this.#readTo('-->', 'a comment')
    else if (this.#skip('?')) this.#readTo('?>', 'an instruction')
    else if (this.#skip('![CDATA[')) this.#add(this.#readTo(']]>', 'a CDATA section'))
    else if (this.#skip('!')) this.#fail('document types are not supported')
    else if (this.#skip('/')) this.#closeElement()
    else this.#openElement()
  }

  #openElement(): void {
    const [name] = this.#match(namePattern) ?? this.#fail('a name is missing')
    const element = createXmlElement(name)
    for (let found = this.#match(attributePattern); found; found = this.#match(attributePattern)) {
      const [, key = '', double, single = ''] = found
      if (element.attributes.has(key)) this.#fail(`the attribute ${key} occurs twice`)
      element.attributes.set(key, this.#unescape(double ?? single))
    }
    const [, isEmpty] = this.#match(tagEndPattern) ?? this.#fail(`the tag ${name} has no end`)
    this.#add(element)
    if (isEmpty) return
    if (this.#open.length > budgets.machine.taskNesting.bound) this.#fail('elements are nested too deeply')
    this.#open.push(element)
  }

  #closeElement(): void {
    const name = this.#readTo('>', 'a tag').trimEnd()
    const element = this.#open.at(-1)!
    if (element === this.#top || element.name !== name) this.#fail(`the tag ${name} closes no element`)
    element.children = withoutIndentation(element.children)
    this.#open.pop()
  }

  #add(child: XmlElement | string): void {
    this.#open.at(-1)!.children.push(child)
  }

  #skip(word: string): boolean {
    const isHere = this.#text.startsWith(word, this.#at)
    if (isHere) this.#at += word.length
    return isHere
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found ?? undefined
  }

  /** Moves behind the next `end`, and returns the text before it. */
  #readTo(end: string, part: string): string {
    const found = this.#text.indexOf(end, this.#at)
    if (found < 0) this.#fail(`${part} has no end`)
    const text = this.#text.slice(this.#at, found)
    this.#at = found + end.length
    return text
  }

  #unescape(text: string): string {
    if (!text.includes('&')) return text
    return text.replace(/&([^;&<]{0,10})(;?)/g, (_, name: string, end: string) => {
      const character = decodeEntity(name)
      return end === '' || character === undefined ? this.#fail(`the entity &${name} is unknown`) : character
    })
  }

  #fail(why: string): never {
    return throwIssue(schedulerIssues.XML_INVALID, { why, at: this.#at })
  }
}

/** Text is kept if no element stands beside it. */
function withoutIndentation(children: XmlElement['children']): XmlElement['children'] {
  const hasElements = children.some((child) => typeof child !== 'string')
  return hasElements ? children.filter((child) => typeof child !== 'string' || child.trim() !== '') : children
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const highestCodePoint = 0x10_ffff

function decodeEntity(name: string): string | undefined {
  const [, digits, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? []
  if (digits === undefined && decimal === undefined) return getOwnValue(entities, name)
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)
  return code <= highestCodePoint ? String.fromCodePoint(code) : undefined
}

/** Formats an element with line breaks of Windows; elements with text stay on one line. */
export function formatXml(root: XmlElement): string {
  return `${formatElement(root, '').join('\r\n')}\r\n`
}

function formatElement({ name, attributes, children }: XmlElement, indent: string): readonly string[] {
  const start = [`${indent}<${name}`, ...[...attributes].map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(
    ' ',
  )
  if (children.length === 0) return [`${start} />`]
  if (children.some((child) => typeof child === 'string')) {
    const parts = children.map((child) => (typeof child === 'string' ? escapeXml(child) : formatInLine(child)))
    return [`${start}>${parts.join('')}</${name}>`]
  }
  const inner = children.flatMap((child) => (typeof child === 'string' ? [] : formatElement(child, `${indent}  `)))
  return [`${start}>`, ...inner, `${indent}</${name}>`]
}

const formatInLine = (element: XmlElement): string =>
  formatElement(element, '')
    .map((line) => line.trimStart())
    .join('')
