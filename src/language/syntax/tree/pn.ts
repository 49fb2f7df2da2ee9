import { formatBareRegexp } from '../../ruby-semantics/regexp/regexp-text.ts'
import type { AnyNode, Expression, NodeOf, Operation, Parameter, ResourceForm } from './nodes.ts'

/** Puppet Extended S-Expression Notation of a syntax tree. Puppet: pops/pn.rb. */
export type Pn = PnCall | PnList | PnMap | PnLiteral

/** A call in the notation: `(name element …)`. */
interface PnCall {
  readonly kind: 'call'
  readonly name: string
  readonly elements: readonly Pn[]
}
/** A list in the notation: `[element …]`. */
interface PnList {
  readonly kind: 'list'
  readonly elements: readonly Pn[]
}
/** A map in the notation: `{:key value …}`. */
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
  Access: (e) => createCall('access', toPn(e.left), ...e.keys.map(toPn)),
  And: (e) => createCall('and', toPn(e.left), toPn(e.right)),
  Apply: (e) => createCall('apply', createMap([['args', toList(e.arguments)], ...toBody(e.body)])),
  Arithmetic: (e) => createCall(e.operator, toPn(e.left), toPn(e.right)),
  Assignment: (e) => createCall(e.operator, toPn(e.left), toPn(e.right)),
  AttributeOperation: (e) => createCall(e.operator, createLiteral(e.name), toPn(e.value)),
  AttributesOperation: (e) => createCall('splat-hash', toPn(e.value)),
  Block: (e) => createCall('block', ...e.statements.map(toPn)),
  CallMethod: (e) => toInvocation(e, e.rvalRequired ? 'call-method' : 'invoke-method'),
  CallNamedFunction: (e) => toInvocation(e, e.rvalRequired ? 'call' : 'invoke'),
  Case: (e) => createCall('case', toPn(e.test), toList(e.options)),
  CaseOption: (e) =>
    createMap([
      ['when', toList(e.values)],
      ['then', toStatements(e.then)],
    ]),
  Collect: (e) =>
    createCall(
      'collect',
      createMap([
        ['type', toPn(e.type)],
        ['query', toPn(e.query)],
        ...(e.operations.length > 0 ? [['ops', toList(e.operations)] as const] : []),
      ]),
    ),
  Comparison: (e) => createCall(e.operator, toPn(e.left), toPn(e.right)),
  ConcatenatedString: (e) => createCall('concat', ...e.segments.map(toPn)),
  Epp: (e) => createCall('epp', ...(e.body.kind === 'Block' ? e.body.statements.map(toPn) : [])),
  FunctionDefinition: (e) => toDefinition('function', e),
  Heredoc: (e) =>
    createCall(
      'heredoc',
      createMap([
        ...createOptionalEntry('syntax', e.syntax === '' ? undefined : createLiteral(e.syntax)),
        ['text', toPn(e.text)],
      ]),
    ),
  HostClassDefinition: (e) => toDefinition('class', e, e.parentClass),
  If: (e) => toConditional('if', e),
  In: (e) => createCall('in', toPn(e.left), toPn(e.right)),
  KeyedEntry: (e) => createCall('=>', toPn(e.key), toPn(e.value)),
  Lambda: (e) =>
    createCall(
      'lambda',
      createMap([...toParameters(e.parameters), ...createNodeEntry('returns', e.returnType), ...toBody(e.body)]),
    ),
  LiteralBoolean: (e) => createLiteral(e.value),
  LiteralDefault: () => createCall('default'),
  LiteralFloat: (e) => createLiteral(e.value, true),
  LiteralHash: (e) => createCall('hash', ...e.entries.map(toPn)),
  LiteralInteger: (e) =>
    e.radix === 10
      ? createLiteral(e.value)
      : createCall(
          'int',
          createMap([
            ['radix', createLiteral(e.radix)],
            ['value', createLiteral(e.value)],
          ]),
        ),
  LiteralList: (e) => createCall('array', ...e.values.map(toPn)),
  LiteralRegexp: (e) => createCall('regexp', createLiteral(formatBareRegexp(e.pattern))),
  LiteralString: (e) => createLiteral(e.value),
  LiteralUndef: () => createLiteral(null),
  Match: (e) => createCall(e.operator, toPn(e.left), toPn(e.right)),
  NamedAccess: (e) => createCall('.', toPn(e.left), toPn(e.right)),
  NodeDefinition: (e) =>
    createCall(
      'node',
      createMap([['matches', toList(e.hostMatches)], ...createNodeEntry('parent', e.parent), ...toBody(e.body)]),
    ),
  Nop: () => createCall('nop'),
  Not: (e) => createCall('!', toPn(e.expression)),
  Or: (e) => createCall('or', toPn(e.left), toPn(e.right)),
  Parameter: (e) => createMap([['name', createLiteral(e.name)], ...toParameterEntries(e)]),
  Parenthesized: (e) => createCall('paren', toPn(e.expression)),
  PlanDefinition: (e) => toDefinition('plan', e),
  Program: (e) => toPn(e.body),
  QualifiedName: (e) => createCall('qn', createLiteral(e.value)),
  QualifiedReference: (e) => createCall('qr', createLiteral(e.casedValue)),
  Query: (e) =>
    createCall(
      e.exported ? 'exported-query' : 'virtual-query',
      ...(e.expression === undefined ? [] : [toPn(e.expression)]),
    ),
  Relationship: (e) => createCall(e.operator, toPn(e.left), toPn(e.right)),
  Render: (e) => createCall('render', toPn(e.expression)),
  RenderString: (e) => createCall('render-s', createLiteral(e.value)),
  ReservedWord: (e) => createCall('reserved', createLiteral(e.word)),
  Resource: (e) =>
    createCall(
      'resource',
      createMap([['type', toPn(e.typeName)], ['bodies', createList(e.bodies.map(toResourceBody))], ...toForm(e)]),
    ),
  ResourceBody: (e) => createCall('resource_body', toResourceBody(e)),
  ResourceDefaults: (e) =>
    createCall('resource-defaults', createMap([['type', toPn(e.typeRef)], toOperations(e), ...toForm(e)])),
  ResourceOverride: (e) =>
    createCall('resource-override', createMap([['resources', toPn(e.resources)], toOperations(e), ...toForm(e)])),
  ResourceTypeDefinition: (e) => toDefinition('define', e),
  Selector: (e) => createCall('?', toPn(e.left), toList(e.selectors)),
  SelectorEntry: (e) => createCall('=>', toPn(e.matching), toPn(e.value)),
  TextExpression: (e) => createCall('str', toPn(e.expression)),
  TypeAlias: (e) => createCall('type-alias', createLiteral(e.name), toPn(e.type)),
  TypeDefinition: (e) =>
    createCall('type-definition', createLiteral(e.name), createLiteral(e.parent ?? null), toPn(e.body)),
  TypeMapping: (e) => createCall('type-mapping', toPn(e.type), toPn(e.mapping)),
  UnaryMinus: ({ expression: e }) => {
    if (e.kind === 'LiteralInteger') return createLiteral(-e.value)
    if (e.kind === 'LiteralFloat') return createLiteral(-e.value, true)
    return createCall('-', toPn(e))
  },
  Unfold: (e) => createCall('unfold', toPn(e.expression)),
  Unless: (e) => toConditional('unless', e),
  Variable: (e) => createCall('var', createLiteral(e.name)),
}

