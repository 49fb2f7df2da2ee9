import type { TokenKind } from '../../../language/syntax/lexer/token.ts'
import type { Expression, KeyedEntry } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, group, hardLine, hug, ifBroken, isForced, line, softLine } from '../layout/document.ts'
import type { FormatContext } from './context.ts'
import { alignPairs, isPair, type Pair, printPair } from './pairs.ts'

/** The layout of a list in brackets. */
export interface ListLayout {
  readonly open: readonly TokenKind[]
  readonly close: readonly TokenKind[]
  /** True if a broken list ends with a comma; false where the grammar or the style has none. */
  readonly trailingComma: boolean
  /** True for a space within the brackets of a list on one line. */
  readonly spaced?: boolean
  /** The items that may start on the line of the opening bracket although they are broken: a sole item or the last. */
  readonly hugs?: 'sole' | 'last'
  /** True if the list has one item a line even if the author wrote it on one line. */
  readonly broken?: boolean
}

/** Layouts of the lists of expressions. */
export const listLayouts = {
  array: { open: ['[', ' ['], close: [']'], trailingComma: true, hugs: 'sole' },
  hash: { open: ['{'], close: ['}'], trailingComma: true, spaced: true },
  keys: { open: ['['], close: [']'], trailingComma: false, hugs: 'sole' },
  call: { open: ['('], close: [')'], trailingComma: false, hugs: 'last' },
  selector: { open: ['?{'], close: ['}'], trailingComma: true, spaced: true },
} as const satisfies Readonly<Record<string, ListLayout>>

/** Receives the functions that print the items of a list, in the order of the source. */
type TakeItem<Content> = (print: () => Content) => void

/** The items of a list before they are aligned with each other. */
export interface ListItems<Content> {
  visit(take: TakeItem<Content>): void
  /** Turns the printed items into documents, aligned for the case that the list is broken. */
  align(contents: readonly Content[]): readonly Document[]
  /** True if the last item may start on the line of the opening bracket. */
  readonly canHug?: boolean
}

/** Prints a list of expressions in brackets. */
export function printExpressions(c: FormatContext, values: readonly Expression[], layout: ListLayout): Document {
  const visit = (take: TakeItem<Document | Pair>) => visitExpressions(c, values, take)
  return printList(c, { visit, align: alignPairs, canHug: canHugLast(values) }, layout)
}

/** Prints the entries of a hash or of a selector in braces. */
export function printEntries<Entry>(
  c: FormatContext,
  entries: readonly Entry[],
  print: (entry: Entry) => Pair,
  layout: ListLayout,
): Document {
  const visit = (take: TakeItem<Pair>) => {
    for (const entry of entries) take(() => print(entry))
  }
  return printList(c, { visit, align: alignPairs }, layout)
}

/** Visits expressions; a hash without braces, as in `[a => 1, b => 2]`, counts as several items. */
function visitExpressions(c: FormatContext, values: readonly Expression[], take: TakeItem<Document | Pair>): void {
  for (const value of values) {
    const entries = findBareEntries(c, value)
    if (entries) for (const entry of entries) take(() => printPair(c, () => c.print(entry.key), entry.value))
    else take(() => c.print(value))
  }
}

/** Entries of a hash without braces, whose span is that of its first arrow. */
function findBareEntries(c: FormatContext, value: Expression): readonly KeyedEntry[] | undefined {
  const isBare = value.kind === 'LiteralHash' && value.span.start > c.piece.start && value.entries.length > 0
  return isBare ? value.entries : undefined
}

function canHugLast(values: readonly Expression[]): boolean {
  const last = values.at(-1)
  return last !== undefined && (isHashOrList(last) || (last.kind === 'Access' && last.keys.every(isHashOrList)))
}

function isHashOrList({ kind }: Expression): boolean {
  return kind === 'LiteralHash' || kind === 'LiteralList'
}

/** An item of a list with the line break before it and the comments on both of its sides. */
interface Item<Content> {
  readonly separator: Document
  readonly leading: Document
  readonly content: Content
  /** Comments at the comma after the item. */
  readonly comma: Document
}

/** Prints a list in brackets: on one line, or one item a line if the author broke it or it does not fit. */
export function printList<Content>(c: FormatContext, list: ListItems<Content>, layout: ListLayout): Document {
  const open = c.take(...layout.open)
  const items: Item<Content>[] = []
  let isBroken = layout.broken ?? false
  list.visit((print) => {
    isBroken ||= c.startsLine
    const separator = items.length === 0 ? '' : c.itemBreak(line)
    const leading = c.leading()
    const content = print()
    items.push({ separator, leading, content, comma: c.skip(',') })
  })
  if (items.length === 0) return c.closeEmpty(open, ...layout.close)
  if (!isBroken && list.canHug && isHuggable(items, layout)) return printHugged(c, open, items, layout)
  const edge = isBroken ? hardLine : layout.spaced ? line : softLine
  const content = concat([edge, joinItems(items, list, layout.trailingComma ? ifBroken(',') : '')])
  return group(concat([open, c.close(content, edge, ...layout.close)]))
}

function joinItems<Content>(
  items: readonly Item<Content>[],
  { align }: Pick<ListItems<Content>, 'align'>,
  lastComma: Document,
): Document {
  const aligned = align(items.map(({ content }) => content))
  const parts: Document[] = []
  for (const [index, item] of items.entries()) {
    const comma = index === items.length - 1 ? lastComma : ','
    for (const part of [item.separator, item.leading, aligned[index]!, comma, item.comma])
      if (part !== '') parts.push(part)
  }
  return concat(parts)
}

type HuggedItem = Item<Document>

/** True if no item but the last is broken, and the layout permits the last item to be broken. */
function isHuggable(items: readonly Item<unknown>[], { hugs }: ListLayout): items is readonly HuggedItem[] {
  if (hugs === undefined || (hugs === 'sole' && items.length > 1)) return false
  return items.every(({ leading, content, comma }, index) => {
    if (isForced(leading) || isForced(comma)) return false
    const document = content as Document | Pair
    return !isPair(document) && (index === items.length - 1 || !isForced(document))
  })
}

function printHugged(c: FormatContext, open: Document, items: readonly HuggedItem[], { close }: ListLayout): Document {
  const parts = items.flatMap(({ leading, content, comma }, index) => [
    index === 0 ? '' : ', ',
    leading,
    content,
    comma,
  ])
  return concat([open, hug(concat(parts)), c.hasOwnLineComment ? c.close('', hardLine, ...close) : c.take(...close)])
}

/** Prints arguments without parentheses. The grammar permits no comma after the last of them. */
export function printBareArguments(c: FormatContext, values: readonly Expression[]): Document {
  const items: Item<Document | Pair>[] = []
  visitExpressions(c, values, (print) => {
    const separator = items.length === 0 ? '' : c.startsLine ? hardLine : line
    const leading = c.leading()
    const content = print()
    items.push({ separator, leading, content, comma: c.skip(',') })
  })
  const content = joinItems(items, { align: alignPairs }, '')
  return items.length === 1 ? content : group(content)
}
