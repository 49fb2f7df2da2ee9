// npm run fuzz -- [TARGET…] [--seconds N] [--seed S] [--runs N] [--jobs N] [--distill]; --replay FILE tries one input.
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { keep } from './corpus.js'
import { judge } from './judge.js'
import { runTarget } from './run-target.js'
import { targetNames } from './targets.js'

/** An input up to this size is printed, too: a machine of CI keeps no files. */
const mostPrinted = 2048

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now()) },
    runs: { type: 'string', default: 'Infinity' },
    jobs: { type: 'string', default: '1' },
    distill: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
})
const { seed, distill } = values
const unknown = positionals.find((name) => !name.includes('/') && !targetNames.includes(name))
if (unknown !== undefined) {
  console.error(`There is no target '${unknown}'; there are ${targetNames.join(', ')}`)
  process.exit(2)
}
const wanted = positionals.length > 0 ? positionals : targetNames

if (values.replay !== undefined) await replay(fileOf(wanted[0]), values.replay)
else await fuzz([...wanted])

/**
 * The module of a target: one of the table, or a file of one's own.
 *
 * @param {string} target
 */
function fileOf(target) {
  return target.includes('/')
    ? pathToFileURL(resolve(target)).href
    : new URL(`./targets/${target}.js`, import.meta.url).href
}

/**
 * @param {string} file
 * @param {string} path
 */
async function replay(file, path) {
  const verdict = judge((await import(file)).default, readFileSync(path))
  console.log(verdict ? `${verdict.kind}: ${verdict.detail}` : 'fine')
  process.exitCode = verdict ? 1 : 0
}

/** @param {string[]} queue */
async function fuzz(queue) {
  console.log(`${queue.length} targets, ${values.seconds} s each, ${values.jobs} at a time, --seed ${seed}`)
  let findings = 0
  const work = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      const found = await one(target)
      findings += found // not `+= await`: others add meanwhile
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  console.log(findings === 0 ? 'Nothing was found.' : `${findings} findings.`)
  process.exitCode = findings === 0 ? 0 : 1
}

/** @param {string} target */
async function one(target) {
  const name = basename(target, '.js')
  const start = Date.now()
  let findings = 0
  const what = { file: fileOf(target), seed, seconds: Number(values.seconds), runs: Number(values.runs), distill }
  const { runs, kept, branches, taken, distilled } = await runTarget(what, ({ verdict, bytes }) => {
    findings++
    const path = keep(name, verdict.kind, bytes)
    console.log(`\n${name}: ${verdict.kind}: ${verdict.detail}`)
    console.log(`  kept as ${path}; again: npm run fuzz -- ${target} --replay ${path}`)
    if (bytes.length <= mostPrinted) console.log(`  base64: ${bytes.toString('base64')}`)
  })
  for (const bytes of distilled) if (bytes.length > 0 && bytes.length <= 600) keep(name, 'path', bytes)
  const seconds = (Date.now() - start) / 1000
  const speed = Math.round(runs / seconds)
  console.log(
    `${name.padEnd(20)} ${seconds.toFixed(0).padStart(5)} s ${String(runs).padStart(9)} inputs ${String(speed).padStart(6)}/s  ` +
      `${taken} of ${branches} branches, ${kept} inputs kept, ${findings} findings`,
  )
  return findings
}
