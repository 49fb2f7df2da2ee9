import { regexpAsCode } from '../../ruby-semantics/regexp/text.ts'
import type { AnyNode, Expression, NodeOf, Operation, Parameter, ResourceForm } from './nodes.ts'

/** A parenthesized list, a word, or a layout change. */
type Part = string | { readonly layout: 'break' | 'indent' | 'dedent' } | readonly Part[]

const newline: Part = { layout: 'break' }
const indent: Part = { layout: 'indent' }
const dedent: Part = { layout: 'dedent' }

// In Ruby, `$` and `^` match at every line.
const endsOpen = /[\s(](?:$|(?=\n))/
const startsBlank = /(?:^|\n)\s/

/** Formats a tree as `puppet parser dump` does by default. Puppet: model_tree_dumper.rb. */
export function oldDump(node: AnyNode): string {
  const words: string[] = []
  flatten(show(node), words, { level: 0 })
  let text = ''
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (before !== undefined && word !== ')' && !endsOpen.test(before) && !startsBlank.test(word)) text += ' '
    text += word
  }
  return text
}

function flatten(part: Part, words: string[], state: { level: number }): void {
  if (typeof part === 'string') words.push(part)
  else if (!('layout' in part)) {
    words.push('(')
    for (const each of part) flatten(each, words, state)
    words.push(')')
  } else if (part.layout === 'break') words.push(`\n${'  '.repeat(state.level)}`)
  else state.level += part.layout === 'indent' ? 1 : -1
}

function show(node: AnyNode): Part {
  return (rules[node.kind] as (node: AnyNode) => Part)(node)
}

type Rules = { readonly [K in AnyNode['kind']]: (node: NodeOf<K>) => Part }

const rules: Rules = {
  Access: (e) => ['slice', show(e.left), e.keys.length === 1 ? show(e.keys[0]!) : e.keys.map(show)],
  And: (e) => ['&&', show(e.left), show(e.right)],
  Apply: (e) => ['apply', e.arguments.map(show), body(e.body)],
  Arithmetic: binary,
  Assignment: binary,
  AttributeOperation: (e) => [e.name, e.operator, show(e.value)],
  AttributesOperation: (e) => ['* =>', show(e.value)],
  Block: (e) => ['block', indent, ...lines(e.statements), dedent, newline],
  CallMethod: (e) => call(e, e.rvalRequired ? 'call-method' : 'invoke-method'),
  CallNamedFunction: (e) => call(e, e.rvalRequired ? 'call' : 'invoke'),
  Case: (e) => ['case', show(e.test), indent, ...lines(e.options), dedent],
  CaseOption: (e) => ['when', e.values.map(show), ['then', e.then.kind === 'Nop' ? '()' : show(e.then)]],
  Collect: (e) => ['collect', show(e.type), indent, newline, show(e.query), indent, dedent, dedent],
  Comparison: binary,
  ConcatenatedString: (e) => ['cat', ...e.segments.map(show)],
  Epp: (e) => ['epp', body(e.body)],
  FunctionDefinition: (e) => definition('function', e),
  Heredoc: (e) => [`@(${e.syntax})`, indent, newline, show(e.text), dedent, newline],
  HostClassDefinition: (e) => definition('class', e, e.parentClass === undefined ? [] : [['inherits', e.parentClass]]),
  If: (e) => conditional('if', e),
  In: (e) => ['in', show(e.left), show(e.right)],
  KeyedEntry: (e) => [show(e.key), show(e.value)],
  Lambda: (e) => ['lambda', ...parameters(e.parameters), ...returns(e.returnType), body(e.body)],
  LiteralBoolean: (e) => String(e.value),
  LiteralDefault: () => ':default',
  LiteralFloat: (e) => (Number.isInteger(e.value) && Math.abs(e.value) < 1e16 ? `${e.value}.0` : String(e.value)),
  LiteralHash: (e) => ['{}', ...e.entries.map(show)],
  LiteralInteger: ({ value, radix }) => {
    if (radix === 10) return String(value)
    return radix === 8 ? `0${value.toString(8)}` : `0x${value.toString(16).toUpperCase()}`
  },
  LiteralList: (e) => ['[]', ...e.values.map(show)],
  LiteralRegexp: (e) => regexpAsCode(e.pattern),
  LiteralString: (e) => `'${e.value}'`,
  LiteralUndef: () => ':undef',
  Match: binary,
  NamedAccess: (e) => ['.', show(e.left), show(e.right)],
  NodeDefinition: (e) => [
    'node',
    ['matches', ...e.hostMatches.map(show)],
    ...(e.parent ? [['parent', show(e.parent)]] : []),
    body(e.body),
  ],
  Nop: () => ':nop',
  Not: (e) => ['!', oldDump(e.expression)],
  Or: (e) => ['||', show(e.left), show(e.right)],
  Parameter: ({ name, type, value, capturesRest }) => {
    const named = capturesRest ? `*${name}` : name
    if (type && value) return ['=t', show(type), named, show(value)]
    if (value) return ['=', named, show(value)]
    return type ? ['t', show(type), named] : named
  },
  Parenthesized: (e) => show(e.expression),
  PlanDefinition: (e) => definition('plan', e),
  Program: (e) => show(e.body),
  QualifiedName: (e) => e.value,
  QualifiedReference: (e) => e.casedValue,
  Query: (e) => [e.exported ? '<<| |>>' : '<| |>', ...(e.expression ? [show(e.expression)] : [])],
  Relationship: binary,
  Render: (e) => ['render', show(e.expression)],
  RenderString: (e) => ['render-s', ` '${e.value}'`],
  ReservedWord: (e) => ['reserved', e.word],
  Resource: (e) => [`${form(e)}resource`, show(e.typeName), indent, ...lines(e.bodies), dedent],
  ResourceBody: (e) => [show(e.title), ...operations(e)],
  ResourceDefaults: (e) => [`${form(e)}resource-defaults`, show(e.typeRef), ...operations(e)],
  ResourceOverride: (e) => [`${form(e)}override`, show(e.resources), ...operations(e)],
  ResourceTypeDefinition: (e) => definition('define', e),
  Selector: (e) => ['?', show(e.left), ...e.selectors.map(show)],
  SelectorEntry: (e) => [show(e.matching), '=>', show(e.value)],
  TextExpression: (e) => ['str', show(e.expression)],
  TypeAlias: (e) => ['type-alias', e.name, show(e.type)],
  TypeDefinition: (e) => ['type-definition', e.name, e.parent ?? '', e.body.kind === 'Nop' ? '()' : show(e.body)],
  TypeMapping: (e) => ['type-mapping', show(e.type), show(e.mapping)],
  UnaryMinus: (e) => ['-', show(e.expression)],
  Unfold: (e) => ['unfold', show(e.expression)],
  Unless: (e) => conditional('unless', e),
  Variable: (e) => `$${e.name}`,
}

