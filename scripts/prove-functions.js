// Asks real Puppet, with the Ruby of each module whose folder is given, every case of test/language/module-functions/cases, and
// adds to src/language/module-functions/proven.json the files of those functions that answer all of their cases as written.
// With UPDATE=stdlib-9.cases writes the answers of the one folder into the cases of that file instead.
//
//   node scripts/prove-functions.js /usr/share/puppet/modules/stdlib [/tmp/stdlib-9/stdlib ...]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { manifestOf, readCases } from '../test/language/cases/read-cases.js'

const home = resolve(import.meta.dirname, '..')
const folder = join(home, 'test/language/module-functions/cases')
const table = join(home, 'src/language/module-functions/proven.json')
const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))
const cases = readCases(folder)
const proven = JSON.parse(readFileSync(table, 'utf8'))

for (const each of process.argv.slice(2)) {
  if (process.env.UPDATE) update(each)
  else {
    prove(each)
    writeProven()
  }
}

function prove(module) {
  /** @type {Map<string, string>} */
  const open = new Map()
  const groups = new Set(cases.map((each) => each.group))
  for (const group of groups) {
    const file = fileOf(module, group.replace(/ 9$/, ''))
    const code = file && readFileSync(file, 'utf8')
    if (!code || (code.includes('is deprecated, please use stdlib::') && !group.endsWith(' 9'))) continue
    const digest = createHash('sha256').update(code).digest('hex')
    if (!Object.values(proven).some((digests) => digests.includes(digest))) open.set(group, digest)
  }
  const asked = cases.filter(({ group }) => open.has(group))
  const answers = ask(module, asked)
  for (const [group, digest] of open) {
    if (Object.values(proven).some((digests) => digests.includes(digest))) continue
    const wrong = asked.filter((each, index) => each.group === group && answers[index] !== each.expected)
    if (wrong.length === 0) proven[group] = [...(proven[group] ?? []), digest]
    else console.log(`${module}: ${group} differs in ${wrong.length}, first in line ${wrong[0].line}: ${wrong[0].code}`)
  }
}

function update(module) {
  const asked = cases.filter(({ file }) => basename(file) === process.env.UPDATE)
  const answers = ask(module, asked)
  for (const file of new Set(asked.map((each) => each.file))) {
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const [index, { line, expected }] of asked.entries())
      lines[line - 1] = lines[line - 1].slice(0, lines[line - 1].length - expected.length) + answers[index]
    writeFileSync(file, lines.join('\n'))
  }
}

/** The Ruby that defines a function; the newer kind wins. */
function fileOf(module, name) {
  const path = name.replaceAll('::', '/')
  return [`lib/puppet/functions/${path}.rb`, `lib/puppet/parser/functions/${path}.rb`]
    .map((each) => join(module, each))
    .find((each) => existsSync(each))
}

function ask(module, asked) {
  if (asked.length === 0) return []
  const questions = asked.map((each) =>
    JSON.stringify({
      manifest: manifestOf(each),
      strict: each.strict,
      strict_variables: each.strictVariables,
      modulepath: [dirname(resolve(module))],
      facts,
    }),
  )
  const oracle = join(home, 'test/oracle/evaluate.rb')
  const output = execFileSync('ruby', [oracle], { input: questions.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 })
  return output
    .trim()
    .split('\n')
    .map((line) => worthOf(JSON.parse(line)).replaceAll('\n', '⏎'))
}

function worthOf({ error, logs }) {
  return error === undefined ? logs.at(-1)[1] : `! ${error}`
}

function writeProven() {
  const entries = Object.entries(proven).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
}
