// Compiles every class of every module that Debian packages, each alone, with real Puppet and with the build of this
// checkout, and compares: resources, parameters, tags, edges, classes; for refused ones the error.
//
//   node scripts/conformance.js [--class NAME]… [--module NAME]… [--sample N] [--facts FILE] [--output FILE] [--cache DIR] [--verbose]
//
// --facts reads the facts of another operating system: a JSON object, as `facter --json` prints it and FacterDB keeps it
// (Debian's package facterdb: /usr/share/rubygems-integration/all/gems/facterdb-*/facts/*/*.facts).
// Real Puppet's answers are kept in --cache (~/.cache/plumb-conformance) and depend on the modules' content; the report is
// there, too, unless --output names another file. The exit status is 1 if fewer catalogs
// or errors are equal than --at-least-catalogs and --at-least-errors say (percent).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { defaultCache } from './conformance/cache.js'
import { classNames, digestOf, sampleOf } from './conformance/classes.js'
import { differences } from './conformance/compare.js'
import { askRealPuppet } from './conformance/real-puppet.js'
import { classText, summarize, summaryText, textDiffs } from './conformance/report.js'

const { values: options } = parseArgs({
  options: {
    class: { type: 'string', multiple: true },
    module: { type: 'string', multiple: true },
    sample: { type: 'string' },
    facts: { type: 'string', default: fileURLToPath(new URL('../test/oracle/facts.json', import.meta.url)) },
    modulepath: { type: 'string', default: '/usr/share/puppet/modules' },
    output: { type: 'string' },
    cache: { type: 'string', default: defaultCache },
    'at-least-catalogs': { type: 'string', default: '0' },
    'at-least-errors': { type: 'string', default: '0' },
    verbose: { type: 'boolean', default: false },
  },
})

const say = (text) => process.stderr.write(`${text}\n`)
const { modulepath, cache } = options
const facts = JSON.parse(readFileSync(options.facts, 'utf8'))
const all = options.class ?? classNames(modulepath, options.module)
const names = options.sample === undefined ? all : sampleOf(all, Number(options.sample))
const requests = new Map(names.map((name) => [name, requestFor(name)]))
const basis = `${digestOf(modulepath)} ${JSON.stringify(requestFor(''))}`
const real = await askRealPuppet(requests, { cache, basis, say })
const ours = await askOurs(requests)
const results = names.map((name) => {
  const [theirs, mine] = [real.get(name), ours.get(name)]
  return { name, real: theirs, ours: mine, differences: differences(theirs, mine) }
})
const summary = summarize(results)
writeReport()
if (options.class || options.verbose)
  for (const result of results) console.log([classText(result), ...textDiffs(result.differences)].join('\n'))
console.log(summaryText(summary))
const { equalCatalogs, realCompiles, equalErrors, realRefuses } = summary
const enough = (part, whole, percent) => part * 100 >= whole * Number(percent)
process.exitCode =
  enough(equalCatalogs, realCompiles, options['at-least-catalogs']) &&
  enough(equalErrors, realRefuses, options['at-least-errors'])
    ? 0
    : 1

function requestFor(name) {
  return { modulepath: [modulepath], facts, node: 'test.example.com', classes: [name], lenient: true }
}

/** One thread after the other, all of one environment, as a server does it. */
function askOurs(requests) {
  return new Promise((resolve, reject) => {
    const answers = new Map()
    const worker = new Worker(new URL('./conformance/ours.js', import.meta.url), {
      resourceLimits: { stackSizeMb: 48, maxOldGenerationSizeMb: 4096 },
    })
    const waiting = [...requests]
    const next = () => {
      const entry = waiting.shift()
      if (entry) worker.postMessage({ key: entry[0], request: entry[1] })
      else worker.terminate().then(() => resolve(answers))
    }
    worker.on('message', ({ key, answer }) => {
      answers.set(key, answer)
      next()
    })
    worker.on('error', reject)
    next()
  })
}

function writeReport() {
  const classes = results.map(({ name, real, ours, differences }) => ({
    name,
    error: real.error,
    ours: ours.error,
    stack: differences.length > 0 ? ours.stack : undefined,
    differences,
  }))
  const output = options.output ?? join(cache, 'report.json')
  writeFileSync(output, JSON.stringify({ summary, classes }, undefined, 2))
  say(`the report is in ${output}`)
}
