// Mutation testing: changes one place of the code at a time and counts the changes that no test notices.
// `node scripts/mutants.js [--seed N] [--count N] [--suites N] [--e2e N] [--again LOG] FOLDER…`, folders below src/. Needs a Node
// that runs TypeScript (22.18 or later) and a clean checkout: each change is written to its file and taken back. The
// nearest suites run first, until one fails. Prints each change that survives, with its place, and `--again` tries only
// those that an earlier run printed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chanceOf } from '../test/support/chance.js'
import { mutantsOf } from './mutants/mutants-of.js'
import { openRunner } from './mutants/runner.js'
import { suitesFor } from './mutants/suites-for.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    suites: { type: 'string', default: '24' },
    e2e: { type: 'string', default: '4' },
    again: { type: 'string' },
  },
})

/** @typedef {import('./mutants/mutants-of.js').Mutant} Mutant */

const filesIn = (/** @type {string} */ folder) =>
  readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join('src', folder, name))

/** The place and the change, in one line. */
function textOf(/** @type {Mutant} */ { file, start, end, text }) {
  const code = readFileSync(file, 'utf8')
  const before = code.slice(0, start).split('\n')
  const change = `${code.slice(start, end)} → ${text}`.replace(/\s+/g, ' ')
  return `${file}:${before.length}:${before.at(-1)?.length}: ${change}`
}

/** As many mutants as `--count`, the same number of each folder. */
function drawn() {
  const chance = chanceOf(Number(values.seed))
  const all = positionals.map((folder) => filesIn(folder).flatMap(mutantsOf))
  return Array.from({ length: Number(values.count) }, (_, at) => {
    const those = all[at % all.length] ?? []
    return those.splice(chance(those.length), 1)
  }).flat()
}

/** The mutants that an earlier run printed as survivors. */
function survivorsIn(/** @type {string} */ log) {
  const texts = readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => line.split('survived: ').slice(1))
  const files = new Set(texts.map((text) => text.slice(0, text.indexOf(':'))))
  return [...files].flatMap(mutantsOf).filter((mutant) => texts.includes(textOf(mutant)))
}

const runner = openRunner()
let restore = () => {}
process.on('exit', () => restore())

/** The suite that fails while the mutant is in its file. */
async function noticedBy(/** @type {Mutant} */ { file, start, end, text }) {
  const before = readFileSync(file, 'utf8')
  restore = () => writeFileSync(file, before)
  writeFileSync(file, before.slice(0, start) + text + before.slice(end))
  const suites = suitesFor(file, { inProcess: Number(values.suites), e2e: Number(values.e2e) })
  let failing
  for (const part of [suites.slice(0, 4), suites.slice(4, 12), suites.slice(12)])
    failing ??= await runner.failing(part, file)
  restore()
  return failing
}

let [tried, survived] = [0, 0]
for (const mutant of values.again === undefined ? drawn() : survivorsIn(values.again)) {
  const text = textOf(mutant)
  const suite = await noticedBy(mutant)
  tried++
  if (suite === undefined) survived++
  console.log(suite === undefined ? `survived: ${text}` : `noticed by ${suite}: ${text}`)
}
console.log(`${tried} changes of seed ${values.seed}, ${tried - survived} noticed, ${survived} survived`)
runner.close()
