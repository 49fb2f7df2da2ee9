// The same commit gives the same bytes: times are those of the commit, and modes are not those of a checkout.
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Seconds since 1970 of the last commit, or SOURCE_DATE_EPOCH (reproducible-builds.org). */
export function getCommitTime() {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) return Number(given)
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}

/**
 * Lists the files and links below a folder, in order, as paths from there.
 * @param {string} folder
 * @returns {string[]}
 */
export function listFiles(folder, at = folder) {
  return readdirSync(at, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((each) => {
      const path = join(at, each.name)
      return each.isDirectory() ? listFiles(folder, path) : [relative(folder, path)]
    })
}

/**
 * Sets the time and the mode of all files below a folder.
 * @param {string} folder
 */
export function normalizeFiles(folder) {
  const time = getCommitTime()
  for (const path of listFiles(folder)) {
    const file = join(folder, path)
    const stat = lstatSync(file)
    if (stat.isSymbolicLink()) continue
    chmodSync(file, (stat.mode & 0o100) === 0 ? 0o644 : 0o755)
    utimesSync(file, time, time)
  }
}
