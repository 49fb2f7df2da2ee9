import type { DocTag } from '../model.ts'
import { splitFirstWord, splitLines, strip } from '../ruby-text.ts'
import { splitTypesList } from './types-list.ts'

/** Creates a tag from the word after `@` and the text; undefined if the text is invalid for the tag. */
type TagReader = (tag: string, text: string) => DocTag | undefined

/** The readers of all tags and directives, by the word after `@` or `@!`. */
export const tagReaders: ReadonlyMap<string, TagReader> = new Map<string, TagReader>([
  ...['abstract', 'api', 'author', 'deprecated', 'note', 'private', 'since', 'summary', 'todo', 'version'].map(
    (tag) => [tag, readText] as const,
  ),
  ...['param', 'attr', 'attr_reader', 'attr_writer', 'yieldparam'].map((tag) => [tag, readTypesAndName] as const),
  ...['raise', 'return', 'yield', 'yieldreturn'].map((tag) => [tag, readTypes] as const),
  ['see', readName],
  ['example', readTitleAndText],
  ['option', readOption],
  ['enum', readEnum],
  ['overload', readOverload],
])

/** The readers of directives, by the word after `@!`. */
export const directiveReaders: ReadonlyMap<string, TagReader> = new Map<string, TagReader>([
  ['method', readTitleAndText],
  ['puppet.type.param', readTypesAndName],
  ['puppet.type.property', readTypesAndName],
])

function readText(tag: string, text: string): DocTag {
  return { tag, text: strip(text) }
}

function readName(tag: string, text: string): DocTag {
  const [name, rest] = splitFirstWord(text)
  return { tag, text: rest, name }
}

function readTypes(tag: string, text: string): DocTag | undefined {
  const { name, types, rest } = splitTypes(text)
  return name === undefined ? { tag, text: rest, types } : undefined
}

function readTypesAndName(tag: string, text: string): DocTag {
  const { name, types, rest } = splitTypes(text)
  if (name !== undefined) return { tag, text: rest, types, name }
  return { types, ...readName(tag, rest) }
}

function readTitleAndText(tag: string, text: string): DocTag | undefined {
  if (text === '') return undefined
  if (/^[ \t]\n/.test(text)) return { tag, text }
  const [title = '', ...lines] = splitLines(text)
  return { tag, text: lines.join('\n'), name: strip(title.replace(/ +/g, ' ')) }
}

function readOption(tag: string, text: string): DocTag {
  const [name, rest = ''] = splitFirstWord(text)
  const typed = splitTypes(rest, { opening: '[{<', closing: '>}]' })
  const [entryName, entryText] = typed.name === undefined ? splitFirstWord(typed.rest) : [typed.name, typed.rest]
  const described = entryText?.startsWith('(') ? splitTypes(entryText, { opening: '(', closing: ')' }).rest : entryText
  return { tag, name, entry: { name: entryName, text: described, types: typed.types } }
}

function readEnum(tag: string, text: string): DocTag | undefined {
  const [name, rest] = splitFirstWord(text)
  if (rest === undefined) return undefined
  const [entryName, entryText] = splitFirstWord(rest)
  return { tag, name, entry: { name: entryName, text: entryText } }
}

/** An overload of a documented Ruby method; its docstring is parsed by `parseDocstring`. */
function readOverload(tag: string, text: string): DocTag {
  const end = text.indexOf('\n')
  const [signature, rest] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
  const named = signature
    .trimStart()
    .replace(/^def\s/, '')
    .trimStart()
  return { tag, name: /^[\w:.]+[!?=]?/.exec(named)?.[0], text: `${strip(signature)}\n${rest}` }
}

function splitTypes(text: string, brackets?: Parameters<typeof splitTypesList>[1]) {
  const { before, types, rest } = splitTypesList(text, brackets)
  return {
    name: types === undefined || before === undefined ? undefined : strip(before),
    types: types?.map(strip),
    rest: strip(rest),
  }
}
