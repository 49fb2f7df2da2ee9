import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const filesIn = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

/** Suites of many seconds, which run after all others. */
const slow = /\/(long-texts|language-cases|as-of|writer-thread|year|large-authority)\.[^/]*$/

const far = Number.POSITIVE_INFINITY

/** Suites of other rooms may notice a change, too, if so few imports lead to it. */
const nearInImports = 2

/**
 * The suites that may notice a change of a file, at most `limits.inProcess` in the process and `limits.e2e` with
 * processes or servers: the suites of its room, those that use the cases of its room, and those that import it. Nearest
 * first: the suite whose name begins with the same word, then by the number of imports that lead to the file or, one
 * more, to its folder.
 *
 * @param {string} file
 * @param {{ inProcess: number, e2e: number }} limits
 */
export function suitesFor(file, limits) {
  const { imports } = graph()
  const word = basename(file, '.ts').replace(/-.*/, '')
  const room = join('test', ...dirname(file).split('/').slice(1, 2), '/')
  const isOfRoom = (/** @type {string} */ path) => path.startsWith(room)
  const [own, folder] = [
    distances([file]),
    distances(readdirSync(dirname(file)).map((name) => join(dirname(file), name))),
  ]
  const to = (/** @type {Map<string, number>} */ from, /** @type {string} */ path) => from.get(path) ?? far
  const distance = (/** @type {string} */ suite) => {
    if (slow.test(suite)) return far
    return basename(suite).startsWith(word) ? 0 : Math.min(to(own, suite), 1 + to(folder, suite))
  }
  const suites = [...own.keys()]
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.oracle.test.ts'))
    .filter((path) => to(own, path) <= nearInImports || isOfRoom(path) || imports.get(path)?.some(isOfRoom))
    .sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
  const isInProcess = (/** @type {string} */ suite) => !suite.endsWith('.e2e.test.ts')
  const [inProcess, e2e] = [suites.filter(isInProcess), suites.filter((suite) => !isInProcess(suite))]
  return [...inProcess.slice(0, limits.inProcess), ...e2e.slice(0, limits.e2e)]
}

const importing = /^(?:import|export)(?! type)[^;'"]*?from '(\.[^']+)'|^import '(\.[^']+)'|import\('(\.[^']+)'\)/gm

/** @type {Record<'imports' | 'importers', Map<string, string[]>> | undefined} */
let known

/** The files that each file imports, and those that import it. */
function graph() {
  if (known) return known
  known = { imports: new Map(), importers: new Map() }
  for (const from of ['src', 'test'].flatMap(filesIn).filter((name) => /\.[jt]s$/.test(name)))
    for (const [, ...paths] of readFileSync(from, 'utf8').matchAll(importing)) {
      const to = join(dirname(from), paths.find((path) => path !== undefined) ?? '')
      known.imports.set(from, [...(known.imports.get(from) ?? []), to])
      known.importers.set(to, [...(known.importers.get(to) ?? []), from])
    }
  return known
}

/** How many imports there are between the nearest of these files and each file that needs it. */
function distances(/** @type {readonly string[]} */ files) {
  const found = new Map(files.map((file) => [file, 0]))
  for (const [at, distance] of found)
    for (const from of graph().importers.get(at) ?? []) if (!found.has(from)) found.set(from, distance + 1)
  return found
}