interface Binary {
  readonly operator: string
  readonly left: Expression
  readonly right: Expression
}

function binary({ operator, left, right }: Binary): Part {
  return [operator, show(left), show(right)]
}

function lines(nodes: readonly AnyNode[]): Part[] {
  return nodes.flatMap((node) => [newline, show(node)])
}

function operations({ operations: all }: { readonly operations: readonly Operation[] }): Part[] {
  return [indent, ...lines(all), dedent]
}

function form({ form: value }: { readonly form: ResourceForm }): string {
  return value === 'regular' ? '' : `${value}-`
}

function body(node: Expression): Part {
  return node.kind === 'Nop' ? [] : show(node)
}

function parameters(all: readonly Parameter[]): Part[] {
  return all.length === 0 ? [] : [['parameters', ...all.map(show)]]
}

function returns(type: Expression | undefined): Part[] {
  return type ? [['return_type', show(type)]] : []
}

interface Named {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType?: Expression | undefined
}

function definition(word: string, e: Named, parent: readonly Part[] = []): Part {
  return [word, e.name, ...parent, ...parameters(e.parameters), ...returns(e.returnType), body(e.body)]
}

function conditional(word: string, e: NodeOf<'If'> | NodeOf<'Unless'>): Part {
  const branch = (name: string, node: Expression): Part => [
    name,
    indent,
    node.kind === 'Nop' ? '()' : show(node),
    dedent,
  ]
  const otherwise = e.else.kind === 'Nop' ? [] : [newline, branch('else', e.else), dedent]
  return [word, show(e.test), indent, newline, branch('then', e.then), ...otherwise]
}

function call(e: NodeOf<'CallMethod'> | NodeOf<'CallNamedFunction'>, word: string): Part {
  return [word, show(e.functor), ...e.arguments.map(show), ...(e.lambda ? [show(e.lambda)] : [])]
}
