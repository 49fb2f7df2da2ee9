// Compares the time of `plumb lint` and `plumb format` with that of puppet-lint for the manifests of a folder. Each run is
// a process of its own, and the programs run in turn; the fastest run of each counts.
//   npm run bench:lint [FOLDER] [PUPPET_LINT...], by default Debian's modules and the program puppet-lint
// PUPPET_LINT is a program, or the checkout of its repository. It needs taskset and /usr/bin/time.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {{ wall: number, cpu: number }} Seconds */

const root = join(import.meta.dirname, '..')
const [folder = '/usr/share/puppet/modules', ...given] = process.argv.slice(2)
/** Runs of each program. */
const runs = 3
/** Runs of our program between two runs of puppet-lint. */
const ownRuns = 3

// Neither program follows links to folders, which Debian's modules are.
const copy = mkdtempSync(join(tmpdir(), 'plumb-bench-lint-'))
cpSync(folder, copy, {
  recursive: true,
  dereference: true,
  filter: (path) => path.endsWith('.pp') || statSync(path).isDirectory(),
})
const plumb = [process.execPath, join(root, 'dist/main.js')]
const onOneCore = ['taskset', '-c', '0']
/** @type {readonly (readonly [name: string, words: readonly string[], times: number])[]} */
const programs = [
  ['plumb lint', [...plumb, 'lint', '--no-config', copy], ownRuns],
  ['plumb lint, one core', [...onOneCore, ...plumb, 'lint', '--no-config', copy], ownRuns],
  ['plumb format --check', [...plumb, 'format', '--check', copy], ownRuns],
  ['plumb format --check, one core', [...onOneCore, ...plumb, 'format', '--check', copy], ownRuns],
  ...(given.length > 0 ? given : ['puppet-lint']).map(
    (each) => /** @type {const} */ ([each, [...toCommand(each), '--no-config', copy], 1]),
  ),
]
try {
  const best = programs.map(() => ({ wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }))
  for (let run = 0; run < runs; run++)
    for (const [index, [, words, times]] of programs.entries())
      for (let time = 0; time < times; time++) {
        const { wall, cpu } = measure(words)
        best[index] = { wall: Math.min(best[index].wall, wall), cpu: Math.min(best[index].cpu, cpu) }
      }
  for (const [index, [name]] of programs.entries()) {
    const { wall, cpu } = best[index]
    console.log(`${name}: ${wall.toFixed(2)} s, CPU time ${cpu.toFixed(2)} s`)
  }
} finally {
  rmSync(copy, { recursive: true })
}

/**
 * @param {string} puppetLint
 * @returns {readonly string[]}
 */
function toCommand(puppetLint) {
  const program = join(puppetLint, 'bin/puppet-lint')
  return existsSync(program) ? ['ruby', '-I', join(puppetLint, 'lib'), program] : [puppetLint]
}

/**
 * @param {readonly string[]} words
 * @returns {Seconds}
 */
function measure(words) {
  const { error, stderr } = spawnSync('/usr/bin/time', ['-f', '%e %U %S', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 2 ** 28,
  })
  if (error) throw error
  const [wall = 0, user = 0, system = 0] = (stderr.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { wall, cpu: user + system }
}
