// Compiles nodes of your own control repository with real Puppet and with the build of this checkout, and compares:
// resources, parameters, tags, edges, classes; for refused ones the error.
//
//   node scripts/conformance-site.js --environment DIR --facts-dir DIR --nodes FILE [--strict] [--verbose] [--cache DIR]
//
// DIR is the folder of an environment, below an environmentpath; facts are NODE.json; FILE names a node a line. Real
// Puppet's answers are kept in --cache, by the environment's content. The exit status is 1 when anything differs.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { digestOf } from './conformance/classes.js'
import { differences } from './conformance/compare.js'
import { askRealPuppet } from './conformance/real-puppet.js'
import { classText, summarize, summaryText, textDiffs } from './conformance/report.js'

const { values: options } = parseArgs({
  options: {
    environment: { type: 'string' },
    'facts-dir': { type: 'string' },
    nodes: { type: 'string' },
    strict: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'plumb-conformance') },
    verbose: { type: 'boolean', default: false },
  },
})
for (const name of ['environment', 'facts-dir', 'nodes'])
  if (options[name] === undefined) throw new Error(`--${name} is needed; see the head of this file`)

const environment = resolve(options.environment)
const names = readFileSync(options.nodes, 'utf8')
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((name) => name !== '')
const requests = new Map(names.map((name) => [name, requestFor(name)]))
const real = await askRealPuppet(requests, {
  cache: options.cache,
  basis: `${digestOf(environment)} ${JSON.stringify([...requests])}`,
  say: (text) => process.stderr.write(`${text}\n`),
})
const ours = await askOurs()
const results = names.map((name) => {
  const [theirs, mine] = [real.get(name), ours.get(name)]
  return { name, real: theirs, ours: mine, differences: differences(theirs, mine) }
})
for (const result of results)
  if (options.verbose && result.differences.length > 0)
    console.log([classText(result), ...textDiffs(result.differences)].join('\n'))
const summary = summarize(results)
console.log(summaryText(summary, 'nodes'))
process.exitCode = summary.equalCatalogs + summary.equalErrors === names.length ? 0 : 1

function requestFor(name) {
  const facts = JSON.parse(readFileSync(join(options['facts-dir'], `${basename(name)}.json`), 'utf8'))
  return { environment, node: name, facts: facts.values ?? facts, lenient: !options.strict }
}

/** In one thread, one node after the other, as a server does it. */
function askOurs() {
  return new Promise((done, failed) => {
    const answers = new Map()
    const worker = new Worker(new URL('./conformance/ours.js', import.meta.url), {
      resourceLimits: { stackSizeMb: 48, maxOldGenerationSizeMb: 4096 },
    })
    worker.on('error', failed)
    worker.on('message', ({ key, answer }) => {
      answers.set(key, answer)
      if (answers.size === requests.size) worker.terminate().then(() => done(answers))
    })
    for (const [key, request] of requests) worker.postMessage({ key, request })
  })
}
