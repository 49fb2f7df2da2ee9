// Catalogs of a site with much Ruby (Hiera backends, functions, templates, generate()), by Plumbline's server and by Puppet's
// compiler in one Ruby process, in turn: the first of a process, warm ones, and the first after pushes of data.
//   npm run bench:ruby [-- --check] [--warm N] [--pushes N] [--processes N] [--compiled]
//   npm run bench:ruby -- --site DIR|--repo GIT [--ref REF] --nodes FILE --facts-dir DIR --data FILE [--lenient]
//     [--generators PROGRAM:…]
// Without --site or --repo one is made up (ruby-heavy/site.js). Of one's own: nodes, a line each; their facts as
// NODE.json; the file of data that pushes change, by its path in the site; --lenient for the defaults of Puppet 7.
// As it runs by default, ours recalls a catalog where nothing that it read has changed; with --compiled it compiles each.
// With --check the exit status is 1 when the promises are not kept.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { differences } from '../scripts/conformance/compare.js'
import { factsAt } from './ruby-heavy/facts.js'
import { startOurs } from './ruby-heavy/ours.js'
import { codeOf } from './ruby-heavy/place.js'
import { startRealPuppet } from './ruby-heavy/real.js'
import { inTurn, spread } from './server/measures.js'
import { makeAuthority } from './server/plumbline.js'
import { memoryOf, processorTime } from './server/process.js'
import { mib, ms, printTable, times } from './server/report.js'

