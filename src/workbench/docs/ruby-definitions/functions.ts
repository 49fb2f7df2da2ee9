import { addTags, findTag, listTags, parseDocstring } from '../docstring/docstring.ts'
import { formatSignature, type SignatureParameter } from '../function-signature.ts'
import type { Defaults, Docstring, DocTag, FunctionItem, FunctionSignature } from '../model.ts'
import { getLiteralText } from '../ruby-source/ruby-code.ts'
import { type RubyCall, type RubyNode, toRubyCall } from '../ruby-source/ruby-tree.ts'
import { scrubText, splitLines, strip } from '../ruby-text.ts'
import { type Definition, findPairValue, getDefinedName, getReceiverText } from './definition.ts'
import { SignatureBuilder } from './signature-builder.ts'

/** Methods of a dispatch that declare a parameter. */
const parameterMethods = new Set([
  'param',
  'required_param',
  'optional_param',
  'repeated_param',
  'optional_repeated_param',
  'required_repeated_param',
])
const blockMethods = new Set(['block_param', 'required_block_param', 'optional_block_param'])

/** Reads a function of Puppet's Ruby API, version 4 or 3; undefined if another object creates it. */
export function readFunction(definition: Definition): FunctionItem | undefined {
  const receiver = getReceiverText(definition)
  const isLegacy = receiver === undefined && definition.call.name === 'newfunction'
  if (receiver === 'Puppet::Functions') return readModernFunction(definition)
  if (receiver === 'Puppet::Parser::Functions' || isLegacy) return readLegacyFunction(definition)
  return undefined
}

function readModernFunction(definition: Definition): FunctionItem {
  const name = getDefinedName(definition)
  const { text, tags } = parseDocstring(definition.call.node.comment ?? '')
  const docstring = { text, tags: tags.filter(({ tag }) => tag !== 'param' && tag !== 'return' && tag !== 'overload') }
  const signatures = readSignatures(definition, name)
  const [only] = signatures
  if (only === undefined || signatures.length > 1) {
    const overloads = signatures.map((overload): DocTag => ({ tag: 'overload', name, overload }))
    return createItem(definition, 'ruby4x', name, addTags(docstring, ...overloads), signatures, new Map())
  }
  const whole = addTags(docstring, ...only.docstring.tags)
  return createItem(definition, 'ruby4x', name, whole, [{ ...only, docstring: whole }], only.defaults)
}

function createItem(
  { call, code }: Definition,
  api: FunctionItem['api'],
  name: string,
  docstring: Docstring,
  signatures: readonly FunctionSignature[],
  defaults: Defaults,
): FunctionItem {
  const empty = { signature: `${name}()`, docstring, defaults }
  return {
    kind: 'function',
    api,
    name,
    file: code.file,
    line: call.node.line,
    docstring,
    parameters: [],
    signatures: signatures.length === 0 ? [empty] : signatures,
    defaults,
    source: dedentSource(strip(code.getSource(call.node))),
  }
}

/** The signatures of the dispatches, or of the method with the function's name if there are none. */
function readSignatures(definition: Definition, name: string): readonly FunctionSignature[] {
  const ownMethod = name.split('::').at(-1)
  const signatures: FunctionSignature[] = []
  let method: RubyNode | undefined
  for (const node of definition.call.block ?? []) {
    const call = toRubyCall(node)
    if (call?.name === 'dispatch' && call.arguments.length === 1 && call.block)
      signatures.push(readDispatch(definition, call, name))
    if (node.type === 'def' && node.parts[0]?.text === ownMethod) method = node
  }
  return signatures.length === 0 && method ? [readMethod(definition, method, name)] : signatures
}

