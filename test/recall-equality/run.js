// Edits sites at random, and compares recalled catalogs with compiled ones, byte for byte, after each edit. Prints how many of
// the catalogs that are in fact unchanged were recalled, and which questions had the others compiled in vain.
//   npm run traces:equality [-- --seed N] [--edits N] [--draws N] [--only WORLD]… [--minutes N] [--at-least N] [--output FILE]
// Worlds: Debian's classes, the control repositories of test/fixtures/sites, the large site, and a fleet of 200 nodes.
// --minutes is the most for one world. The exit status is 1 with any difference, or when fewer than --at-least percent (95)
// of the unchanged catalogs of all worlds are recalled. --output gets each catalog compiled in vain, one a line, as JSON.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installRubyRegexpEngine } from '#built/ruby/regexp-engine.js'
import { chanceOf } from '../support/chance.js'
import { percent } from './figures.js'
import { World } from './world.js'
import { worlds } from './worlds.js'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    edits: { type: 'string', default: '500' },
    draws: { type: 'string', default: '50' },
    only: { type: 'string', multiple: true, default: Object.keys(worlds) },
    minutes: { type: 'string', default: 'Infinity' },
    'at-least': { type: 'string', default: '95' },
    output: { type: 'string' },
  },
})
const [seed, edits, draws, minutes, atLeast] = [
  options.seed,
  options.edits,
  options.draws,
  options.minutes,
  options['at-least'],
].map(Number)
/** Characters of a difference that are printed. */
const mostPrinted = 6000
/** Catalogs of all worlds that are unchanged. */
const unchanged = { recalled: 0, inVain: 0 }

installRubyRegexpEngine()
for (const name of options.only) {
  if (!Object.hasOwn(worlds, name))
    throw new Error(`There is no world '${name}'; there are ${Object.keys(worlds).join(', ')}`)
  const kind = worlds[name]
  const lack = kind.lacks?.()
  if (lack !== undefined) console.log(`${name}: left out: ${lack}`)
  else await edited(name, kind)
}
const recalledShare = percent(unchanged)
console.log(`all worlds: recalled of the unchanged ${recalledShare.toFixed(2)} %, at least ${atLeast} wanted`)
if (recalledShare < atLeast) process.exitCode = 1

async function edited(name, kind) {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-equality-'))
  const chance = chanceOf(seed)
  try {
    mkdirSync(join(folder, name))
    kind.make(join(folder, name), folder)
    const world = new World(folder, name, kind, (text) => {
      process.exitCode = 1
      console.log(`${name}: seed ${seed}: RECALLED IS NOT COMPILED\n${text.slice(0, mostPrinted)}`)
    })
    const began = performance.now()
    await world.begin()
    const { figures } = world
    if (world.nodes.length === 0) throw new Error(`${name}: no node has a catalog: ${figures.withoutCatalog[0]}`)
    const seconds = () => ((performance.now() - began) / 1000).toFixed(0)
    console.log(
      `${name}: ${world.nodes.length} nodes with a catalog, ${figures.withoutCatalog.length} without; ${seconds()} s`,
    )
    for (let round = 1; round <= edits && Number(seconds()) < minutes * 60; round++) {
      const mark = await world.round(draws, chance)
      if (round % 10 === 0) console.log(`${name}: ${seconds()} s: ${figures.line}; last ${mark}`)
    }
    await world.close()
    report(name, figures)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(name, figures) {
  console.log(`\n== ${name}, seed ${seed}\n${figures.line}`)
  console.log(
    ['Questions of catalogs compiled in vain:', ...figures.table, 'Edits:', ...figures.examples, ''].join('\n'),
  )
  if (options.output !== undefined)
    for (const each of figures.inVain) appendFileSync(options.output, `${JSON.stringify({ world: name, ...each })}\n`)
  unchanged.recalled += figures.counts.recalled
  unchanged.inVain += figures.counts.inVain
}
