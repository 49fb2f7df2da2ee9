import { formatRegexpCode } from '../../ruby-semantics/regexp/regexp-text.ts'
import type { AnyNode, Expression, NodeOf, Operation, Parameter, ResourceForm } from './nodes.ts'

/** A part of a dump: a parenthesized list, a word, or a layout change. */
type Part = string | { readonly layout: 'break' | 'indent' | 'dedent' } | readonly Part[]

const newline: Part = { layout: 'break' }
const indent: Part = { layout: 'indent' }
const dedent: Part = { layout: 'dedent' }

// In Ruby, `$` and `^` match at every line.
const endsOpen = /[\s(](?:$|(?=\n))/
const startsBlank = /(?:^|\n)\s/

/** Formats a tree as `puppet parser dump` does by default. Puppet: model_tree_dumper.rb. */
export function formatDump(node: AnyNode): string {
  const words: string[] = []
  flattenPart(dumpNode(node), words, { level: 0 })
  let text = ''
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (before !== undefined && word !== ')' && !endsOpen.test(before) && !startsBlank.test(word)) text += ' '
    text += word
  }
  return text
}

function flattenPart(part: Part, words: string[], state: { level: number }): void {
  if (typeof part === 'string') words.push(part)
  else if (!('layout' in part)) {
    words.push('(')
    for (const each of part) flattenPart(each, words, state)
    words.push(')')
  } else if (part.layout === 'break') words.push(`\n${'  '.repeat(state.level)}`)
  else state.level += part.layout === 'indent' ? 1 : -1
}

function dumpNode(node: AnyNode): Part {
  return (rules[node.kind] as (node: AnyNode) => Part)(node)
}

type Rules = { readonly [K in AnyNode['kind']]: (node: NodeOf<K>) => Part }

const rules: Rules = {
  Access: (e) => ['slice', dumpNode(e.left), e.keys.length === 1 ? dumpNode(e.keys[0]!) : e.keys.map(dumpNode)],
  And: (e) => ['&&', dumpNode(e.left), dumpNode(e.right)],
  Apply: (e) => ['apply', e.arguments.map(dumpNode), dumpBody(e.body)],
  Arithmetic: dumpBinary,
  Assignment: dumpBinary,
  AttributeOperation: (e) => [e.name, e.operator, dumpNode(e.value)],
  AttributesOperation: (e) => ['* =>', dumpNode(e.value)],
  Block: (e) => ['block', indent, ...dumpLines(e.statements), dedent, newline],
  CallMethod: (e) => dumpCall(e, e.rvalRequired ? 'call-method' : 'invoke-method'),
  CallNamedFunction: (e) => dumpCall(e, e.rvalRequired ? 'call' : 'invoke'),
  Case: (e) => ['case', dumpNode(e.test), indent, ...dumpLines(e.options), dedent],
  CaseOption: (e) => ['when', e.values.map(dumpNode), ['then', e.then.kind === 'Nop' ? '()' : dumpNode(e.then)]],
  Collect: (e) => ['collect', dumpNode(e.type), indent, newline, dumpNode(e.query), indent, dedent, dedent],
  Comparison: dumpBinary,
  ConcatenatedString: (e) => ['cat', ...e.segments.map(dumpNode)],
  Epp: (e) => ['epp', dumpBody(e.body)],
  FunctionDefinition: (e) => dumpDefinition('function', e),
  Heredoc: (e) => [`@(${e.syntax})`, indent, newline, dumpNode(e.text), dedent, newline],
  HostClassDefinition: (e) =>
    dumpDefinition('class', e, e.parentClass === undefined ? [] : [['inherits', e.parentClass]]),
  If: (e) => dumpConditional('if', e),
  In: (e) => ['in', dumpNode(e.left), dumpNode(e.right)],
  KeyedEntry: (e) => [dumpNode(e.key), dumpNode(e.value)],
  Lambda: (e) => ['lambda', ...dumpParameters(e.parameters), ...dumpReturnType(e.returnType), dumpBody(e.body)],
  LiteralBoolean: (e) => String(e.value),
  LiteralDefault: () => ':default',
  LiteralFloat: (e) => (Number.isInteger(e.value) && Math.abs(e.value) < 1e16 ? `${e.value}.0` : String(e.value)),
  LiteralHash: (e) => ['{}', ...e.entries.map(dumpNode)],
  LiteralInteger: ({ value, radix }) => {
    if (radix === 10) return String(value)
    return radix === 8 ? `0${value.toString(8)}` : `0x${value.toString(16).toUpperCase()}`
  },
  LiteralList: (e) => ['[]', ...e.values.map(dumpNode)],
  LiteralRegexp: (e) => formatRegexpCode(e.pattern),
  LiteralString: (e) => `'${e.value}'`,
  LiteralUndef: () => ':undef',
  Match: dumpBinary,
  NamedAccess: (e) => ['.', dumpNode(e.left), dumpNode(e.right)],
  NodeDefinition: (e) => [
    'node',
    ['matches', ...e.hostMatches.map(dumpNode)],
    ...(e.parent ? [['parent', dumpNode(e.parent)]] : []),
    dumpBody(e.body),
  ],
  Nop: () => ':nop',
  Not: (e) => ['!', formatDump(e.expression)],
  Or: (e) => ['||', dumpNode(e.left), dumpNode(e.right)],
  Parameter: ({ name, type, value, capturesRest }) => {
    const named = capturesRest ? `*${name}` : name
    if (type && value) return ['=t', dumpNode(type), named, dumpNode(value)]
    if (value) return ['=', named, dumpNode(value)]
    return type ? ['t', dumpNode(type), named] : named
  },
  Parenthesized: (e) => dumpNode(e.expression),
  PlanDefinition: (e) => dumpDefinition('plan', e),
  Program: (e) => dumpNode(e.body),
  QualifiedName: (e) => e.value,
  QualifiedReference: (e) => e.casedValue,
  Query: (e) => [e.exported ? '<<| |>>' : '<| |>', ...(e.expression ? [dumpNode(e.expression)] : [])],
  Relationship: dumpBinary,
  Render: (e) => ['render', dumpNode(e.expression)],
  RenderString: (e) => ['render-s', ` '${e.value}'`],
  ReservedWord: (e) => ['reserved', e.word],
  Resource: (e) => [`${dumpForm(e)}resource`, dumpNode(e.typeName), indent, ...dumpLines(e.bodies), dedent],
  ResourceBody: (e) => [dumpNode(e.title), ...dumpOperations(e)],
  ResourceDefaults: (e) => [`${dumpForm(e)}resource-defaults`, dumpNode(e.typeRef), ...dumpOperations(e)],
  ResourceOverride: (e) => [`${dumpForm(e)}override`, dumpNode(e.resources), ...dumpOperations(e)],
  ResourceTypeDefinition: (e) => dumpDefinition('define', e),
  Selector: (e) => ['?', dumpNode(e.left), ...e.selectors.map(dumpNode)],
  SelectorEntry: (e) => [dumpNode(e.matching), '=>', dumpNode(e.value)],
  TextExpression: (e) => ['str', dumpNode(e.expression)],
  TypeAlias: (e) => ['type-alias', e.name, dumpNode(e.type)],
  TypeDefinition: (e) => ['type-definition', e.name, e.parent ?? '', e.body.kind === 'Nop' ? '()' : dumpNode(e.body)],
  TypeMapping: (e) => ['type-mapping', dumpNode(e.type), dumpNode(e.mapping)],
  UnaryMinus: (e) => ['-', dumpNode(e.expression)],
  Unfold: (e) => ['unfold', dumpNode(e.expression)],
  Unless: (e) => dumpConditional('unless', e),
  Variable: (e) => `$${e.name}`,
}

