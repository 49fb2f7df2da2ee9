import { type ExactJson, memberOf } from '../../base/json/exact-json.ts'
import { type AstNode, type AstReader, readText, unreadable } from './ast-node.ts'

/** Functions with which rules print a node. */
export interface Printer {
  readonly reader: AstReader
  write(text: string): void
  print(node: AstNode): void
  /** Prints a node, in parentheses if needed. */
  operand(node: AstNode): void
  /** Writes line breaks up to the line of the node, or a space if the line is already reached. */
  goTo(node: AstNode): void
}

/** Prints a node of one kind. */
export type Rule = (node: AstNode, printer: Printer) => void

const word = /^[a-zA-Z_]\w*$/
const name = /^(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*$/
const bareName = /^(?:::)?[a-zA-Z_][\w-]*(?:::[a-zA-Z_][\w-]*)*$/
const variable = /^(?:(?:::)?(?:[a-z_]\w*::)*[a-z_]\w*|\d{1,9})$/
const reference = /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$/
const operator = /^(?:[-+]?=|[-+*/%<>]|<<|>>|->|<-|~>|<~|[!=]=|[<>]=|=~|!~)$/

/** Rules for the kinds of nodes that occur in a catalog's code. Puppet: pops/model/ast.pp. */
export const rules: Readonly<Record<string, Rule>> = {
  Program: (node, { reader, print }) => maybe(reader.optional(node, 'body'), print),
  Nop: () => {},
  BlockExpression: (node, { reader, goTo, print }) => {
    for (const each of reader.list(node, 'statements')) {
      goTo(each)
      print(each)
    }
  },
  ParenthesizedExpression: (node, printer) => around('(', needed(node, 'expr', printer), ')', printer),
  NotExpression: prefixed('!'),
  UnaryMinusExpression: prefixed('- '),
  UnfoldExpression: prefixed('*'),
  ...Object.fromEntries(
    ['Assignment', 'Arithmetic', 'Comparison', 'Match'].map((kind) => [
      `${kind}Expression`,
      (node: AstNode, printer: Printer) => binary(node, readText(node, 'operator', operator), printer),
    ]),
  ),
  RelationshipExpression: (node, printer) => {
    const left = needed(node, 'left_expr', printer)
    // A chain of relationships needs no parentheses on its left side; a parenthesis at the start of a line would belong
    // to the previous line.
    if (left.kind === node.kind) printer.print(left)
    else printer.operand(left)
    printer.write(` ${readText(node, 'operator', operator)}`)
    const right = needed(node, 'right_expr', printer)
    printer.goTo(right)
    printer.operand(right)
  },
  InExpression: (node, printer) => binary(node, 'in', printer),
  AndExpression: (node, printer) => binary(node, 'and', printer),
  OrExpression: (node, printer) => binary(node, 'or', printer),
  AccessExpression: (node, printer) => {
    printer.operand(needed(node, 'left_expr', printer))
    listed('[', printer.reader.list(node, 'keys'), ']', printer)
  },
  NamedAccessExpression: (node, { reader, operand, write }) => {
    operand(reader.node(memberOf(node.data, 'left_expr')))
    write(`.${readText(reader.node(memberOf(node.data, 'right_expr')), 'value', word)}`)
  },
  LiteralList: (node, printer) => listed('[', printer.reader.list(node, 'values'), ']', printer),
  LiteralHash: (node, printer) => listed('{ ', printer.reader.list(node, 'entries'), ' }', printer),
  KeyedEntry: (node, printer) => pair(node, 'key', '=>', 'value', printer),
  LiteralUndef: (_, { write }) => write('undef'),
  LiteralDefault: (_, { write }) => write('default'),
  LiteralBoolean: ({ data }, { write }) => {
    const value = memberOf(data, 'value')
    write(typeof value === 'boolean' ? String(value) : unreadable('a LiteralBoolean is neither true nor false'))
  },
  LiteralInteger: ({ data }, { write }) => write(integer(memberOf(data, 'value'))),
  LiteralFloat: ({ data }, { write }) => write(float(memberOf(data, 'value'))),
  LiteralString: (node, { write }) => write(quoted(readText(node, 'value', /^/))),
  LiteralRegularExpression: (node, { write }) => write(readText(node, 'pattern', /^\/(?:[^\n/\\]|\\[^\n])*\/$/)),
  QualifiedName: (node, { write }) => write(readText(node, 'value', bareName)),
  QualifiedReference: (node, { write }) => write(readText(node, 'cased_value', reference)),
  ReservedWord: (node, { write }) => write(readText(node, 'word', word)),
  VariableExpression: (node, printer) => {
    const named = needed(node, 'expr', printer)
    const group = memberOf(named.data, 'value')
    // Match variables (`$0`, `$1`) have a number instead of a name.
    printer.write(`$${typeof group === 'number' ? integer(group) : readText(named, 'value', variable)}`)
  },
  ConcatenatedString: (node, printer) => {
    printer.write('"')
    for (const each of printer.reader.list(node, 'segments')) segment(each, printer)
    printer.write('"')
  },
  HeredocExpression: (node, printer) => printer.print(needed(node, 'text_expr', printer)),
  IfExpression: (node, printer) => branches('if', node, printer),
  UnlessExpression: (node, printer) => branches('unless', node, printer),
  CaseExpression: (node, printer) => {
    printer.write('case ')
    printer.operand(needed(node, 'test', printer))
    block(printer.reader.list(node, 'options'), printer)
  },
  CaseOption: (node, printer) => {
    listed('', printer.reader.list(node, 'values'), ':', printer)
    body(printer.reader.optional(node, 'then_expr'), printer)
  },
  SelectorExpression: (node, printer) => {
    printer.operand(needed(node, 'left_expr', printer))
    listed(' ? { ', printer.reader.list(node, 'selectors'), ' }', printer)
  },
  SelectorEntry: (node, printer) => pair(node, 'matching_expr', '=>', 'value_expr', printer),
  CallNamedFunctionExpression: (node, printer) => {
    printer.operand(needed(node, 'functor_expr', printer))
    called(node, printer)
  },
  CallMethodExpression: (node, printer) => {
    const method = needed(node, 'functor_expr', printer)
    if (method.kind !== 'NamedAccessExpression') unreadable('a CallMethodExpression calls no method')
    printer.print(method)
    called(node, printer)
  },
  LambdaExpression: (node, printer) => {
    listed('|', printer.reader.list(node, 'parameters'), '|', printer)
    typed(' >> ', printer.reader.optional(node, 'return_type'), printer)
    body(printer.reader.optional(node, 'body'), printer)
  },
  Parameter: (node, printer) => {
    typed('', printer.reader.optional(node, 'type_expr'), printer)
    printer.write(`${memberOf(node.data, 'captures_rest') === true ? ' *' : ' '}$${readText(node, 'name', name)}`)
    typed(' = ', printer.reader.optional(node, 'value'), printer)
  },
  ResourceExpression: (node, printer) => {
    printer.write(form(node))
    printer.operand(needed(node, 'type_name', printer))
    block(printer.reader.list(node, 'bodies'), printer)
  },
  ResourceBody: (node, printer) => {
    printer.print(needed(node, 'title', printer))
    listed(': ', printer.reader.list(node, 'operations'), ';', printer)
  },
  ResourceDefaultsExpression: (node, printer) => operations(form(node), 'type_ref', node, printer),
  ResourceOverrideExpression: (node, printer) => operations(form(node), 'resources', node, printer),
  AttributeOperation: (node, printer) => {
    printer.goTo(node)
    printer.write(`${readText(node, 'attribute_name', word)} ${readText(node, 'operator', /^[=+]>$/)} `)
    printer.operand(needed(node, 'value_expr', printer))
  },
  AttributesOperation: (node, printer) => {
    printer.write('* => ')
    printer.operand(needed(node, 'expr', printer))
  },
  CollectExpression: (node, printer) => {
    printer.operand(needed(node, 'type_expr', printer))
    printer.print(needed(node, 'query', printer))
    const set = printer.reader.list(node, 'operations')
    if (set.length > 0) listed(' { ', set, ' }', printer)
  },
  VirtualQuery: (node, printer) => query('<|', node, '|>', printer),
  ExportedQuery: (node, printer) => query('<<|', node, '|>>', printer),
  HostClassDefinition: (node, printer) => {
    const parent = memberOf(node.data, 'parent_class') ?? null
    defined('class', node, printer, parent === null ? '' : ` inherits ${readText(node, 'parent_class', name)}`)
  },
  ResourceTypeDefinition: (node, printer) => defined('define', node, printer),
  FunctionDefinition: (node, printer) => defined('function', node, printer),
  NodeDefinition: (node, printer) => {
    listed('node ', printer.reader.list(node, 'host_matches'), '', printer)
    typed(' inherits ', printer.reader.optional(node, 'parent'), printer)
    body(printer.reader.optional(node, 'body'), printer)
  },
  TypeAlias: (node, printer) => {
    printer.write(`type ${readText(node, 'name', reference)}`)
    typed(' = ', printer.reader.optional(node, 'type_expr'), printer)
  },
}

function needed({ kind, data }: AstNode, attribute: string, { reader }: Printer): AstNode {
  const json: ExactJson | undefined = memberOf(data, attribute)
  return json === undefined || json === null ? unreadable(`a ${kind} has no ${attribute}`) : reader.node(json)
}

function maybe(node: AstNode | undefined, print: (node: AstNode) => void): void {
  if (node) print(node)
}

function around(before: string, node: AstNode, after: string, { write, print }: Printer): void {
  write(before)
  print(node)
  write(after)
}

function prefixed(sign: string): Rule {
  return (node, printer) => {
    printer.write(sign)
    printer.operand(needed(node, 'expr', printer))
  }
}

function binary(node: AstNode, sign: string, printer: Printer): void {
  pair(node, 'left_expr', sign, 'right_expr', printer)
}

function pair(node: AstNode, left: string, sign: string, right: string, printer: Printer): void {
  printer.operand(needed(node, left, printer))
  printer.write(` ${sign} `)
  printer.operand(needed(node, right, printer))
}

/** Prints nodes separated by commas, between the texts `before` and `after`. */
function listed(before: string, nodes: readonly AstNode[], after: string, { write, print }: Printer): void {
  write(before)
  nodes.forEach((each, index) => {
    if (index > 0) write(', ')
    print(each)
  })
  write(after)
}

function block(nodes: readonly AstNode[], { write, print, goTo }: Printer): void {
  write(' {')
  for (const each of nodes) {
    goTo(each)
    print(each)
  }
  write(' }')
}

function body(node: AstNode | undefined, printer: Printer): void {
  block(node ? [node] : [], printer)
}

function typed(before: string, node: AstNode | undefined, { write, operand }: Printer): void {
  if (!node) return
  write(before)
  operand(node)
}

function branches(keyword: string, node: AstNode, printer: Printer): void {
  printer.write(`${keyword} `)
  printer.operand(needed(node, 'test', printer))
  body(printer.reader.optional(node, 'then_expr'), printer)
  const otherwise = printer.reader.optional(node, 'else_expr')
  if (!otherwise || otherwise.kind === 'Nop') return
  printer.write(' else')
  body(otherwise, printer)
}

function called(node: AstNode, printer: Printer): void {
  listed('(', printer.reader.list(node, 'arguments'), ')', printer)
  maybe(printer.reader.optional(node, 'lambda'), (lambda) => around(' ', lambda, '', printer))
}

function operations(before: string, target: string, node: AstNode, printer: Printer): void {
  printer.write(before)
  printer.operand(needed(node, target, printer))
  listed(' { ', printer.reader.list(node, 'operations'), ' }', printer)
}

function query(before: string, node: AstNode, after: string, printer: Printer): void {
  printer.write(` ${before} `)
  maybe(printer.reader.optional(node, 'expr'), printer.print)
  printer.write(` ${after}`)
}

function defined(keyword: string, node: AstNode, printer: Printer, more = ''): void {
  printer.write(`${keyword} ${readText(node, 'name', name)}`)
  listed('(', printer.reader.list(node, 'parameters'), `)${more}`, printer)
  if (keyword === 'function') typed(' >> ', printer.reader.optional(node, 'return_type'), printer)
  body(printer.reader.optional(node, 'body'), printer)
}

/** Prints a part of an interpolated string. */
function segment(node: AstNode, printer: Printer): void {
  if (node.kind === 'LiteralString') {
    const text = readText(node, 'value', /^/).replace(/[\\"$]/g, '\\$&')
    printer.write(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r'))
    return
  }
  const value = node.kind === 'TextExpression' ? needed(node, 'expr', printer) : node
  if (value.kind === 'VariableExpression') around('${', value, '}', printer)
  else around('${(', value, ')}', printer)
}

function form(node: AstNode): string {
  const marks: Readonly<Record<string, string>> = { regular: '', virtual: '@', exported: '@@' }
  return marks[readText(node, 'form', /^(?:regular|virtual|exported)$/)]!
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

function integer(value: ExactJson | undefined): string {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return String(value)
  return unreadable('a LiteralInteger is no whole number')
}

function float(value: ExactJson | undefined): string {
  if (typeof value !== 'number' && !(value instanceof Number)) return unreadable('a LiteralFloat is no number')
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
