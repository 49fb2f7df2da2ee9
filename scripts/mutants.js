// Changes one place of the code at a time, and counts the changes that no test notices: `node scripts/mutants.js
// [--seed N] [--count N] FOLDER…`, folders below src/. Needs a Node that runs TypeScript (22.18 or later) and a clean
// checkout, in which the changes are made one after the other and taken back. The suites of the same folder below test/
// run first, then those of the room. Prints each change that survives, with its place.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAst } from 'rolldown/parseAst'
import { chanceOf } from '../test/support/chance.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } },
})

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

/** @typedef {{ file: string, start: number, end: number, text: string }} Mutant */

/** @returns {Mutant[]} The changes of a file. */
function mutantsOf(/** @type {string} */ file) {
  const code = readFileSync(file, 'utf8')
  /** @type {Mutant[]} */
  const found = []
  const add = (/** @type {{ start: number, end: number }} */ { start, end }, /** @type {string} */ text) =>
    found.push({ file, start, end, text })
  const negate = (/** @type {{ start: number, end: number }} */ test) =>
    add(test, `!(${code.slice(test.start, test.end)})`)
  const visit = (/** @type {any} */ node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node?.type !== 'string' || /^TS(?!As|NonNull|Satisfies)|^Import|^ExportAll/.test(node.type)) return
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const other = operators.get(node.operator)
      const start = code.indexOf(node.operator, node.left.end)
      if (other !== undefined) add({ start, end: start + node.operator.length }, other)
    } else if (node.type === 'Literal' && typeof node.value === 'boolean') add(node, String(!node.value))
    else if (node.type === 'Literal' && typeof node.value === 'number') add(node, `(${node.raw} + 1)`)
    else if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') negate(node.test)
    for (const part of Object.values(node)) if (typeof part === 'object') visit(part)
  }
  visit(parseAst(code, { lang: 'ts' }).body)
  return found
}

const filesIn = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))

/** The folders of suites for a file: the nearest that there is, then that of the room. */
function suitesFor(/** @type {string} */ file) {
  const path = dirname(relative(join(root, 'src'), file)).split('/')
  const near = path.map((_, at) => join('test', ...path.slice(0, path.length - at)))
  const there = near.filter((folder) => existsSync(join(root, folder)))
  return [...new Set([there[0], there.at(-1)])].filter((folder) => folder !== undefined)
}

/** True if a suite of these folders fails. */
function isNoticed(/** @type {readonly string[]} */ folders) {
  return folders.some((folder) => {
    const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'in-process', '--bail', '1', folder]
    const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'ignore', timeout: 180_000 })
    return status !== 0
  })
}

const chance = chanceOf(Number(values.seed))
const all = positionals.map((folder) => filesIn(join(root, 'src', folder)).flatMap(mutantsOf))
let [tried, survived] = [0, 0]
while (tried < Number(values.count)) {
  const those = all[tried % all.length] ?? []
  const [mutant] = those.splice(chance(those.length), 1)
  if (mutant === undefined) break
  const { file, start, end, text } = mutant
  const before = readFileSync(file, 'utf8')
  tried++
  try {
    writeFileSync(file, before.slice(0, start) + text + before.slice(end))
    if (isNoticed(suitesFor(file))) continue
  } finally {
    writeFileSync(file, before)
  }
  survived++
  const line = before.slice(0, start).split('\n').length
  console.log(`survived: ${relative(root, file)}:${line}: ${before.slice(start, end)} → ${text}`)
}
console.log(`${tried} changes of seed ${values.seed}, ${tried - survived} noticed, ${survived} survived`)