function createCall(name: string, ...elements: readonly Pn[]): PnCall {
  return { kind: 'call', name, elements }
}

function createList(elements: readonly Pn[]): PnList {
  return { kind: 'list', elements }
}

function toList(nodes: readonly AnyNode[]): PnList {
  return createList(nodes.map(toPn))
}

function createMap(entries: Entries): PnMap {
  return { kind: 'map', entries }
}

function createLiteral(value: PnLiteral['value'], isFloat = false): PnLiteral {
  return { kind: 'literal', value, isFloat }
}

function createOptionalEntry(key: string, value: Pn | undefined): Entries {
  return value === undefined ? [] : [[key, value]]
}

function createNodeEntry(key: string, node: AnyNode | undefined): Entries {
  return createOptionalEntry(key, node && toPn(node))
}

function toStatements(body: Expression): PnList {
  return toList(body.kind === 'Block' ? body.statements : [body])
}

function toBody(body: Expression): Entries {
  return createOptionalEntry(
    'body',
    body.kind === 'Nop' ? undefined : body.kind === 'Epp' ? createList([toPn(body)]) : toStatements(body),
  )
}

function toOperations({ operations: all }: { readonly operations: readonly Operation[] }): Entries[number] {
  return ['ops', toList(all)]
}

function toForm({ form: value }: { readonly form: ResourceForm }): Entries {
  return value === 'regular' ? [] : [['form', createLiteral(value)]]
}

function toResourceBody(e: NodeOf<'ResourceBody'>): PnMap {
  return createMap([['title', toPn(e.title)], toOperations(e)])
}

function toParameters(parameters: readonly Parameter[]): Entries {
  return parameters.length === 0
    ? []
    : [['params', createMap(parameters.map((each) => [each.name, createMap(toParameterEntries(each))]))]]
}

function toParameterEntries({ type, capturesRest, value }: Parameter): Entries {
  return [
    ...createNodeEntry('type', type),
    ...createOptionalEntry('splat', capturesRest ? createLiteral(true) : undefined),
    ...createNodeEntry('value', value),
  ]
}

interface Named {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType?: Expression | undefined
}

function toDefinition(word: string, e: Named, parent?: string): PnCall {
  return createCall(
    word,
    createMap([
      ['name', createLiteral(e.name)],
      ...createOptionalEntry('parent', parent === undefined ? undefined : createLiteral(parent)),
      ...toParameters(e.parameters),
      ...toBody(e.body),
      ...createNodeEntry('returns', e.returnType),
    ]),
  )
}

function toConditional(word: string, e: NodeOf<'If'> | NodeOf<'Unless'>): PnCall {
  return createCall(
    word,
    createMap([
      ['test', toPn(e.test)],
      ...createOptionalEntry('then', e.then.kind === 'Nop' ? undefined : toStatements(e.then)),
      ...createOptionalEntry('else', e.else.kind === 'Nop' ? undefined : toStatements(e.else)),
    ]),
  )
}

function toInvocation(e: NodeOf<'CallMethod'> | NodeOf<'CallNamedFunction'>, word: string): PnCall {
  return createCall(
    word,
    createMap([['functor', toPn(e.functor)], ['args', toList(e.arguments)], ...createNodeEntry('block', e.lambda)]),
  )
}
