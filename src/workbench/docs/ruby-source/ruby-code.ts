import { splitLines } from '../ruby-text.ts'
import { findRuby, listParts, type RubyNode } from './ruby-tree.ts'

/** Ruby code whose nodes can be shown as text. */
export interface RubyCode {
  readonly file: string
  /** The code of a node as written. */
  getSource(node: RubyNode): string
}

/** Creates the code of a file. Offsets of nodes count characters, those of JavaScript UTF-16 units. */
export function createRubyCode(file: string, text: string): RubyCode {
  const characters = /[\ud800-\udfff]/.test(text) ? [...text] : undefined
  return {
    file,
    getSource: ({ start, end }) => characters?.slice(start, end).join('') ?? text.slice(start, end),
  }
}

/**
 * The text of a literal, with its escape sequences as written; undefined for other code. A string or heredoc that is not
 * plain keeps its delimiters, and the text of an interpolated string ends at the interpolation: puppet-strings shows them
 * like that (yard/handlers/ruby/base.rb).
 */
export function getLiteralText(code: RubyCode, node: RubyNode | undefined): string | undefined {
  switch (node?.type) {
    case 'symbol_literal':
    case 'symbol':
      return code.getSource(node).slice(1)
    case 'label':
      return node.text?.slice(0, -1)
    case 'dyna_symbol':
      return findRuby(node, 'tstring_content')?.text ?? code.getSource(node)
    case 'string_literal':
      return getStringText(code, node)
    case 'regexp_literal':
      return code.getSource(node)
    default:
      return undefined
  }
}

/** The text of a literal, or the code of another node. */
export function getLiteralOrSource(code: RubyCode, node: RubyNode): string {
  return getLiteralText(code, node) ?? code.getSource(node)
}

function getStringText(code: RubyCode, node: RubyNode): string {
  const [content] = listParts(node)
  const isPlain = content !== undefined && content.start === node.start + 1 && content.end === node.end - 1
  const plain = isPlain ? findRuby(content, 'tstring_content')?.text : undefined
  return plain ?? cutHeredoc(code.getSource(node))
}

/** The lines of a heredoc without its first line, and without its last line if that contains the identifier. */
function cutHeredoc(source: string): string {
  const identifier = /^<?<[-~]?['"]?(\w+)/m.exec(source)?.[1]
  const lines = splitLines(source, /\n/)
  if (identifier === undefined || lines.length < 2) return source
  return lines.slice(1, lines.at(-1)!.includes(identifier.slice(0, -1)) ? -1 : undefined).join('\n')
}
