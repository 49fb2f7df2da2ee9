import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { formatIssues } from '../issues.ts'
import { type Document, getWidth, isForced } from './document.ts'

/** Spaces of one level of indentation. */
const indentWidth = 2

/** A document on the stack. */
interface Pending {
  readonly document: Document
  /** Spaces before each line that starts within the document. */
  readonly indentation: number
  /** Additional spaces for an `indent` within the document, for the brackets of the lists that hug it. */
  readonly hugged: number
  /** True if the lines of the document are not broken. */
  readonly flat: boolean
}

/** Writes a document as text with lines of at most `width` characters where the document permits. */
export function renderDocument(document: Document, width: number): string {
  const stack: Pending[] = [{ document, indentation: 0, hugged: 0, flat: false }]
  const writer = new LineWriter()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) renderNext(next, stack, writer, width)
  return writer.end()
}

function renderNext(
  { document, indentation, hugged, flat }: Pending,
  stack: Pending[],
  writer: LineWriter,
  width: number,
) {
  if (typeof document === 'string') {
    writer.write(document, indentation)
    return
  }
  switch (document.kind) {
    case 'concat':
      for (let at = document.parts.length - 1; at >= 0; at--)
        stack.push({ document: document.parts[at]!, indentation, hugged, flat })
      break
    case 'indent':
      stack.push({ document: document.content, indentation: indentation + indentWidth + hugged, hugged: 0, flat })
      break
    case 'hug':
      stack.push({ document: document.content, indentation, hugged: hugged + indentWidth, flat })
      break
    case 'group': {
      const isFlat = flat || (!document.forced && fits(document.width, stack, width - writer.getColumn(indentation)))
      stack.push({ document: document.content, indentation, hugged, flat: isFlat })
      break
    }
    case 'line':
      if (flat) writer.write(document.flat, indentation)
      else if (document.blank) writer.breakLineTwice()
      else writer.breakLine()
      break
    case 'choice':
      writer.write(flat ? document.flat : document.broken, indentation)
      break
    case 'comment':
      writer.writeComment(document.text, document.place, indentation)
      break
    case 'verbatim':
      writer.write(document.text, indentation)
      break
    case 'heredoc':
      writer.addHeredoc(document.body)
  }
}

/** True if a flat group of this width fits, together with the text up to the next place where a line can break. */
function fits(width: number, stack: readonly Pending[], room: number): boolean {
  let left = room - width
  for (let at = stack.length - 1; at >= 0 && left >= 0; at--) {
    const { document, flat } = stack[at]!
    const used = measureUpToLine(document, flat, left)
    if (used.ended) return left >= used.width
    left -= used.width
  }
  return left >= 0
}

/** Width of the text before the first place where a line can break; stops once the width exceeds `most`. */
function measureUpToLine(start: Document, flat: boolean, most: number): { width: number; ended: boolean } {
  const parts: Document[] = [start]
  let width = 0
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (width > most) break
    if (typeof part === 'string') width += part.length
    else if (part.kind === 'concat') for (let at = part.parts.length - 1; at >= 0; at--) parts.push(part.parts[at]!)
    else if (flat && !isForced(part)) width += getWidth(part)
    else if (part.kind === 'indent' || part.kind === 'hug' || part.kind === 'group') parts.push(part.content)
    else if (part.kind === 'line') return { width, ended: true }
    else if (part.kind === 'verbatim') return { width: width + part.width, ended: true }
    else if (part.kind === 'choice') width += part.broken.length
    else width += getWidth(part)
  }
  return { width, ended: false }
}

/** Text in lines, without trailing spaces; comments and texts of heredocs wait for the end of their line. */
class LineWriter {
  readonly #output: string[] = []
  readonly #heredocs: string[] = []
  #column = 0
  #length = 0
  #isLineEmpty = true
  #isAfterBlank = true
  #spaces = 0
  #comment: string | undefined
  /** True after a line comment: no further text fits on the line. */
  #isLineFull = false

  /** The column of the next character. */
  getColumn(indentation: number): number {
    return this.#isLineEmpty ? indentation : this.#column + this.#spaces
  }

  write(text: string, indentation: number): void {
    const length = findLastNonSpace(text) + 1
    if (length > 0) this.#writeText(length === text.length ? text : text.slice(0, length), indentation)
    if (!this.#isLineEmpty) this.#spaces += text.length - length
  }

  #writeText(text: string, indentation: number): void {
    if (this.#isLineFull) this.breakLine()
    const spaces = this.#isLineEmpty ? indentation : this.#spaces
    this.#length += spaces + text.length
    if (this.#length > budgets.format.output.bound) throwIssue(formatIssues.FORMAT_TOO_LARGE, {})
    if (spaces > 0) this.#output.push(' '.repeat(spaces))
    this.#output.push(text)
    const newline = text.lastIndexOf('\n')
    this.#column = newline === -1 ? this.#column + spaces + text.length : text.length - newline - 1
    this.#spaces = 0
    this.#isLineEmpty = false
    this.#isAfterBlank = false
  }

  writeComment(text: string, place: 'own' | 'inline' | 'end', indentation: number): void {
    // A second comment on the line would become part of the first comment.
    if (this.#comment !== undefined) this.breakLine()
    if (place === 'end' && !this.#isLineEmpty && !this.#isLineFull) {
      this.#comment = text
      return
    }
    if (place !== 'inline') this.breakLine()
    this.#writeText(text, indentation)
    this.#isLineFull = place !== 'inline'
  }

  addHeredoc(body: string): void {
    this.#heredocs.push(body)
  }

  breakLine(): void {
    if (this.#isLineEmpty) return
    if (this.#comment !== undefined) this.#output.push(' ', this.#comment)
    this.#output.push('\n', ...this.#heredocs)
    this.#heredocs.length = 0
    this.#comment = undefined
    this.#column = 0
    this.#spaces = 0
    this.#isLineEmpty = true
    this.#isLineFull = false
  }

  breakLineTwice(): void {
    this.breakLine()
    if (!this.#isAfterBlank) this.#output.push('\n')
    this.#isAfterBlank = true
  }

  end(): string {
    this.breakLine()
    return this.#output.join('')
  }
}

function findLastNonSpace(text: string): number {
  let at = text.length - 1
  while (at >= 0 && text.charCodeAt(at) === 32) at--
  return at
}
