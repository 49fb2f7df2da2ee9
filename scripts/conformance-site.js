// Compiles nodes of your own control repository with real Puppet and with the build of this checkout, and compares.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { defaultCache } from './conformance/cache.js'
import { digestOf } from './conformance/classes.js'
import { differences } from './conformance/compare.js'
import { askRealPuppet } from './conformance/real-puppet.js'
import { classText, summarize, summaryText, textDiffs } from './conformance/report.js'

const help = `Compiles nodes with real Puppet (the 'puppet' of this machine's Ruby) and with the build of this checkout, and compares
resources, parameters, tags, places, edges and classes; for nodes that are refused, the error.

  npm run conformance:site -- --environment DIR --facts-dir DIR --nodes FILE
  npm run conformance:site -- --repo control.git --ref production --facts-dir DIR --nodes FILE

  --environment DIR  the folder of an environment, as a deploying tool leaves it
  --repo PATH        instead: a Git repository, bare or not; needs git and tar
  --ref REF          its branch, tag or commit; production by default
  --facts-dir DIR    the facts of each node, NODE.json: what 'puppet facts show --render-as json' prints on it, or
                     what PuppetDB has
  --nodes FILE       the nodes, one a line; what follows a # is a remark
  --strict           with the defaults of Puppet 8: strict=error and strict_variables=true; else those of Puppet 7
  --verbose          print every difference, texts line by line
  --cache DIR        where what real Puppet said is kept, by the environment's content, and a ref's files;
                     by default ~/.cache/plumb-conformance. It holds what catalogs hold, for its owner alone.

Real Puppet is asked once for each node and content, which may take ten seconds a node; after a change of ours only
we compile again. Nothing but the environment has a part in it: no PuppetDB, no classifier, no exported resources of other
nodes. generate() runs programs of this machine in real Puppet, and is refused by us.

The exit status is 0 when all is equal, 1 when anything differs.

What to look at first: 'refused by us' (real Puppet compiles) and 'resource missing'. Where both refuse a node with the
same words, its data or facts are incomplete: add them, or take the node from the list.`

const { values: options } = parseArgs({
  options: {
    environment: { type: 'string' },
    repo: { type: 'string' },
    ref: { type: 'string', default: 'production' },
    'facts-dir': { type: 'string' },
    nodes: { type: 'string' },
    strict: { type: 'boolean', default: false },
    cache: { type: 'string', default: defaultCache },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (options.help) end(0, help)
const factsFolder = needed('facts-dir')
const nodesFile = needed('nodes')
if ((options.environment === undefined) === (options.repo === undefined))
  end(2, 'Either --environment or --repo is needed; --help says more')

const environment = options.repo === undefined ? resolve(needed('environment')) : checkedOut(options.repo, options.ref)
const names = readFileSync(nodesFile, 'utf8')
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

/** @returns {never} */
function end(status, text) {
  const say = status === 0 ? console.log : console.error
  say(text)
  process.exit(status)
}

/** The files of a commit in a folder of its own, which the next run finds again: real Puppet says where resources are. */
function checkedOut(repository, ref) {
  const git = (...words) => execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)
  const folder = join(resolve(options.cache), 'commits', commit, 'production')
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  git('archive', `--output=${fresh}.tar`, commit)
  execFileSync('tar', ['-xf', `${fresh}.tar`, '-C', fresh])
  rmSync(`${fresh}.tar`)
  renameSync(fresh, folder)
  return folder
}

/** @param {'facts-dir' | 'nodes' | 'environment'} name */
function needed(name) {
  return options[name] ?? end(2, `--${name} is needed; --help says more`)
}

function requestFor(name) {
  const facts = JSON.parse(readFileSync(join(factsFolder, `${basename(name)}.json`), 'utf8'))
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
