import { PuppetError } from '../../../dist/base/issue.js'
import { parseJson } from '../../../dist/base/json/json-text.js'
import { printAst } from '../../../dist/language/pcore-ast/print-ast.js'
import { allowing, must, textOf } from '../target.js'

const ast = (kind, rest) => `{"__ptype":"Puppet::AST::${kind}"${rest}}`
const name = ast('QualifiedName', ',"value":"x","offset":3')

/** The AST of `POST /puppet/v3/compile`: refused in words, or written as code. @type {import('../target.js').Target} */
export default {
  name: 'pcore-ast',
  seeds: [
    ast(
      'Program',
      `,"locator":{"string":"","line_index":[0,9]},"body":${ast('BlockExpression', `,"statements":[${name}]`)}`,
    ),
    ast('VariableExpression', `,"expr":${name}`),
    ast('ConcatenatedString', `,"segments":[${ast('LiteralString', ',"value":"a$\\n"')},${name}]`),
    ast('NotExpression', ',"expr":{"__ptype":"LocalRef","__pvalue":"$"}'),
    ast('LiteralRegularExpression', ',"pattern":"/a\\\\/b/"'),
    'null',
  ],
  dictionary: [
    ...['"__ptype":"Puppet::AST::', '"LocalRef"', '"__pvalue":"$', "['body']", '[0]', '"value":', '"left_expr":'],
    ...[
      '"right_expr":',
      '"operator":"',
      '"statements":[',
      '"offset":',
      '"constructor"',
      '"__proto__"',
      '1e999',
      '{',
      '}',
    ],
  ],
  run(bytes) {
    const code = allowing([SyntaxError, PuppetError], () => printAst(parseJson(textOf(bytes)), bytes.length))
    must(code === undefined || typeof code === 'string', 'code is a text')
  },
}
