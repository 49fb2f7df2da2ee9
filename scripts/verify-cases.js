// Asks real Puppet for every case of test/language/cases and lists those that it sees otherwise; UPDATE=1 writes its
// answers into the files. Names of files as arguments (`regexps.cases`) ask for those alone. Needs
// Debian's Puppet 7.23; cases of Puppet 8 alone are left out.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { manifestOf, readCases } from '../test/language/cases/read-cases.js'

const oracle = new URL('../test/oracle/evaluate.rb', import.meta.url).pathname
const names = process.argv.slice(2)
const cases = readCases().filter(({ file }) => names.length === 0 || names.includes(basename(file)))
const asked = cases.filter((each) => !each.only8)
const questions = asked.map((each) =>
  JSON.stringify({ manifest: manifestOf(each), strict: each.strict, strict_variables: each.strictVariables }),
)
const answers = execFileSync('ruby', [oracle], { input: questions.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 })
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const worth = ({ error, logs }) => (error === undefined ? logs.at(-1)[1] : `! ${error}`).replaceAll('\n', '⏎')
const wrong = asked
  .map((each, index) => ({ ...each, real: worth(answers[index]) }))
  .filter((each) => each.real !== each.expected)

if (process.env.UPDATE) for (const [file, some] of Object.entries(grouped())) update(file, some)
else
  for (const each of wrong)
    console.log(`${basename(each.file)}:${each.line}: ${each.code}\n  here: ${each.expected}\n  real: ${each.real}`)

console.log(
  `${asked.length - wrong.length} of ${asked.length} cases agree with real Puppet; ${cases.length - asked.length} are Puppet 8's alone`,
)
process.exitCode = wrong.length > 0 && !process.env.UPDATE ? 1 : 0

function grouped() {
  const files = {}
  for (const each of wrong) files[each.file] = [...(files[each.file] ?? []), each]
  return files
}

function update(file, some) {
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const { line, expected, real } of some) {
    const text = lines[line - 1]
    lines[line - 1] = text.slice(0, text.length - expected.length) + real
  }
  writeFileSync(file, lines.join('\n'))
}
