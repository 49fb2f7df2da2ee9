// Bundles the program and all its libraries for the single executable: one CommonJS file per thread, process and
// library that is loaded late, and their shared parts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { groupModules, keepPlaces } from '../bundle.js'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const startModule = 'base/program/executable-start.ts'

/** Scripts of threads and processes, as modules name them. */
const scriptUrl = /new URL\('(\.[^']+)\.js', import\.meta\.url\)/g
/** Libraries that modules load when they need them. */
const lateLibrary = /(?:requireHere|createRequire\(import\.meta\.url\))\('([^']+)'\)/g
/** Modules of Node, and the library that Node 20 needs in place of one. */
const notBundled = /^(?:node:|libsql$)/
/** Libraries that other libraries use if they are installed, for features that the program does not use. */
const notInstalled = ['ajv-formats-draft2019', 'bufferutil', 'libxmljs2', 'pg-native', 'utf-8-validate', 'xmlbuilder2']

/**
 * Writes `start.cjs` and `dist/bundle/*.cjs` to a folder.
 * @param {string} stage
 */
export async function bundleExecutable(stage) {
  const { wrapCommonJs } = await import('#built/base/program/cached-code.js')
  const folder = join(stage, 'dist/bundle')
  const comments = /** @type {const} */ ({ legal: true, annotation: false, jsdoc: false })
  const start = await rolldown({
    input: join(source, startModule),
    platform: 'node',
    plugins: [placesIn(stage, stage)],
  })
  await start.write({ file: join(stage, 'start.cjs'), format: 'cjs', comments, codeSplitting: false })
  const { scripts, libraries } = findEntries()
  const build = await rolldown({
    input: {
      ...Object.fromEntries(scripts.map((path) => [toName(path), join(source, path)])),
      ...Object.fromEntries(libraries.map((name) => [libraryName(name), name])),
    },
    platform: 'node',
    external: (name) => name.startsWith('./library.') || notInstalled.includes(name),
    onLog: refuseUnresolved,
    plugins: [loadLibrariesLate, placesIn(stage, folder)],
  })
  const { output } = await build.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    comments,
    codeSplitting: { groups: groupModules((path) => join(source, path.replace(/js$/, 'ts'))) },
  })
  for (const chunk of output) {
    if (chunk.type !== 'chunk') throw new Error(`The bundle contains a file that is no code: ${chunk.fileName}`)
    writeFileSync(join(folder, chunk.fileName), wrapCommonJs(chunk.code))
  }
}

/**
 * @param {string} _level
 * @param {import('rolldown').RolldownLog} log
 */
function refuseUnresolved(_level, { code, message }) {
  if (code === 'UNRESOLVED_IMPORT') throw new Error(message)
}

/** Finds the command line, and all scripts and libraries that modules load by name. */
function findEntries() {
  const scripts = new Set(['cli/process.ts'])
  const libraries = new Set()
  for (const entry of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts')) continue
    const text = readFileSync(join(source, entry), 'utf8')
    for (const [, path] of text.matchAll(scriptUrl)) {
      const script = relative(source, join(source, dirname(entry), `${path}.ts`))
      if (script !== 'main.ts') scripts.add(script)
    }
    for (const [, name = ''] of text.matchAll(lateLibrary)) if (!notBundled.test(name)) libraries.add(name)
  }
  return { scripts: [...scripts].sort(), libraries: [...libraries].sort() }
}

/** @param {string} path */
const toName = (path) => path.replace(/\.ts$/, '').replaceAll('/', '.')
/** @param {string} name */
const libraryName = (name) => `library.${name.replaceAll('/', '.')}`

/** @type {import('rolldown').Plugin} */
const loadLibrariesLate = {
  name: 'load-libraries-late',
  transform(code, id) {
    if (!id.startsWith(source)) return undefined
    return code.replaceAll(lateLibrary, (_, name) =>
      notBundled.test(name) ? `require('${name}')` : `require('./${libraryName(name)}.cjs')`,
    )
  },
}

/**
 * Modules name the program's files as if they were in `dist/` of an installation.
 * @param {string} stage
 * @param {string} folder
 */
const placesIn = (stage, folder) =>
  keepPlaces({
    from: source,
    file: (id) => join(stage, 'dist', relative(source, id).replace(/ts$/, 'js')),
    folder,
  })
