import { bareRegexpText } from '../../ruby-semantics/regexp/text.ts'
import type { AnyNode, Expression, NodeOf, Operation, Parameter, ResourceForm } from './nodes.ts'

/** Puppet Extended S-Expression Notation of a syntax tree. Puppet: pops/pn.rb. */
export type Pn = PnCall | PnList | PnMap | PnLiteral

/** `(name element …)` */
interface PnCall {
  readonly kind: 'call'
  readonly name: string
  readonly elements: readonly Pn[]
}
/** `[element …]` */
interface PnList {
  readonly kind: 'list'
  readonly elements: readonly Pn[]
}
/** `{:key value …}` */
interface PnMap {
  readonly kind: 'map'
  readonly entries: readonly (readonly [key: string, value: Pn])[]
}
/** A scalar; `null` is `nil`. `isFloat` distinguishes `1.0` from `1`. */
export interface PnLiteral {
  readonly kind: 'literal'
  readonly value: string | number | bigint | boolean | null
  readonly isFloat: boolean
}

type Entries = PnMap['entries']

/**
 * Converts a tree to the notation that `puppet parser dump --format pn` prints. Puppet:
 * pn_transformer.rb.
 */
export function toPn(node: AnyNode): Pn {
  const rule = rules[node.kind] as (node: AnyNode) => Pn
  return rule(node)
}

type Rules = { readonly [K in AnyNode['kind']]: (node: NodeOf<K>) => Pn }

const rules: Rules = {
  Access: (e) => call('access', toPn(e.left), ...e.keys.map(toPn)),
  And: (e) => call('and', toPn(e.left), toPn(e.right)),
  Apply: (e) => call('apply', map([['args', toList(e.arguments)], ...toBody(e.body)])),
  Arithmetic: (e) => call(e.operator, toPn(e.left), toPn(e.right)),
  Assignment: (e) => call(e.operator, toPn(e.left), toPn(e.right)),
  AttributeOperation: (e) => call(e.operator, literal(e.name), toPn(e.value)),
  AttributesOperation: (e) => call('splat-hash', toPn(e.value)),
  Block: (e) => call('block', ...e.statements.map(toPn)),
  CallMethod: (e) => invocation(e, e.rvalRequired ? 'call-method' : 'invoke-method'),
  CallNamedFunction: (e) => invocation(e, e.rvalRequired ? 'call' : 'invoke'),
  Case: (e) => call('case', toPn(e.test), toList(e.options)),
  CaseOption: (e) =>
    map([
      ['when', toList(e.values)],
      ['then', toStatements(e.then)],
    ]),
  Collect: (e) =>
    call(
      'collect',
      map([
        ['type', toPn(e.type)],
        ['query', toPn(e.query)],
        ...(e.operations.length > 0 ? [['ops', toList(e.operations)] as const] : []),
      ]),
    ),
  Comparison: (e) => call(e.operator, toPn(e.left), toPn(e.right)),
  ConcatenatedString: (e) => call('concat', ...e.segments.map(toPn)),
  Epp: (e) => call('epp', ...(e.body.kind === 'Block' ? e.body.statements.map(toPn) : [])),
  FunctionDefinition: (e) => definition('function', e),
  Heredoc: (e) =>
    call(
      'heredoc',
      map([...optional('syntax', e.syntax === '' ? undefined : literal(e.syntax)), ['text', toPn(e.text)]]),
    ),
  HostClassDefinition: (e) => definition('class', e, e.parentClass),
  If: (e) => conditional('if', e),
  In: (e) => call('in', toPn(e.left), toPn(e.right)),
  KeyedEntry: (e) => call('=>', toPn(e.key), toPn(e.value)),
  Lambda: (e) =>
    call('lambda', map([...toParameters(e.parameters), ...optionalNode('returns', e.returnType), ...toBody(e.body)])),
  LiteralBoolean: (e) => literal(e.value),
  LiteralDefault: () => call('default'),
  LiteralFloat: (e) => literal(e.value, true),
  LiteralHash: (e) => call('hash', ...e.entries.map(toPn)),
  LiteralInteger: (e) =>
    e.radix === 10
      ? literal(e.value)
      : call(
          'int',
          map([
            ['radix', literal(e.radix)],
            ['value', literal(e.value)],
          ]),
        ),
  LiteralList: (e) => call('array', ...e.values.map(toPn)),
  LiteralRegexp: (e) => call('regexp', literal(bareRegexpText(e.pattern))),
  LiteralString: (e) => literal(e.value),
  LiteralUndef: () => literal(null),
  Match: (e) => call(e.operator, toPn(e.left), toPn(e.right)),
  NamedAccess: (e) => call('.', toPn(e.left), toPn(e.right)),
  NodeDefinition: (e) =>
    call('node', map([['matches', toList(e.hostMatches)], ...optionalNode('parent', e.parent), ...toBody(e.body)])),
  Nop: () => call('nop'),
  Not: (e) => call('!', toPn(e.expression)),
  Or: (e) => call('or', toPn(e.left), toPn(e.right)),
  Parameter: (e) => map([['name', literal(e.name)], ...parameterEntries(e)]),
  Parenthesized: (e) => call('paren', toPn(e.expression)),
  PlanDefinition: (e) => definition('plan', e),
  Program: (e) => toPn(e.body),
  QualifiedName: (e) => call('qn', literal(e.value)),
  QualifiedReference: (e) => call('qr', literal(e.casedValue)),
  Query: (e) =>
    call(e.exported ? 'exported-query' : 'virtual-query', ...(e.expression === undefined ? [] : [toPn(e.expression)])),
  Relationship: (e) => call(e.operator, toPn(e.left), toPn(e.right)),
  Render: (e) => call('render', toPn(e.expression)),
  RenderString: (e) => call('render-s', literal(e.value)),
  ReservedWord: (e) => call('reserved', literal(e.word)),
  Resource: (e) =>
    call('resource', map([['type', toPn(e.typeName)], ['bodies', list(e.bodies.map(resourceBody))], ...form(e)])),
  ResourceBody: (e) => call('resource_body', resourceBody(e)),
  ResourceDefaults: (e) => call('resource-defaults', map([['type', toPn(e.typeRef)], operations(e), ...form(e)])),
  ResourceOverride: (e) =>
    call('resource-override', map([['resources', toPn(e.resources)], operations(e), ...form(e)])),
  ResourceTypeDefinition: (e) => definition('define', e),
  Selector: (e) => call('?', toPn(e.left), toList(e.selectors)),
  SelectorEntry: (e) => call('=>', toPn(e.matching), toPn(e.value)),
  TextExpression: (e) => call('str', toPn(e.expression)),
  TypeAlias: (e) => call('type-alias', literal(e.name), toPn(e.type)),
  TypeDefinition: (e) => call('type-definition', literal(e.name), literal(e.parent ?? null), toPn(e.body)),
  TypeMapping: (e) => call('type-mapping', toPn(e.type), toPn(e.mapping)),
  UnaryMinus: ({ expression: e }) => {
    if (e.kind === 'LiteralInteger') return literal(-e.value)
    if (e.kind === 'LiteralFloat') return literal(-e.value, true)
    return call('-', toPn(e))
  },
  Unfold: (e) => call('unfold', toPn(e.expression)),
  Unless: (e) => conditional('unless', e),
  Variable: (e) => call('var', literal(e.name)),
}

