import type { RubyCode } from '../ruby-source/ruby-code.ts'
import { getLiteralText } from '../ruby-source/ruby-code.ts'
import { findRuby, type RubyCall, type RubyNode, toRubyCall, walkRuby } from '../ruby-source/ruby-tree.ts'
import { scrubText } from '../ruby-text.ts'

/** Ends the reading of a definition whose code is not supported. The parts read so far remain documented. */
export class UnsupportedDefinition extends Error {}

/** A call that defines an item, with the code of its file. */
export interface Definition {
  readonly call: RubyCall
  readonly code: RubyCode
}

/** The constant on which the method is called, such as `Puppet::Type`; undefined for a call without a receiver. */
export function getReceiverText({ call: { receiver }, code }: Definition): string | undefined {
  return receiver && code.getSource(receiver)
}

/** The literal text of the first argument. Throws UnsupportedDefinition. */
export function getDefinedName({ call, code }: Definition): string {
  const name = getLiteralText(code, call.arguments[0])
  if (name === undefined) throw new UnsupportedDefinition()
  return name
}

/**
 * The description in a definition: the first assignment to `@doc` or call of `desc` anywhere in it. Undefined if there is
 * none, or if it is not a literal.
 */
export function findDescription(node: RubyNode, code: RubyCode): string | undefined {
  for (const each of walkRuby(node)) {
    const value = getDescriptionNode(each)
    if (value === undefined) continue
    const text = getLiteralText(code, value)
    return text === undefined ? undefined : scrubText(text)
  }
  return undefined
}

function getDescriptionNode(node: RubyNode): RubyNode | undefined {
  if (node.type === 'assign') return findRuby(node, 'ivar')?.text === '@doc' ? node.parts[1] : undefined
  const call = toRubyCall(node)
  const isDescription = (call?.name === 'desc' || call?.name === 'doc=') && call.arguments.length === 1
  return isDescription ? call.arguments[0] : undefined
}

/** Pairs of a hash, or of the last arguments; other parts are omitted. */
export function listPairs(node: RubyNode | undefined): readonly (readonly [key: RubyNode, value: RubyNode])[] {
  if (node?.type !== 'list' && node?.type !== 'hash') return []
  return node.parts.flatMap((pair) => {
    const [key, value] = pair?.type === 'assoc' ? pair.parts : []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
}

/** The value of a literal key in the pairs of a node. */
export function findPairValue(node: RubyNode | undefined, name: string, code: RubyCode): RubyNode | undefined {
  return listPairs(node).find(([key]) => getLiteralText(code, key) === name)?.[1]
}
