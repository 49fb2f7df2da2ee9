// Builds all files of a release: npm run release -- --output FOLDER [--target TARGET…] [--key FILE] [--allow-changes]
// The executables, Debian and rpm packages, the npm package, the bill of materials and the provenance, with SHA256SUMS,
// which --key signs with minisign. Two builds of a commit give the same bytes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { targets as allTargets } from './package/base-programs.js'
import { packageDeb } from './package/deb.js'
import { packageExecutable } from './package/executable.js'
import { getCommitTime } from './package/reproducible.js'
import { packageRpm } from './package/rpm.js'
import { version } from './package/system-files.js'
import { createReleaseBill } from './release/bill-of-materials.js'
import { computeFileDigest, createProvenance } from './release/provenance.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    output: { type: 'string', default: 'packages' },
    target: { type: 'string', multiple: true, default: allTargets },
    key: { type: 'string' },
    'allow-changes': { type: 'boolean', default: false },
  },
})
/** @param {string[]} words */
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
const output = resolve(values.output)
const targets = values.target
const unknown = targets.find((target) => !allTargets.includes(target))
if (unknown !== undefined) refuse(`There is no target '${unknown}'. Targets: ${allTargets.join(', ')}.`)
if (values.key !== undefined && !existsSync(values.key)) refuse(`Could not find the key ${values.key}`)
if (!values['allow-changes'] && git('status', '--porcelain') !== '')
  refuse('The working tree has changes. Commit them, or build with --allow-changes.')
if (existsSync(output) && readdirSync(output).length > 0) refuse(`The folder ${output} is not empty`)
mkdirSync(output, { recursive: true })

const files = []
for (const target of targets) {
  say(`executable for ${target}`)
  const built = await packageExecutable(output, target)
  const program = join(output, `plumb-${version}-${target}`)
  renameSync(built, program)
  files.push(program)
  say(`Debian package for ${target}`)
  files.push(packageDeb(output, { program, target }))
  say(`rpm package for ${target}`)
  files.push(packageRpm(output, { program, target }))
}
say('npm package')
files.push(
  join(output, npm('pack', '--silent', '--ignore-scripts', '--pack-destination', output).split('\n').at(-1) ?? ''),
)
say('bill of materials and provenance')
const commit = git('rev-parse', 'HEAD')
files.push(write(`plumbline-${version}.cdx.json`, createReleaseBill({ version, commit, time: getCommitTime() })))
const subjects = files.map(describe)
const provenance = createProvenance({ subjects, version, commit, targets })
subjects.push(describe(write(`plumbline-${version}.provenance.json`, provenance)))
const sums = subjects.map(({ name, sha256 }) => `${sha256}  ${name}\n`)
const list = write('SHA256SUMS', sums.sort().join(''))
if (values.key !== undefined)
  execFileSync('minisign', ['-S', '-s', values.key, '-m', list, '-t', `plumbline ${version}`], { stdio: 'inherit' })
for (const file of readdirSync(output).sort()) console.log(join(output, file))

/** @param {string[]} words */
function npm(...words) {
  return execFileSync('npm', words, { cwd: root, encoding: 'utf8' }).trim()
}

/** @param {string} name @param {string} text */
function write(name, text) {
  const file = join(output, name)
  writeFileSync(file, text)
  return file
}

/** @param {string} file */
function describe(file) {
  return { name: basename(file), sha256: computeFileDigest(file) }
}

/** @param {string} message */
function say(message) {
  console.error(`Building: ${message}`)
}

/** @param {string} message */
function refuse(message) {
  console.error(`Error: ${message}`)
  process.exit(1)
}
