import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { type AstReader, failUnreadable, type PcoreNode, readText } from './ast-node.ts'

/** Functions with which rules print a node. */
export interface Printer {
  readonly reader: AstReader
  write(text: string): void
  print(node: PcoreNode): void
  /** Prints a node, in parentheses if needed. */
  operand(node: PcoreNode): void
  /** Writes line breaks up to the line of the node, or a space if the line is already reached. */
  goTo(node: PcoreNode): void
}

/** Prints a node of one kind. */
export type PrintRule = (node: PcoreNode, printer: Printer) => void

const word = /^[a-zA-Z_]\w*$/
const name = /^(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*$/
const bareName = /^(?:::)?[a-zA-Z_][\w-]*(?:::[a-zA-Z_][\w-]*)*$/
const variable = /^(?:(?:::)?(?:[a-z_]\w*::)*[a-z_]\w*|\d{1,9})$/
const reference = /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$/
const operator = /^(?:[-+]?=|[-+*/%<>]|<<|>>|->|<-|~>|<~|[!=]=|[<>]=|=~|!~)$/

/** Rules for the kinds of nodes that occur in a catalog's code. Puppet: pops/model/ast.pp. */
export const rules: Readonly<Record<string, PrintRule>> = {
  Program: (node, { reader, print }) => printOptional(reader.optional(node, 'body'), print),
  Nop: () => {},
  BlockExpression: (node, { reader, goTo, print }) => {
    for (const each of reader.list(node, 'statements')) {
      goTo(each)
      print(each)
    }
  },
  ParenthesizedExpression: (node, printer) => printAround('(', readChild(node, 'expr', printer), ')', printer),
  NotExpression: createPrefixRule('!'),
  UnaryMinusExpression: createPrefixRule('- '),
  UnfoldExpression: createPrefixRule('*'),
  ...Object.fromEntries(
    ['Assignment', 'Arithmetic', 'Comparison', 'Match'].map((kind) => [
      `${kind}Expression`,
      (node: PcoreNode, printer: Printer) => printBinary(node, readText(node, 'operator', operator), printer),
    ]),
  ),
  RelationshipExpression: (node, printer) => {
    const left = readChild(node, 'left_expr', printer)
    // A chain of relationships needs no parentheses on its left side; a parenthesis at the start of a line would belong
    // to the previous line.
    if (left.kind === node.kind) printer.print(left)
    else printer.operand(left)
    printer.write(` ${readText(node, 'operator', operator)}`)
    const right = readChild(node, 'right_expr', printer)
    printer.goTo(right)
    printer.operand(right)
  },
  InExpression: (node, printer) => printBinary(node, 'in', printer),
  AndExpression: (node, printer) => printBinary(node, 'and', printer),
  OrExpression: (node, printer) => printBinary(node, 'or', printer),
  AccessExpression: (node, printer) => {
    printer.operand(readChild(node, 'left_expr', printer))
    printList('[', printer.reader.list(node, 'keys'), ']', printer)
  },
  NamedAccessExpression: (node, { reader, operand, write }) => {
    operand(reader.node(getMember(node.data, 'left_expr')))
    write(`.${readText(reader.node(getMember(node.data, 'right_expr')), 'value', word)}`)
  },
  LiteralList: (node, printer) => printList('[', printer.reader.list(node, 'values'), ']', printer),
  LiteralHash: (node, printer) => printList('{ ', printer.reader.list(node, 'entries'), ' }', printer),
  KeyedEntry: (node, printer) => printPair(node, 'key', '=>', 'value', printer),
  LiteralUndef: (_, { write }) => write('undef'),
  LiteralDefault: (_, { write }) => write('default'),
  LiteralBoolean: ({ data }, { write }) => {
    const value = getMember(data, 'value')
    write(typeof value === 'boolean' ? String(value) : failUnreadable('a LiteralBoolean is neither true nor false'))
  },
  LiteralInteger: ({ data }, { write }) => write(formatInteger(getMember(data, 'value'))),
  LiteralFloat: ({ data }, { write }) => write(formatFloat(getMember(data, 'value'))),
  LiteralString: (node, { write }) => write(quoteText(readText(node, 'value', /^/))),
  LiteralRegularExpression: (node, { write }) => write(readText(node, 'pattern', /^\/(?:[^\n/\\]|\\[^\n])*\/$/)),
  QualifiedName: (node, { write }) => write(readText(node, 'value', bareName)),
  QualifiedReference: (node, { write }) => write(readText(node, 'cased_value', reference)),
  ReservedWord: (node, { write }) => write(readText(node, 'word', word)),
  VariableExpression: (node, printer) => {
    const named = readChild(node, 'expr', printer)
    const group = getMember(named.data, 'value')
    // Match variables (`$0`, `$1`) have a number instead of a name.
    printer.write(`$${typeof group === 'number' ? formatInteger(group) : readText(named, 'value', variable)}`)
  },
  ConcatenatedString: (node, printer) => {
    printer.write('"')
    for (const each of printer.reader.list(node, 'segments')) printSegment(each, printer)
    printer.write('"')
  },
  HeredocExpression: (node, printer) => printer.print(readChild(node, 'text_expr', printer)),
  IfExpression: (node, printer) => printBranches('if', node, printer),
  UnlessExpression: (node, printer) => printBranches('unless', node, printer),
  CaseExpression: (node, printer) => {
    printer.write('case ')
    printer.operand(readChild(node, 'test', printer))
    printBlock(printer.reader.list(node, 'options'), printer)
  },
  CaseOption: (node, printer) => {
    printList('', printer.reader.list(node, 'values'), ':', printer)
    printBody(printer.reader.optional(node, 'then_expr'), printer)
  },
  SelectorExpression: (node, printer) => {
    printer.operand(readChild(node, 'left_expr', printer))
    printList(' ? { ', printer.reader.list(node, 'selectors'), ' }', printer)
  },
  SelectorEntry: (node, printer) => printPair(node, 'matching_expr', '=>', 'value_expr', printer),
  CallNamedFunctionExpression: (node, printer) => {
    printer.operand(readChild(node, 'functor_expr', printer))
    printCall(node, printer)
  },
  CallMethodExpression: (node, printer) => {
    const method = readChild(node, 'functor_expr', printer)
    if (method.kind !== 'NamedAccessExpression') failUnreadable('a CallMethodExpression has no method')
    printer.print(method)
    printCall(node, printer)
  },
  LambdaExpression: (node, printer) => {
    printList('|', printer.reader.list(node, 'parameters'), '|', printer)
    printType(' >> ', printer.reader.optional(node, 'return_type'), printer)
    printBody(printer.reader.optional(node, 'body'), printer)
  },
  Parameter: (node, printer) => {
    printType('', printer.reader.optional(node, 'type_expr'), printer)
    printer.write(`${getMember(node.data, 'captures_rest') === true ? ' *' : ' '}$${readText(node, 'name', name)}`)
    printType(' = ', printer.reader.optional(node, 'value'), printer)
  },
  ResourceExpression: (node, printer) => {
    printer.write(formatForm(node))
    printer.operand(readChild(node, 'type_name', printer))
    printBlock(printer.reader.list(node, 'bodies'), printer)
  },
  ResourceBody: (node, printer) => {
    printer.print(readChild(node, 'title', printer))
    printList(': ', printer.reader.list(node, 'operations'), ';', printer)
  },
  ResourceDefaultsExpression: (node, printer) => printOperations(formatForm(node), 'type_ref', node, printer),
  ResourceOverrideExpression: (node, printer) => printOperations(formatForm(node), 'resources', node, printer),
  AttributeOperation: (node, printer) => {
    printer.goTo(node)
    printer.write(`${readText(node, 'attribute_name', word)} ${readText(node, 'operator', /^[=+]>$/)} `)
    printer.operand(readChild(node, 'value_expr', printer))
  },
  AttributesOperation: (node, printer) => {
    printer.write('* => ')
    printer.operand(readChild(node, 'expr', printer))
  },
  CollectExpression: (node, printer) => {
    printer.operand(readChild(node, 'type_expr', printer))
    printer.print(readChild(node, 'query', printer))
    const set = printer.reader.list(node, 'operations')
    if (set.length > 0) printList(' { ', set, ' }', printer)
  },
  VirtualQuery: (node, printer) => printQuery('<|', node, '|>', printer),
  ExportedQuery: (node, printer) => printQuery('<<|', node, '|>>', printer),
  HostClassDefinition: (node, printer) => {
    const parent = getMember(node.data, 'parent_class') ?? null
    printDefinition('class', node, printer, parent === null ? '' : ` inherits ${readText(node, 'parent_class', name)}`)
  },
  ResourceTypeDefinition: (node, printer) => printDefinition('define', node, printer),
  FunctionDefinition: (node, printer) => printDefinition('function', node, printer),
  NodeDefinition: (node, printer) => {
    printList('node ', printer.reader.list(node, 'host_matches'), '', printer)
    printType(' inherits ', printer.reader.optional(node, 'parent'), printer)
    printBody(printer.reader.optional(node, 'body'), printer)
  },
  TypeAlias: (node, printer) => {
    printer.write(`type ${readText(node, 'name', reference)}`)
    printType(' = ', printer.reader.optional(node, 'type_expr'), printer)
  },
}

function readChild({ kind, data }: PcoreNode, attribute: string, { reader }: Printer): PcoreNode {
  const json: ExactJson | undefined = getMember(data, attribute)
  return json === undefined || json === null ? failUnreadable(`a ${kind} has no ${attribute}`) : reader.node(json)
}

function printOptional(node: PcoreNode | undefined, print: (node: PcoreNode) => void): void {
  if (node) print(node)
}

function printAround(before: string, node: PcoreNode, after: string, { write, print }: Printer): void {
  write(before)
  print(node)
  write(after)
}

function createPrefixRule(sign: string): PrintRule {
  return (node, printer) => {
    printer.write(sign)
    printer.operand(readChild(node, 'expr', printer))
  }
}

function printBinary(node: PcoreNode, sign: string, printer: Printer): void {
  printPair(node, 'left_expr', sign, 'right_expr', printer)
}

function printPair(node: PcoreNode, left: string, sign: string, right: string, printer: Printer): void {
  printer.operand(readChild(node, left, printer))
  printer.write(` ${sign} `)
  printer.operand(readChild(node, right, printer))
}

/** Prints nodes separated by commas, between the texts `before` and `after`. */
function printList(before: string, nodes: readonly PcoreNode[], after: string, { write, print }: Printer): void {
  write(before)
  nodes.forEach((each, index) => {
    if (index > 0) write(', ')
    print(each)
  })
  write(after)
}

function printBlock(nodes: readonly PcoreNode[], { write, print, goTo }: Printer): void {
  write(' {')
  for (const each of nodes) {
    goTo(each)
    print(each)
  }
  write(' }')
}

function printBody(node: PcoreNode | undefined, printer: Printer): void {
  printBlock(node ? [node] : [], printer)
}

function printType(before: string, node: PcoreNode | undefined, { write, operand }: Printer): void {
  if (!node) return
  write(before)
  operand(node)
}

function printBranches(keyword: string, node: PcoreNode, printer: Printer): void {
  printer.write(`${keyword} `)
  printer.operand(readChild(node, 'test', printer))
  printBody(printer.reader.optional(node, 'then_expr'), printer)
  const otherwise = printer.reader.optional(node, 'else_expr')
  if (!otherwise || otherwise.kind === 'Nop') return
  printer.write(' else')
  printBody(otherwise, printer)
}

function printCall(node: PcoreNode, printer: Printer): void {
  printList('(', printer.reader.list(node, 'arguments'), ')', printer)
  printOptional(printer.reader.optional(node, 'lambda'), (lambda) => printAround(' ', lambda, '', printer))
}

function printOperations(before: string, target: string, node: PcoreNode, printer: Printer): void {
  printer.write(before)
  printer.operand(readChild(node, target, printer))
  printList(' { ', printer.reader.list(node, 'operations'), ' }', printer)
}

function printQuery(before: string, node: PcoreNode, after: string, printer: Printer): void {
  printer.write(` ${before} `)
  printOptional(printer.reader.optional(node, 'expr'), printer.print)
  printer.write(` ${after}`)
}

function printDefinition(keyword: string, node: PcoreNode, printer: Printer, more = ''): void {
  printer.write(`${keyword} ${readText(node, 'name', name)}`)
  printList('(', printer.reader.list(node, 'parameters'), `)${more}`, printer)
  if (keyword === 'function') printType(' >> ', printer.reader.optional(node, 'return_type'), printer)
  printBody(printer.reader.optional(node, 'body'), printer)
}

/** Prints a part of an interpolated string. */
function printSegment(node: PcoreNode, printer: Printer): void {
  if (node.kind === 'LiteralString') {
    const text = readText(node, 'value', /^/).replace(/[\\"$]/g, '\\$&')
    printer.write(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r'))
    return
  }
  const value = node.kind === 'TextExpression' ? readChild(node, 'expr', printer) : node
  if (value.kind === 'VariableExpression') printAround('${', value, '}', printer)
  else printAround('${(', value, ')}', printer)
}

function formatForm(node: PcoreNode): string {
  const marks: Readonly<Record<string, string>> = { regular: '', virtual: '@', exported: '@@' }
  return marks[readText(node, 'form', /^(?:regular|virtual|exported)$/)]!
}

function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

function formatInteger(value: ExactJson | undefined): string {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return String(value)
  return failUnreadable('a LiteralInteger is not an integer')
}

function formatFloat(value: ExactJson | undefined): string {
  if (typeof value !== 'number' && !(value instanceof Number)) return failUnreadable('a LiteralFloat is not a number')
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
