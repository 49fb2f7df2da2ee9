import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/** Operators and what takes their place. */
const operators = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
])

/** @typedef {{ file: string, start: number, end: number, text: string }} Mutant One change of a file's code. */

/**
 * Every change of a file: another operator, boolean or number, or a negated condition. Types and keys stay.
 *
 * @param {string} file
 */
export function mutantsOf(file) {
  const code = readFileSync(file, 'utf8')
  /** @type {Mutant[]} */
  const found = []
  const add = (/** @type {{ start: number, end: number }} */ { start, end }, /** @type {string} */ text) =>
    found.push({ file, start, end, text })
  const visit = (/** @type {any} */ node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node?.type !== 'string' || /^TS(?!As|NonNull|Satisfies)|^Import|^ExportAll/.test(node.type)) return
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const other = operators.get(node.operator)
      const start = code.indexOf(node.operator, node.left.end)
      if (other !== undefined) add({ start, end: start + node.operator.length }, other)
    } else if (node.type === 'Literal' && typeof node.value === 'boolean') add(node, String(!node.value))
    else if (node.type === 'Literal' && typeof node.value === 'number') add(node, `(${node.raw} + 1)`)
    else if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      // `a === b` becomes `a !== b` anyhow.
      if (!/^[!=]==$/.test(node.test.operator)) add(node.test, `!(${code.slice(node.test.start, node.test.end)})`)
    }
    for (const [name, part] of Object.entries(node))
      if (typeof part === 'object' && (name !== 'key' || node.computed)) visit(part)
  }
  visit(parseAst(code, { lang: 'ts' }).body)
  return found
}
