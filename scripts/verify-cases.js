// Asks real Puppet for every case of test/language/cases and lists those that it sees otherwise; UPDATE=1 writes its
// answers into the files. Names of files as arguments (`regexps.cases`) ask for those alone. Asks the Puppet that Ruby
// finds: Debian's Puppet 7.23, without the cases of Puppet 8; or, with RUBYLIB, a Puppet 8 or an OpenVox from source.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf, modules, readCases, readManifests } from '../test/language/cases/read-cases.js'

const oracle = fileURLToPath(new URL('../test/oracle/evaluate.rb', import.meta.url))
const names = process.argv.slice(2)
const isAsked = ({ file }) => names.length === 0 || names.includes(basename(file))
const cases = [...readCases(), ...readManifests()].filter(isAsked)
const version = execFileSync('ruby', ['-rset', '-rpuppet', '-e', 'puts Puppet.version'], { encoding: 'utf8' }).trim()
const asked = cases.filter((each) => !each.only8 || Number.parseInt(version, 10) >= 8)
const questions = asked.map((each) =>
  JSON.stringify({
    manifest: manifestOf(each),
    strict: each.strict,
    strict_variables: each.strictVariables,
    modulepath: each.isWhole ? [modules] : [],
  }),
)
const answers = execFileSync('ruby', ['-rset', oracle], {
  input: questions.join('\n'),
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const inOneLine = (text) => text.replaceAll(modules, '').replaceAll('\n', '⏎')
const worth = ({ error, logs }) => inOneLine(error === undefined ? logs.at(-1)[1] : `! ${error}`)
/** All that a manifest says; a notice without its level. */
const said = ({ error, logs }) => {
  const lines = logs
    .filter(([level]) => level !== 'err')
    .map(([level, text]) => (level === 'notice' ? text : `${level}: ${text}`))
  return inOneLine([...lines, ...(error === undefined ? [] : [`! ${error}`])].join('\n'))
}
const wrong = asked
  .map((each, index) => ({ ...each, real: (each.isWhole ? said : worth)(answers[index]) }))
  .filter((each) => each.real !== each.expected)

if (process.env.UPDATE) for (const [file, some] of Object.entries(grouped())) update(file, some)
else
  for (const each of wrong)
    console.log(`${basename(each.file)}:${each.line}: ${each.code}\n  here: ${each.expected}\n  real: ${each.real}`)

console.log(
  `${asked.length - wrong.length} of ${asked.length} cases agree with Puppet ${version}; ${cases.length - asked.length} were not asked`,
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
