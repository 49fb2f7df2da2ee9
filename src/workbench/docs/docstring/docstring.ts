import type { Docstring, DocTag } from '../model.ts'
import { countIndent, isBlankLine, splitLines, strip } from '../ruby-text.ts'
import { directiveReaders, tagReaders } from './tags.ts'

/** A docstring, and the directives (`@!name`) of its comment. */
export interface ParsedDocstring extends Docstring {
  readonly directives: readonly DocTag[]
}

/** A comment without text and tags. */
export const emptyDocstring: Docstring = { text: '', tags: [] }

/** Words that are directives even without `!`. YARD: DocstringParser#tag_is_directive?. */
const oldDirectives = new Set(['attribute', 'endgroup', 'group', 'macro', 'method', 'scope', 'visibility'])

const tagLine = /^@(!)?((?:\w\.?)+)([ \t\v\f\r][^\n]*)?$/

/** A tag whose text is the text of another item, such as `@param (see other)`. Its text is not copied. */
const referenceText = /^\s*(?:\S+\s+)?\(\s*see\s+\S+\s*\)\s*$/

/**
 * Parses the text of a documentation comment into its text and tags. Unknown and invalid tags are omitted. YARD:
 * DocstringParser#parse_content.
 */
export function parseDocstring(comment: string): ParsedDocstring {
  const lines = splitLines(skipReference(comment))
  const text: string[] = []
  const tags: DocTag[] = []
  const directives: DocTag[] = []
  let open: OpenTag | undefined
  let [lastIndent, lastLine] = [0, '']
  for (const [index, line] of [...lines, ''].entries()) {
    const indent = countIndent(line)
    const isEmpty = isBlankLine(line)
    const match = tagLine.exec(line)
    if (open && endsTag(open, { indent, isEmpty, isLast: index === lines.length, isTag: match !== null }, lastIndent)) {
      closeTag(open, tags, directives)
      open = undefined
    }
    if (match)
      open = { word: match[2]!, isDirective: match[1] !== undefined, lines: [dropBlanks(match[3] ?? '')], indent: 0 }
    else if (open) {
      if (indent >= open.indent && !isEmpty) {
        if (open.indent === 0) open.indent = indent
        if (/^[ \t]*$/.test(lastLine)) open.lines.push('')
        open.lines.push(dropIndent(line, open.indent))
      }
    } else text.push(line, '\n')
    lastIndent = indent
    lastLine = line
  }
  return { text: strip(text.join('')), tags, directives }
}

/** The text after the blanks that separate it from the tag. */
function dropBlanks(text: string): string {
  return text.replace(/^[ \t\v\f\r]+/, '')
}

/** A tag whose text continues on the following, indented lines. */
interface OpenTag {
  readonly word: string
  readonly isDirective: boolean
  readonly lines: string[]
  /** Indentation of the first continued line; 0 before that line. */
  indent: number
}

interface LineShape {
  readonly indent: number
  readonly isEmpty: boolean
  readonly isLast: boolean
  readonly isTag: boolean
}

function endsTag(open: OpenTag, { indent, isEmpty, isLast, isTag }: LineShape, lastIndent: number): boolean {
  return (indent < open.indent && !isEmpty) || isLast || (indent === 0 && !isEmpty) || (indent <= lastIndent && isTag)
}

function closeTag(open: OpenTag, tags: DocTag[], directives: DocTag[]): void {
  const text = open.lines.join('\n')
  if (open.isDirective || oldDirectives.has(open.word)) {
    const directive = directiveReaders.get(open.word)?.(open.word, text)
    if (directive) directives.push(directive)
    return
  }
  if (isReference(text)) return
  const tag = tagReaders.get(open.word)?.(open.word, text)
  if (tag === undefined) return
  tags.push(open.word === 'overload' ? parseOverload(tag) : tag)
}

function isReference(text: string): boolean {
  return text.length < 1000 && referenceText.test(text)
}

/** Adds the signature and the docstring of an `@overload`. */
function parseOverload(tag: DocTag): DocTag {
  const [signature = '', ...lines] = (tag.text ?? '').split('\n')
  const indent = countIndent(lines.join('\n'))
  const { text, tags } = parseDocstring(strip(lines.map((line) => dropIndent(line, indent)).join('\n')))
  return { tag: tag.tag, name: tag.name, overload: { signature, docstring: { text, tags }, defaults: new Map() } }
}

/** Removes `count` blanks at the start of a line that has as many. */
function dropIndent(line: string, count: number): string {
  return /^[ \t]*/.exec(line)![0].length >= count ? line.slice(count) : line
}

/** Removes `(see Name)` at the start of a comment, which refers to the comment of another item. */
function skipReference(comment: string): string {
  const start = countIndent(comment)
  const match = /^\(see (\S+)[ \t\n\v\f\r]*\)(?=\s|$)/.exec(comment.slice(start, start + 1000))
  return match === null ? comment : comment.slice(start + match[0].length)
}

/** The first tag with this word. */
export function findTag(docstring: Docstring, word: string): DocTag | undefined {
  return docstring.tags.find(({ tag }) => tag === word)
}

/** All tags with this word, in their order. */
export function listTags(docstring: Docstring, word: string): readonly DocTag[] {
  return docstring.tags.filter(({ tag }) => tag === word)
}

/** The first tag for each parameter, of the tags with this word. */
export function mapTags(docstring: Docstring, word: string): ReadonlyMap<string | undefined, DocTag> {
  return new Map(
    listTags(docstring, word)
      .map((tag) => [tag.name, tag] as const)
      .toReversed(),
  )
}

/** The tags with these words, by the name of their parameter. */
export function groupTags(docstring: Docstring, ...words: readonly string[]): ReadonlyMap<string, readonly DocTag[]> {
  const groups = new Map<string, DocTag[]>()
  for (const tag of words.flatMap((word) => listTags(docstring, word))) {
    const group = groups.get(tag.name ?? '')
    if (group) group.push(tag)
    else groups.set(tag.name ?? '', [tag])
  }
  return groups
}

/** A docstring with additional tags. */
export function addTags(docstring: Docstring, ...tags: readonly DocTag[]): Docstring {
  return { text: docstring.text, tags: [...docstring.tags, ...tags] }
}