/** How many times the processor time of ours Puppet's is promised to be, at least. */
const promises = { warm: 15, first: 3, push: 10 }

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    compiled: { type: 'boolean', default: false },
    lenient: { type: 'boolean', default: false },
    site: { type: 'string' },
    repo: { type: 'string' },
    ref: { type: 'string', default: 'HEAD' },
    nodes: { type: 'string' },
    'facts-dir': { type: 'string' },
    data: { type: 'string' },
    generators: { type: 'string' },
    warm: { type: 'string', default: '2' },
    pushes: { type: 'string', default: '3' },
    processes: { type: 'string', default: '2' },
  },
})
const count = (name) => Number(options[name])
const folder = mkdtempSync(join(tmpdir(), 'plumb-ruby-'))
const running = new Set()
try {
  process.exitCode = (await compare()) || !options.check ? 0 : 1
} finally {
  for (const each of running) await each.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare() {
  console.log(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
  const code = codeOf(folder, options)
  const names = [...code.nodes.keys()]
  const { identity } = makeAuthority(folder, names)
  const starts = [() => startRealPuppet(code, options), () => startOurs(folder, code, identity, options)]
  const first = await firstOfProcess(starts, code, names)
  const both = await Promise.all(starts.map(started))
  await sameCatalogs(both, code, names)

  const warm = await warmCatalogs(both, code, names)
  const pushed = await catalogsAfterPushes(both, code, names)
  const memory = both.map(({ pid }) => memoryOf(pid))
  const again = await catalogAfterRestart(both[1], starts[1], factsAt(code.nodes, names.at(-1)))
  console.log(`load ${loadavg()[0].toFixed(1)} at the end\n`)
  return report(both, { first, warm, pushed, memory, again })
}

async function started(start) {
  const compiler = await start()
  running.add(compiler)
  return compiler
}

/** Processor time of a start, and of the first catalog after it, which is another node's each time. */
async function firstOfProcess(starts, code, names) {
  const results = starts.map(() => ({ start: [], catalog: [] }))
  for (let round = 0; round < count('processes'); round++)
    for (const [index, start] of starts.entries()) {
      const compiler = await started(start)
      await quiet(compiler.pid)
      results[index].start.push(processorTime(compiler.pid))
      results[index].catalog.push(await work(compiler, factsAt(code.nodes, names[round % names.length])))
      await compiler.stop()
      running.delete(compiler)
    }
  return results.map(({ start, catalog }) => ({ start: spread(start), catalog: spread(catalog) }))
}

/**
 * One catalog of each node, which have to say the same; of a site of one's own it is told where they do not. What both
 * compile later is warm after it.
 */
async function sameCatalogs(both, code, names) {
  const sizes = []
  let differing = 0
  for (const name of names) {
    const facts = factsAt(code.nodes, name)
    const [real, ours] = both.map((_, index) => join(folder, `catalog-${index}.json`))
    note(`${name}: one catalog of each, to compare`)
    await both[0].catalog(facts, real)
    await both[1].catalog(facts, ours)
    const catalogs = [real, ours].map((file) => JSON.parse(readFileSync(file, 'utf8')))
    const found = differences({ catalog: catalogs[0] }, { catalog: catalogs[1] })
    differing += found.length
    for (const { kind, about } of found.slice(0, 5)) console.log(`${name} differs: ${kind} ${about}`)
    sizes.push(catalogs[1].resources.length)
  }
  const isMadeUp = options.site === undefined && options.repo === undefined
  if (isMadeUp && differing > 0) throw new Error('The catalogs differ')
  const how = differing === 0 ? 'equal in both' : `with ${differing} differences`
  console.log(`${names.length} nodes of ${Math.min(...sizes)} to ${Math.max(...sizes)} resources, ${how}`)
}

async function warmCatalogs(both, code, names) {
  const results = new Map(both.map((each) => [each, []]))
  for (let round = 0; round < count('warm'); round++)
    for (const name of names)
      for (const each of inTurn(both, round)) results.get(each).push(await work(each, factsAt(code.nodes, name)))
  return both.map((each) => spread(results.get(each)))
}

/** The push, or the flush, is a part of it. */
async function catalogsAfterPushes(both, code, names) {
  const results = new Map(both.map((each) => [each, { deploy: [], catalog: [] }]))
  for (let number = 1; number <= count('pushes'); number++) {
    code.change(number)
    for (const each of inTurn(both, number)) {
      const before = processorTime(each.pid)
      await each.deploy()
      await quiet(each.pid)
      results.get(each).deploy.push(processorTime(each.pid) - before)
      const catalog = await work(each, factsAt(code.nodes, names[number % names.length]))
      results.get(each).catalog.push(catalog)
    }
  }
  return both.map((each) => {
    const { deploy, catalog } = results.get(each)
    return { deploy: spread(deploy), catalog: spread(catalog) }
  })
}

/** The first catalog of a process of ours that has made it before, in its last life. */
async function catalogAfterRestart(before, start, facts) {
  await before.stop()
  running.delete(before)
  const compiler = await started(start)
  await quiet(compiler.pid)
  return work(compiler, facts)
}

/** What is under way, for who waits. */
function note(text) {
  process.stderr.write(`${text}\n`)
}

/** Milliseconds of processor time that a catalog takes. */
async function work(compiler, facts) {
  const before = processorTime(compiler.pid)
  await compiler.catalog(facts)
  const taken = processorTime(compiler.pid) - before
  note(`${compiler.name}: ${facts.name} in ${ms(taken)} of processor time`)
  return taken
}

/** Waits until a process has nothing to do. */
async function quiet(pid) {
  // Longer than the two seconds between a push and compiling ahead.
  for (let before = -1, now = processorTime(pid); now - before > 20; before = now, now = processorTime(pid))
    await new Promise((done) => setTimeout(done, 2500))
}

function report(both, { first, warm, pushed, memory, again }) {
  const row = (what, [theirs, ours], promised, show = ms) => [
    what,
    show(ours),
    show(theirs),
    times(theirs / ours),
    promised === undefined ? '' : `at least ${promised}x`,
  ]
  const of = (results, pick) => results.map(pick)
  const figures = {
    warm: of(warm, ({ median }) => median),
    first: of(first, ({ catalog }) => catalog.median),
    push: of(pushed, ({ catalog }) => catalog.median),
  }
  const rows = [
    row('warm catalog, median', figures.warm, promises.warm),
    row(
      '  least',
      of(warm, ({ least }) => least),
    ),
    row(
      '  most',
      of(warm, ({ most }) => most),
    ),
    row('first catalog of a process, median', figures.first, promises.first),
    row(
      '  start of the process',
      of(first, ({ start }) => start.median),
    ),
    row('  of a node known before a restart', [figures.first[0], again]),
    row('first after a push of data, median', figures.push, promises.push),
    row(
      '  the push itself, or the flush',
      of(pushed, ({ deploy }) => deploy.median),
    ),
    row(
      'memory (RSS) after all',
      of(memory, ({ now }) => now),
      undefined,
      mib,
    ),
    row(
      '  the most there was',
      of(memory, ({ peak }) => peak),
      undefined,
      mib,
    ),
  ]
  console.log('Milliseconds of processor time:')
  printTable(rows, [both[1].name, both[0].name])
  const kept = Object.entries(figures).every(([name, [theirs, ours]]) => theirs / ours >= promises[name])
  console.log(kept ? 'The promises are kept' : 'The promises are NOT kept')
  return kept
}
