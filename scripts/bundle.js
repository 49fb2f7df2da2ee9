// Bundles the command and its worker, and keeps what V8 compiles of them: a small command starts in half the time.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import { rolldown } from 'rolldown'
import { warmServerAndAgent } from './warm-code.js'
import { createMachineOptions, runRuby, writeRubyModule } from './warm-ruby.js'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const folder = join(dist, 'bundle')
const entries = {
  process: 'cli/process.js',
  program: 'cli/program.js',
  worker: 'compiler/workers/worker.js',
  'ruby-thread': 'ruby/node/node-thread.js',
  'format-thread': 'cli/format/format-thread.js',
  'lint-thread': 'workbench/lint/lint-thread.js',
  'spec-thread': 'workbench/spec/spec-thread.js',
  'suite-thread': 'workbench/spec/built-in/suite-thread.js',
}

/** Entries whose threads call other functions than the rest, and have a code cache of their own. */
const roles = { 'ruby-thread': '.ruby' }

/** Entries of the code that each run of the agent loads. */
const agentModules = [
  'cli/agent/agent.js',
  'cli/agent/agent-run.js',
  'node/agent/run-preparation.js',
  'node/resources/providers/file/posix.js',
  'node/resources/providers/file/windows.js',
]

/** Packages of many files that most commands load, and those that cannot be required; what they need comes with them. */
const bundled = new Set([
  '@fastify',
  '@msgpack',
  '@octokit',
  '@opentelemetry',
  'ajv',
  'commander',
  'diff',
  'execa',
  'fastify',
  'kysely',
  'lru-cache',
  'node-forge',
  'pino',
  'prom-client',
  'semver',
  'tar-stream',
])

/** Puts what the entries are made of into dist/bundle/, and lets them begin there. */
export async function bundle() {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(dist, path)])),
    platform: 'node',
    external: (name, from) =>
      /^[@\w]/.test(name) && !bundled.has(name.split('/')[0]) && !from?.includes('/node_modules/'),
    plugins: [keepPlaces({ from: dist, file: (id) => id, folder })],
  })
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' }
  const comments = { legal: true, annotation: false, jsdoc: false }
  const codeSplitting = { groups: groupModules((path) => join(dist, path)) }
  const { output } = await build.write({ dir: folder, format: 'cjs', ...names, comments, codeSplitting })
  refuseImports(output)
  const { wrapCommonJs } = await import(join(dist, 'base/program/cached-code.js'))
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    writeFileSync(join(folder, chunk.fileName), wrapCommonJs(chunk.code))
    if (!chunk.isEntry) continue
    const { name, exports } = chunk
    const file = join(dist, entries[name])
    const home = relative(dirname(file), dist)
    const role = name in roles ? `'${roles[name]}'` : ''
    const load = `new CachedCode(${role}).load(fileURLToPath(new URL('${home}/bundle/${name}.cjs', import.meta.url)))`
    const begin = exports.length > 0 ? `export const { ${exports.join(', ')} } = ${load}` : load
    writeFileSync(
      file,
      `import { fileURLToPath } from 'node:url'\nimport { CachedCode } from '${home}/base/program/cached-code.js'\n${begin}\n`,
    )
  }
}

/**
 * Groups the modules that a run of the agent loads, so that it loads a few files instead of a hundred: modules of every
 * command, those that the compiler loads too, and the others. Other modules are left to the bundler.
 * @param {(path: string) => string} toId Returns the bundler's ID of a module by its path below dist/.
 */
export function groupModules(toId) {
  let loaded
  const group = (name, priority, test) => ({
    ...{ priority, debugName: name },
    name(id, graph) {
      loaded ??= [[entries.process], agentModules, [entries.worker]].map((paths) =>
        listStaticImports(paths.map(toId), graph),
      )
      return test(...loaded.map((modules) => modules.has(id))) ? name : null
    },
  })
  return [
    group('start', 3, (byAll) => byAll),
    group('shared', 2, (_, byAgent, byCompiler) => byAgent && byCompiler),
    group('agent', 1, (_, byAgent) => byAgent),
  ]
}

