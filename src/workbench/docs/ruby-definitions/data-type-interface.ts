import { PuppetError } from '../../../base/issue.ts'
import { parseManifest } from '../../../language/syntax/parser/parser.ts'
import type { Expression, LiteralHash } from '../../../language/syntax/tree/nodes.ts'
import { parseType } from '../../../language/types/from-code/type-parser.ts'
import { printType } from '../../../language/types/printing/print.ts'
import { getLiteralText } from '../ruby-source/ruby-code.ts'
import { toRubyCall, walkRuby } from '../ruby-source/ruby-tree.ts'
import { type Definition, UnsupportedDefinition } from './definition.ts'

/** The types of a function's parameters and of its result. */
export interface CallableSignature {
  readonly parameters: readonly string[]
  readonly returns: string | undefined
}

/** The interface of a data type, which is written in the Puppet language. */
export interface Interface {
  readonly attributes: ReadonlyMap<string, { readonly type: string | undefined; readonly value: unknown }>
  readonly functions: ReadonlyMap<string, CallableSignature>
}

/** Reads the first valid `interface` in the block of a definition. */
export function readInterface({ call, code }: Definition): Interface {
  for (const node of call.block?.flatMap((each) => [...walkRuby(each)]) ?? []) {
    const inner = toRubyCall(node)
    const text = inner?.name === 'interface' ? getLiteralText(code, inner.arguments[0]) : undefined
    const hash = text === undefined ? undefined : parseHash(text)
    if (hash) return toInterface(readLiteral(hash) as ReadonlyMap<unknown, unknown>)
  }
  return { attributes: new Map(), functions: new Map() }
}

function parseHash(text: string): LiteralHash | undefined {
  try {
    const { body } = parseManifest({ file: undefined, text: `{ ${text} }` })
    const only = body.kind === 'Block' && body.statements.length === 1 ? body.statements[0]! : body
    return only.kind === 'LiteralHash' ? only : undefined
  } catch (error) {
    if (error instanceof PuppetError) return undefined
    throw error
  }
}

function toInterface(hash: ReadonlyMap<unknown, unknown>): Interface {
  const listEntries = (key: string) => {
    const value = hash.get(key)
    return value instanceof Map ? [...value].map(([name, each]) => [String(name), each] as const) : []
  }
  return {
    attributes: new Map(listEntries('attributes').map(([name, value]) => [name, toAttribute(value)])),
    functions: new Map(listEntries('functions').map(([name, value]) => [name, toSignature(value)])),
  }
}

function toAttribute(value: unknown) {
  if (typeof value === 'string') return { type: value, value: undefined }
  if (!(value instanceof Map)) return { type: undefined, value: undefined }
  const type: unknown = value.get('type')
  return { type: typeof type === 'string' ? type : undefined, value: value.get('value') as unknown }
}

function toSignature(text: unknown): CallableSignature {
  const type = typeof text === 'string' ? parseKnownType(text) : undefined
  if (type?.kind !== 'Callable') return { parameters: [], returns: undefined }
  return {
    parameters: type.parameters?.types.map((each) => printType(each)) ?? [],
    returns: type.returns === undefined ? 'Any' : printType(type.returns),
  }
}

function parseKnownType(text: string) {
  try {
    return parseType(text)
  } catch (error) {
    if (error instanceof PuppetError) return undefined
    throw error
  }
}

/** The value of a literal; types are texts, and other code is undefined. */
function readLiteral(node: Expression): unknown {
  switch (node.kind) {
    case 'LiteralHash':
      return new Map(node.entries.map(({ key, value }) => [readLiteral(key), readLiteral(value)]))
    case 'LiteralList':
      return node.values.map(readLiteral)
    case 'LiteralString':
    case 'LiteralInteger':
    case 'LiteralFloat':
    case 'LiteralBoolean':
    case 'QualifiedName':
      return node.value
    case 'LiteralDefault':
      return 'default'
    case 'UnaryMinus': {
      const value = readLiteral(node.expression)
      return typeof value === 'number' || typeof value === 'bigint' ? -value : undefined
    }
    case 'Access':
    case 'QualifiedReference':
      return node.span.source.text.slice(node.span.start, node.span.end)
    case 'ConcatenatedString':
      throw new UnsupportedDefinition()
    default:
      return undefined
  }
}