function call(name: string, ...elements: readonly Pn[]): PnCall {
  return { kind: 'call', name, elements }
}

function list(elements: readonly Pn[]): PnList {
  return { kind: 'list', elements }
}

function toList(nodes: readonly AnyNode[]): PnList {
  return list(nodes.map(toPn))
}

function map(entries: Entries): PnMap {
  return { kind: 'map', entries }
}

function literal(value: PnLiteral['value'], isFloat = false): PnLiteral {
  return { kind: 'literal', value, isFloat }
}

function optional(key: string, value: Pn | undefined): Entries {
  return value === undefined ? [] : [[key, value]]
}

function optionalNode(key: string, node: AnyNode | undefined): Entries {
  return optional(key, node && toPn(node))
}

function toStatements(body: Expression): PnList {
  return toList(body.kind === 'Block' ? body.statements : [body])
}

function toBody(body: Expression): Entries {
  return optional(
    'body',
    body.kind === 'Nop' ? undefined : body.kind === 'Epp' ? list([toPn(body)]) : toStatements(body),
  )
}

function operations({ operations: all }: { readonly operations: readonly Operation[] }): Entries[number] {
  return ['ops', toList(all)]
}

function form({ form: value }: { readonly form: ResourceForm }): Entries {
  return value === 'regular' ? [] : [['form', literal(value)]]
}

function resourceBody(e: NodeOf<'ResourceBody'>): PnMap {
  return map([['title', toPn(e.title)], operations(e)])
}

function toParameters(parameters: readonly Parameter[]): Entries {
  return parameters.length === 0
    ? []
    : [['params', map(parameters.map((each) => [each.name, map(parameterEntries(each))]))]]
}

function parameterEntries({ type, capturesRest, value }: Parameter): Entries {
  return [
    ...optionalNode('type', type),
    ...optional('splat', capturesRest ? literal(true) : undefined),
    ...optionalNode('value', value),
  ]
}

interface Named {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType?: Expression | undefined
}

function definition(word: string, e: Named, parent?: string): PnCall {
  return call(
    word,
    map([
      ['name', literal(e.name)],
      ...optional('parent', parent === undefined ? undefined : literal(parent)),
      ...toParameters(e.parameters),
      ...toBody(e.body),
      ...optionalNode('returns', e.returnType),
    ]),
  )
}

function conditional(word: string, e: NodeOf<'If'> | NodeOf<'Unless'>): PnCall {
  return call(
    word,
    map([
      ['test', toPn(e.test)],
      ...optional('then', e.then.kind === 'Nop' ? undefined : toStatements(e.then)),
      ...optional('else', e.else.kind === 'Nop' ? undefined : toStatements(e.else)),
    ]),
  )
}

function invocation(e: NodeOf<'CallMethod'> | NodeOf<'CallNamedFunction'>, word: string): PnCall {
  return call(
    word,
    map([['functor', toPn(e.functor)], ['args', toList(e.arguments)], ...optionalNode('block', e.lambda)]),
  )
}
