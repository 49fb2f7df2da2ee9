import { budgets } from '../../base/budgets/budgets.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { AstReader, checkAstDepth, failUnreadable, type PcoreNode } from './ast-node.ts'
import { type Printer, rules } from './print-rules.ts'

/** Kinds of nodes that need no parentheses as operands. */
const simple = new Set([
  ...['AccessExpression', 'CallMethodExpression', 'CallNamedFunctionExpression', 'ConcatenatedString'],
  ...[
    'HeredocExpression',
    'LiteralBoolean',
    'LiteralDefault',
    'LiteralHash',
    'LiteralList',
    'LiteralRegularExpression',
  ],
  ...['LiteralString', 'LiteralUndef', 'NamedAccessExpression', 'ParenthesizedExpression', 'QualifiedName'],
  ...['QualifiedReference', 'VariableExpression', 'ResourceExpression', 'CollectExpression', 'ReservedWord'],
])

const { astNodes, body } = budgets.request
/**
 * Minimum number of JSON characters for each node read: half the size of the smallest node, so that each node may be
 * read twice.
 */
const halfNode = 16
const fewNodes = 16

/**
 * Converts an AST to Puppet code. `characters` is the length of the AST's JSON; it limits the number of nodes, because
 * repeated references multiply them. Throws AST_UNREADABLE.
 */
export function printAst(ast: ExactJson, characters: number): string {
  const most = Math.min(astNodes.bound, Math.max(fewNodes, Math.floor(characters / halfNode)))
  const reader = new AstReader(ast, most)
  const pieces: string[] = []
  let line = 1
  let length = 0
  let depth = 0
  const printer: Printer = {
    reader,
    write(text) {
      length += text.length
      if (length > body.bound) failUnreadable('the code is too long')
      pieces.push(text)
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line++
    },
    print(node) {
      checkAstDepth(++depth)
      if (!Object.hasOwn(rules, node.kind)) failUnreadable(`${node.kind} cannot be used in a catalog`)
      rules[node.kind]!(node, printer)
      depth--
    },
    operand(node) {
      if (simple.has(node.kind) || isNonNegative(node)) return printer.print(node)
      printer.write('(')
      printer.print(node)
      printer.write(')')
    },
    goTo(node) {
      const wanted = reader.line(node) ?? line
      printer.write(wanted > line ? '\n'.repeat(wanted - line) : ' ')
    },
  }
  printer.print(reader.node(ast))
  return pieces.join('')
}

/** True for a number that is not negative. */
function isNonNegative({ kind, data }: PcoreNode): boolean {
  return (kind === 'LiteralInteger' || kind === 'LiteralFloat') && Number(getMember(data, 'value')) >= 0
}
