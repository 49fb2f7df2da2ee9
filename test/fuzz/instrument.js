// A loader of modules that counts, in what `npm run build` made, how often each branch of the code is taken.
import { parseAst } from 'rolldown/parseAst'

/** What is read by the targets; and, for the tests of the fuzzer, its toys. */
const counted = ['../../dist/', './toys/'].map((folder) => new URL(folder, import.meta.url).href)

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, next) => {
  const loaded = await next(url, context)
  if (!counted.some((folder) => url.startsWith(folder)) || loaded.format !== 'module' || !loaded.source) return loaded
  return { ...loaded, source: instrumented(Buffer.from(/** @type {Uint8Array} */ (loaded.source)).toString()) }
}

/**
 * The same code, with a counter at the start of each block and of each branch of an expression.
 *
 * @param {string} code
 */
export function instrumented(code) {
  /** @type {[at: number, text: string][]} */
  const inserted = []
  let counters = 0
  const count = () => `__counters[${counters++}]++`

  /** @param {Node | undefined | null} node @param {() => void} inside */
  const asExpression = (node, inside) => {
    if (!node) return
    inserted.push([node.start, `(${count()},`])
    inside()
    inserted.push([node.end, ')'])
  }
  /** @param {Node | undefined | null} node @param {() => void} inside */
  const asBlock = (node, inside) => {
    if (!node || node.type === 'BlockStatement') return inside()
    inserted.push([node.start, `{${count()};`])
    inside()
    inserted.push([node.end, '}'])
  }
  /** @param {Node} node */
  const visit = (node) => {
    const wrap = wrapped[node.type] ?? {}
    if (node.type === 'BlockStatement') inserted.push([node.start + 1, `${count()};`])
    if (node.type === 'SwitchCase' && node.consequent.length > 0)
      inserted.push([node.consequent[0].start, `${count()};`])
    for (const [key, child] of Object.entries(node)) {
      const how = wrap[key]
      for (const each of Array.isArray(child) ? child : [child]) {
        if (typeof each?.type !== 'string') continue
        const inside = () => visit(each)
        if (how === 'statement') asBlock(each, inside)
        else if (how === 'expression' && each.type !== 'BlockStatement') asExpression(each, inside)
        else inside()
      }
    }
  }
  visit(/** @type {Node} */ (/** @type {unknown} */ (parseAst(code))))
  let text = ''
  let from = 0
  for (const [at, piece] of inserted.sort(([a], [b]) => a - b)) {
    text += code.slice(from, at) + piece
    from = at
  }
  // On one line with the first, so that the lines of a stack trace are those of the file.
  return `const __counters=globalThis.__fuzzCounters(${counters});${text}${code.slice(from)}`
}

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */

/** What of a node is a branch of its own. @type {Readonly<Record<string, Record<string, 'expression' | 'statement'>>>} */
const wrapped = {
  ArrowFunctionExpression: { body: 'expression' },
  ConditionalExpression: { consequent: 'expression', alternate: 'expression' },
  LogicalExpression: { right: 'expression' },
  IfStatement: { consequent: 'statement', alternate: 'statement' },
  ForStatement: { body: 'statement' },
  ForOfStatement: { body: 'statement' },
  ForInStatement: { body: 'statement' },
  WhileStatement: { body: 'statement' },
  DoWhileStatement: { body: 'statement' },
}
