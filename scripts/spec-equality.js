// Runs the suite of a module with the real rspec-puppet and with `plumb test`, and compares each example:
//   npm run spec:equality -- --module DIR [--fixtures DIR] [--load-path DIR:DIR] [--only spec/classes] [--jobs N]
//     [--generators PROGRAM:PROGRAM]
// --fixtures: a folder with the modules that the suite needs. --load-path: libraries for the real suite that are not
// installed, such as rspec-puppet-facts; facterdb is taken from there for both.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    module: { type: 'string', default: '.' },
    fixtures: { type: 'string' },
    'load-path': { type: 'string', default: '' },
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    generators: { type: 'string', default: '' },
    'puppet-version': { type: 'string', default: '7.23.0' },
    'facter-version': { type: 'string', default: '4.3.0' },
  },
})
const plumb = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const folder = realpathSync(values.module)
const loadPath = values['load-path'].split(':').filter(Boolean)
const known = ['classes', 'defines', 'functions', 'hosts', 'types', 'type_aliases'].map((name) => `spec/${name}`)
const tested = values.only ?? known.filter((path) => existsSync(join(folder, path)))
const scratch = mkdtempSync(join(tmpdir(), 'plumb-equality-'))

if (values.fixtures !== undefined) linkFixtures(join(folder, 'spec/fixtures/modules'), resolve(values.fixtures))
const real = run('rspec-puppet', 'rspec', [], { RUBYLIB: loadPath.join(':'), RUBYOPT: '-W0' })
const words = ['--strict', 'warning', '--jobs', values.jobs, '--puppet-version', values['puppet-version']]
if (values.generators !== '') words.push('--generators', values.generators)
const libraries = loadPath
  .filter((path) => existsSync(join(path, 'facterdb.rb')))
  .flatMap((path) => ['--load-path', path])
const facter = ['--facter-version', values['facter-version']]
const ours = run('plumb test', process.execPath, [plumb, 'test', ...words, ...libraries, ...facter])
rmSync(scratch, { recursive: true })
const { equal, total, causes } = compare(real.results, ours.results)
console.log(`${basename(folder)}: ${equal} of ${total} examples are equal (${((equal / total) * 100).toFixed(2)} %)`)
for (const [cause, examples] of causes) console.log(`  ${examples.length} x ${cause}\n      ${examples[0]}`)
const ratio = (real.seconds / ours.seconds).toFixed(1)
console.log(
  `  rspec-puppet ${real.seconds.toFixed(1)} s, plumb test ${ours.seconds.toFixed(1)} s: ${ratio} times faster`,
)
process.exitCode = equal / total >= 0.98 ? 0 : 1

function linkFixtures(target, fixtures) {
  mkdirSync(target, { recursive: true })
  // rspec-puppet itself links the module.
  for (const name of readdirSync(fixtures))
    if (name !== basename(folder) && !existsSync(join(target, name)))
      symlinkSync(join(fixtures, name), join(target, name))
}

function run(name, program, first, env = {}) {
  const file = join(scratch, `${name}.json`)
  const formats = ['--format', 'progress', '--format', 'json', '--out', file]
  const began = performance.now()
  const { stdout, stderr } = spawnSync(program, [...first, ...formats, ...tested], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  const seconds = (performance.now() - began) / 1000
  if (!existsSync(file)) throw new Error(`${name} has no results:\n${stdout}\n${stderr}`)
  return { seconds, results: readResults(file) }
}

/** Status and message by description; equal descriptions are numbered. */
function readResults(file) {
  const results = new Map()
  for (const { full_description, file_path, status, exception } of JSON.parse(readFileSync(file, 'utf8')).examples) {
    const place = file_path.includes('coverage') ? 'coverage' : file_path
    // Objects without a text of their own, such as types, are described by their class.
    const description = full_description
      .replaceAll(/0x[0-9a-f]{16}/g, '0x')
      .replaceAll(/#<(Puppet::Pops::[\w:]+)[^>]*>/g, '$1')
    let number = 1
    while (results.has(`${place} ${description} ${number}`)) number++
    results.set(`${place} ${description} ${number}`, { status, message: exception?.message })
  }
  return results
}

function compare(expected, found) {
  const causes = new Map()
  let equal = 0
  for (const [key, { status, message }] of expected) {
    const other = found.get(key)
    if (other?.status === status) equal++
    else {
      const why = (other?.message ?? message ?? '').split('\n', 1)[0].slice(0, 160)
      const cause = `${status}, but ${other?.status ?? 'missing'}: ${why}`
      causes.set(cause, [...(causes.get(cause) ?? []), key])
    }
  }
  return { equal, total: expected.size, causes: [...causes].sort(([, a], [, b]) => b.length - a.length) }
}