/** The modules, and all that they import, but not those that they load later. */
function listStaticImports(ids, graph) {
  const found = new Set(ids)
  // A set also visits what is added meanwhile.
  for (const id of found) for (const other of graph.getModuleInfo(id)?.importedIds ?? []) found.add(other)
  return found
}

/** What is not in the bundle is loaded at the start of a file: cached code has no import() of its own. */
function refuseImports(chunks) {
  const files = new Set(chunks.map(({ fileName }) => fileName))
  for (const { dynamicImports, moduleIds } of chunks)
    for (const name of dynamicImports)
      if (!files.has(name))
        throw new Error(`import('${name}') must be a static import, in one of ${moduleIds.join(' ')}`)
}

/** Runs small commands, a server and an agent, loads all others, and keeps beside the bundle what V8 compiled for that. */
export async function cacheCode() {
  const { CachedCode } = await import(join(dist, 'base/program/cached-code.js'))
  const code = new CachedCode()
  const { runCommandLine: run } = code.load(join(folder, 'program.cjs'))
  const { commands } = await import(join(dist, 'cli/commands.js'))
  const { limitHeapGrowth, restoreHeapGrowth } = await import(join(dist, 'base/threads/heap-growth.js'))
  const scratch = mkdtempSync(join(tmpdir(), 'plumb-build-'))
  const quiet = { stdin: process.stdin, out() {}, err() {}, color: false }
  const manifest = join(scratch, 'site.pp')
  writeFileSync(manifest, 'notice(1)\n')
  const small = [['parser', 'validate'], ['script'], ['apply']].map((words) => [...words, manifest])
  const places = ['--confdir', join(scratch, 'etc'), '--vardir', join(scratch, 'var')]
  for (const { name } of commands) await run(['help', name], quiet)
  for (const words of small) await run([...words, ...places], quiet)
  for (const words of [
    ['lint', '--no-config'],
    ['format', '--check'],
  ])
    await run([...words, manifest], quiet)
  const trouble = await warmServerAndAgent({
    scratch,
    run: (words, told = () => {}) => run(words, { ...quiet, out: told }),
  })
  if (trouble !== undefined) console.warn(`Server and agent could not be run, and will start slower: ${trouble}`)
  await cacheRubyThread(scratch).catch(({ message }) =>
    console.warn(`Ruby could not be run, and will start slower on nodes: ${message}`),
  )
  rmSync(scratch, { recursive: true })
  // For the flags of a server, and for V8's own.
  limitHeapGrowth()
  code.save()
  restoreHeapGrowth()
  code.save()
}

/** Makes the calls of a run in the thread that runs Ruby on nodes, and keeps what V8 compiled for them. */
async function cacheRubyThread(scratch) {
  const lib = join(scratch, 'lib')
  writeRubyModule(lib)
  const file = join(folder, 'ruby-thread.cjs')
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('warm-thread.js', import.meta.url), {
    workerData: {
      options: createMachineOptions(lib),
      process: new Int32Array(1),
      build: { file, role: roles['ruby-thread'], port: port2 },
    },
    transferList: [port2],
    resourceLimits: { stackSizeMb: 48 },
  })
  await runRuby(async (operation, args) => {
    worker.postMessage({ id: 1, content: { operation, args } })
    const [{ content }] = await once(worker, 'message')
    if (content.error) throw new Error(`${operation}: ${content.error.message}`)
  }, scratch)
  port1.postMessage('save')
  await once(port1, 'message')
  port1.close()
  await worker.terminate()
}

/** Modules speak of the files beside them (the hooks, the worker, what Ruby starts from): those stay where they were. */
export const keepPlaces = ({ from, file, folder }) => ({
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(from) || !code.includes('import.meta.url')) return undefined
    const place = JSON.stringify(relative(folder, file(id)))
    return code.replaceAll('import.meta.url', `new URL(${place}, require('node:url').pathToFileURL(__filename)).href`)
  },
})