interface Binary {
  readonly operator: string
  readonly left: Expression
  readonly right: Expression
}

function dumpBinary({ operator, left, right }: Binary): Part {
  return [operator, dumpNode(left), dumpNode(right)]
}

function dumpLines(nodes: readonly AnyNode[]): Part[] {
  return nodes.flatMap((node) => [newline, dumpNode(node)])
}

function dumpOperations({ operations: all }: { readonly operations: readonly Operation[] }): Part[] {
  return [indent, ...dumpLines(all), dedent]
}

function dumpForm({ form: value }: { readonly form: ResourceForm }): string {
  return value === 'regular' ? '' : `${value}-`
}

function dumpBody(node: Expression): Part {
  return node.kind === 'Nop' ? [] : dumpNode(node)
}

function dumpParameters(all: readonly Parameter[]): Part[] {
  return all.length === 0 ? [] : [['parameters', ...all.map(dumpNode)]]
}

function dumpReturnType(type: Expression | undefined): Part[] {
  return type ? [['return_type', dumpNode(type)]] : []
}

interface Named {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType?: Expression | undefined
}

function dumpDefinition(word: string, e: Named, parent: readonly Part[] = []): Part {
  return [word, e.name, ...parent, ...dumpParameters(e.parameters), ...dumpReturnType(e.returnType), dumpBody(e.body)]
}

function dumpConditional(word: string, e: NodeOf<'If'> | NodeOf<'Unless'>): Part {
  const dumpBranch = (name: string, node: Expression): Part => [
    name,
    indent,
    node.kind === 'Nop' ? '()' : dumpNode(node),
    dedent,
  ]
  const otherwise = e.else.kind === 'Nop' ? [] : [newline, dumpBranch('else', e.else), dedent]
  return [word, dumpNode(e.test), indent, newline, dumpBranch('then', e.then), ...otherwise]
}

function dumpCall(e: NodeOf<'CallMethod'> | NodeOf<'CallNamedFunction'>, word: string): Part {
  return [word, dumpNode(e.functor), ...e.arguments.map(dumpNode), ...(e.lambda ? [dumpNode(e.lambda)] : [])]
}
