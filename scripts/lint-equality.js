// Compares the linter with puppet-lint and its plug-ins, over the manifests below a folder: problems, and corrected files.
//   npm run lint:equality -- --puppet-lint CHECKOUT --modules FOLDER [--plug-in CHECKOUT]... [--fix] [--record FILE]
// Differences are printed, and counted by check; docs/linting.md lists those that are intended. --record writes the
// answers of puppet-lint, for test/workbench/lint.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { builtInChecks } from '../dist/workbench/lint/checks/built-in-checks.js'
import { plugInChecks } from '../dist/workbench/lint/checks/plug-ins/plug-in-checks.js'

// The types of the parser, which this module imports, are only in the sources: a computed path is not checked.
const { lintManifest } = await import(String(new URL('../dist/workbench/lint/lint-manifest.js', import.meta.url)))

/** @typedef {[check: string, kind: string, line: number, column: number, message: string, reason: string | null]} Row */
/** @typedef {[path: string, rows: Row[] | string, fixed: string | null]} Answer */

/** Differences that are printed in full. */
const shownDifferences = 10

const { values } = parseArgs({
  options: {
    'puppet-lint': { type: 'string' },
    modules: { type: 'string' },
    'plug-in': { type: 'string', multiple: true, default: [] },
    fix: { type: 'boolean', default: false },
    record: { type: 'string' },
  },
})
const { modules, 'puppet-lint': puppetLint, 'plug-in': plugIns, fix, record } = values
if (modules === undefined || puppetLint === undefined) {
  console.error('Give --puppet-lint CHECKOUT and --modules FOLDER')
  process.exit(2)
}

const folder = resolve(modules)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.pp'))
  .sort()
  .map((name) => join(folder, name))
const answers = askPuppetLint(puppetLint)
if (record !== undefined) writeAnswers(record)
else compareAll()

/**
 * @param {string} checkout
 * @returns {Answer[]}
 */
function askPuppetLint(checkout) {
  const script = join(import.meta.dirname, 'lint-equality/answers.rb')
  const { stdout, status, stderr } = spawnSync('ruby', [script, checkout, fix ? 'fix' : 'check', ...plugIns], {
    input: files.map((file) => `${file}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 31,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** @param {string} file */
function writeAnswers(file) {
  const lines = answers.map(
    ([path, ...answer]) => `${JSON.stringify(relative(folder, path))}: ${JSON.stringify(answer)}`,
  )
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

function compareAll() {
  const checks = plugIns.length > 0 ? [...builtInChecks, ...plugInChecks] : builtInChecks
  /** @type {Map<string, number>} */
  const byCheck = new Map()
  let [equal, different, crashes] = [0, 0, 0]
  for (const [path, rows, fixed] of answers) {
    if (typeof rows === 'string') {
      crashes++
      continue
    }
    const text = readFileSync(path, 'utf8')
    const own = lintManifest({ path, fullPath: path, text }, { checks, fix, today: '2000-01-01' })
    const ownRows = own.problems.map(({ check, kind, line, column, message, reason }) =>
      JSON.stringify([check, kind, line, column, message, reason ?? null]),
    )
    const theirs = rows.map((row) => JSON.stringify(row))
    const wrong = [
      ...theirs.filter((row) => !ownRows.includes(row)).map((row) => `missing ${row}`),
      ...ownRows.filter((row) => !theirs.includes(row)).map((row) => `needless ${row}`),
      ...(fixed === null || withLineFeeds(own.fixed ?? text) === fixed ? [] : ['the corrected files differ']),
    ]
    if (wrong.length === 0) {
      equal++
      continue
    }
    different++
    if (different <= shownDifferences) console.log([path, ...wrong.slice(0, 5)].join('\n  '))
    for (const line of wrong) {
      const check = /\["(\w+)"/.exec(line)?.[1] ?? 'corrected files'
      byCheck.set(check, (byCheck.get(check) ?? 0) + 1)
    }
  }
  console.log(`${equal} files equal, ${different} different, ${crashes} in which puppet-lint raises an exception`)
  for (const [check, count] of byCheck) console.log(`  ${check}: ${count}`)
}

/** @param {string} text puppet-lint writes line feeds only */
function withLineFeeds(text) {
  return text.replaceAll(/\r\n?/g, '\n')
}
