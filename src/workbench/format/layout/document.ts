/** A document: text with places where lines may break. Based on Wadler, "A prettier printer". */
export type Document = string | DocumentNode

/** Properties that every composed document caches, so that layout takes linear time. */
interface Measured {
  /** Characters up to the first forced line break if everything stays on one line. */
  readonly width: number
  /** True if the document contains a line break that is not optional. */
  readonly forced: boolean
}

type DocumentNode =
  | (Measured & { readonly kind: 'concat'; readonly parts: readonly Document[] })
  | (Measured & { readonly kind: 'indent'; readonly content: Document })
  | (Measured & { readonly kind: 'hug'; readonly content: Document })
  | (Measured & { readonly kind: 'group'; readonly content: Document })
  | (Measured & { readonly kind: 'line'; readonly flat: string; readonly blank: boolean })
  | (Measured & { readonly kind: 'choice'; readonly broken: string; readonly flat: string })
  | (Measured & { readonly kind: 'comment'; readonly text: string; readonly place: 'own' | 'inline' | 'end' })
  | (Measured & { readonly kind: 'verbatim'; readonly text: string })
  | (Measured & { readonly kind: 'heredoc'; readonly body: string })

/** A space, or a line break if the enclosing group is broken. */
export const line: Document = { kind: 'line', flat: ' ', blank: false, width: 1, forced: false }
/** Nothing, or a line break if the enclosing group is broken. */
export const softLine: Document = { kind: 'line', flat: '', blank: false, width: 0, forced: false }
/** A line break, unless the current line is still empty. Breaks all enclosing groups. */
export const hardLine: Document = { kind: 'line', flat: '', blank: false, width: 0, forced: true }
/** Exactly one empty line. Breaks all enclosing groups. */
export const blankLine: Document = { kind: 'line', flat: '', blank: true, width: 0, forced: true }

/** Documents one after another; an empty text if all of them are empty. */
export function concat(parts: readonly Document[]): Document {
  let width = 0
  let forced = false
  let isEmpty = true
  for (const part of parts) {
    if (part === '') continue
    isEmpty = false
    if (!forced) width += getWidth(part)
    forced ||= isForced(part)
  }
  if (isEmpty) return ''
  return { kind: 'concat', parts, width, forced }
}

/** Increases the indentation of the lines that start within `content`. */
export function indent(content: Document): Document {
  return { kind: 'indent', content, width: getWidth(content), forced: isForced(content) }
}

/**
 * The items of a list whose last item starts on the line of the opening bracket. Lines within a broken item are
 * indented by one level for each bracket that is open.
 */
export function hug(content: Document): Document {
  return { kind: 'hug', content, width: getWidth(content), forced: isForced(content) }
}

/** Breaks either all or none of the lines directly within `content`: all if it does not fit on the line. */
export function group(content: Document): Document {
  return { kind: 'group', content, width: getWidth(content), forced: isForced(content) }
}

/** One of two texts, depending on whether the enclosing group is broken. */
export function ifBroken(broken: string, flat = ''): Document {
  return { kind: 'choice', broken, flat, width: flat.length, forced: false }
}

/** A comment before a token, on its own line if it is a line comment. */
export function leadingComment(text: string, isBlock: boolean): Document {
  return { kind: 'comment', text, place: isBlock ? 'inline' : 'own', width: text.length, forced: !isBlock }
}

/**
 * A comment after a token. A line comment moves to the end of its line, so that a comma can be added before the
 * comment, and breaks no group: the author's line break after the comment breaks the list.
 */
export function trailingComment(text: string, isBlock: boolean): Document {
  if (isBlock) return concat([' ', leadingComment(text, true)])
  return { kind: 'comment', text, place: 'end', width: 0, forced: false }
}

/** A token that may contain line breaks, such as a quoted string; the breaks are not optional, but break no group. */
export function verbatim(text: string): Document {
  const end = text.indexOf('\n')
  return end === -1 ? text : { kind: 'verbatim', text, width: end, forced: false }
}

/** The text of a heredoc, written after the line that contains its head. */
export function heredocBody(body: string): Document {
  return { kind: 'heredoc', body, width: 0, forced: false }
}

/** Characters up to the first forced line break. */
export function getWidth(document: Document): number {
  return typeof document === 'string' ? document.length : document.width
}

/** True if the document contains a line break that is not optional. */
export function isForced(document: Document): boolean {
  return typeof document !== 'string' && document.forced
}

/** True if the document occupies a single line whenever its enclosing group is not broken. */
export function isSingleLine(document: Document): boolean {
  if (typeof document === 'string') return true
  switch (document.kind) {
    case 'verbatim':
      return false
    case 'concat':
      return !document.forced && document.parts.every(isSingleLine)
    case 'indent':
    case 'hug':
    case 'group':
      return !document.forced && isSingleLine(document.content)
    default:
      return !document.forced
  }
}
