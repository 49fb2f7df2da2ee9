/** A node of the syntax tree of Ruby code. */
export interface RubyNode {
  /** Ripper's name of the node, such as `string_literal`; `list` for statements, arguments and pairs. */
  readonly type: string
  /** Offset in characters of the first character. */
  readonly start: number
  /** Offset in characters after the last character. */
  readonly end: number
  readonly line: number
  /** The text of a token; undefined for other nodes. */
  readonly text: string | undefined
  /** The comment that belongs to the node. */
  readonly comment: string | undefined
  /** Parts of the node by position; undefined for a missing part. */
  readonly parts: readonly (RubyNode | undefined)[]
}

/** Returns the calls of Ruby code that define documented items. Throws the first syntax error. */
export type RubyParser = (text: string, file: string) => readonly RubyNode[]

/** Types of nodes that call a method: receiver, name, arguments and block are their parts. */
const calls = new Set(['call', 'command_call', 'fcall', 'command', 'vcall'])

/** A call of a method. */
export interface RubyCall {
  readonly node: RubyNode
  readonly receiver: RubyNode | undefined
  readonly name: string | undefined
  readonly arguments: readonly RubyNode[]
  /** The first argument, even if a comma follows the last one. */
  readonly first: RubyNode | undefined
  /** The statements of its block; undefined without a block. */
  readonly block: readonly RubyNode[] | undefined
}

/** A node as a call; undefined for other nodes. */
export function toRubyCall(node: RubyNode | undefined): RubyCall | undefined {
  if (node === undefined || !calls.has(node.type)) return undefined
  const [receiver, name, given, block] = node.parts
  const list = given?.type === 'arg_paren' ? given.parts[0] : given
  const body = block?.parts[1]
  return {
    node,
    receiver,
    name: name?.text,
    // The last part is the block argument. A list that ends with a comma has none, and loses its last argument.
    arguments: list?.parts.slice(0, -1).filter((part) => part !== undefined) ?? [],
    first: list?.parts[0],
    block: block === undefined || body === undefined ? undefined : listParts(body),
  }
}

/** The parts of a node that are present. */
export function listParts({ parts }: RubyNode): readonly RubyNode[] {
  return parts.filter((part) => part !== undefined)
}

/** The node and all nodes below it, each before its parts. */
export function* walkRuby(root: RubyNode): Generator<RubyNode, void> {
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node
    pending.push(...listParts(node).toReversed())
  }
}

/** The first node of this type: the node itself, or a node below it. */
export function findRuby(root: RubyNode, type: string): RubyNode | undefined {
  for (const node of walkRuby(root)) if (node.type === type) return node
  return undefined
}