function readDispatch({ code }: Definition, dispatch: RubyCall, name: string): FunctionSignature {
  const builder = new SignatureBuilder(name, dispatch.node.comment)
  let block: RubyCall | undefined
  for (const node of dispatch.block ?? []) {
    const call = toRubyCall(node)
    if (call?.name === undefined) continue
    const [first, second] = call.arguments
    if (call.name === 'return_type') builder.setReturnType(getLiteralText(code, first))
    else if (blockMethods.has(call.name)) block ??= call
    else if (parameterMethods.has(call.name) && call.arguments.length === 2)
      builder.add(getLiteralText(code, second), {
        type: getLiteralText(code, first),
        isOptional: call.name.includes('optional'),
        prefix: call.name.includes('repeated') ? '*' : '',
      })
  }
  if (block) addBlock(builder, block, code)
  return builder.build()
}

function addBlock(
  builder: SignatureBuilder,
  { name = '', arguments: given }: RubyCall,
  code: Definition['code'],
): void {
  if (given.length > 2) return
  const type = given.length === 2 ? getLiteralText(code, given[0]) : 'Callable'
  const word = given.length === 0 ? 'block' : getLiteralText(code, given.at(-1))
  if (type !== undefined && word !== undefined)
    builder.add(word, { type, isOptional: name.includes('optional'), prefix: '&' })
}

/** The signature of a Ruby method: types are unknown, unless the comment has them. */
function readMethod({ code }: Definition, method: RubyNode, name: string): FunctionSignature {
  const builder = new SignatureBuilder(name, method.comment)
  const given = method.parts[1]
  const [required, optional, rest, block] = (given?.type === 'paren' ? given.parts[0] : given)?.parts ?? []
  for (const each of required?.parts ?? []) if (each) builder.add(code.getSource(each), {})
  for (const pair of optional?.parts ?? []) {
    const [word, value] = pair?.parts ?? []
    if (word && value)
      builder.add(code.getSource(word), { value: toPuppetLiteral(code.getSource(value)), isOptional: true })
  }
  for (const each of rest?.parts ?? []) if (each) builder.add(code.getSource(each), { prefix: '*' })
  for (const each of block?.parts ?? []) if (each) builder.add(code.getSource(each), { prefix: '&' })
  return builder.build()
}

function toPuppetLiteral(value: string): string {
  return value === 'nil' ? 'undef' : value === ':default' ? 'default' : value
}

function readLegacyFunction(definition: Definition): FunctionItem {
  const name = getDefinedName(definition)
  const { call, code } = definition
  const value = findPairValue(call.arguments[1], 'doc', code)
  const doc = getLiteralText(code, value)
  const { text, tags } = parseDocstring(doc === undefined ? (call.node.comment ?? '') : scrubText(doc))
  const typed = tags.map((tag) => (tag.tag === 'param' && !tag.types?.length ? { ...tag, types: ['Any'] } : tag))
  const docstring = addReturnTag({ text, tags: typed })
  const parameters = listTags(docstring, 'param').map((tag): SignatureParameter => [tag.name ?? '', undefined])
  const overloads = listTags(docstring, 'overload').flatMap(({ overload }) => overload ?? [])
  const signature = { signature: formatSignature(name, parameters, docstring), docstring, defaults: new Map() }
  return createItem(definition, 'ruby3x', name, docstring, overloads.length > 0 ? overloads : [signature], new Map())
}

function addReturnTag(docstring: Docstring): Docstring {
  const tag = findTag(docstring, 'return')
  if (tag === undefined) return addTags(docstring, { tag: 'return', text: '', types: ['Any'] })
  return {
    text: docstring.text,
    tags: docstring.tags.map((each) => (each === tag ? { ...each, types: each.types ?? ['Any'] } : each)),
  }
}

/** Code without the indentation of its last line. YARD: CodeObjects::Base#format_source. */
function dedentSource(source: string): string {
  const indent = /^[ \t]*/.exec(splitLines(source).at(-1) ?? '')![0].length
  const lines = source.split('\n')
  return lines.map((line) => (/^[ \t]*/.exec(line)![0].length >= indent ? line.slice(indent) : line)).join('\n')
}
