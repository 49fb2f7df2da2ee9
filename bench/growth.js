// Costs by size: resources of a catalog, manifests and branches of a repository, nodes in the store. Processor time and memory
// at several sizes, and the exponents of their growth: 1 is linear, 0 is constant.
//   npm run bench:growth [-- --only catalogs,manifests,branches,nodes] [--quick] [--sizes 100,1000] [--rounds 3]
//     [--store sqlite|postgresql] [--check] [--plots DIR] [--save FILE] [--load FILE]
//   npm run bench:growth -- --only costs --costs FILE      costs of operations, for plumb plan capacity --costs FILE
// With --check the exit status is 1 if a cost grows faster than promised. --load prints and plots saved figures again.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { branches } from './growth/branches.js'
import { catalogs } from './growth/catalogs.js'
import { measureCosts } from './growth/costs.js'
import { findExcess, fitGrowth } from './growth/fit.js'
import { manifests } from './growth/manifests.js'
import { nodes } from './growth/nodes.js'
import { drawPlot } from './growth/plot.js'

const dimensions = [catalogs, manifests, branches, nodes]
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: dimensions.map(({ name }) => name).join(',') },
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    store: { type: 'string', default: 'sqlite' },
    check: { type: 'boolean', default: false },
    plots: { type: 'string' },
    save: { type: 'string' },
    load: { type: 'string' },
    costs: { type: 'string' },
  },
})
const report = (/** @type {string} */ text) => console.log(text)
const only = options.only.split(',')

report(`${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`)
const results = options.load ? JSON.parse(readFileSync(options.load, 'utf8')) : await measureAll()
if (options.save) writeFileSync(options.save, `${JSON.stringify(results, undefined, 2)}\n`)
const excesses = dimensions.flatMap((dimension) => {
  const points = results[dimension.name]
  return points === undefined ? [] : reportDimension(dimension, points)
})
if (only.includes('costs')) await writeCosts()
for (const excess of excesses) report(`TOO MUCH: ${excess}`)
if (options.check && excesses.length > 0) process.exitCode = 1

async function measureAll() {
  const measured = {}
  for (const dimension of dimensions) {
    if (!only.includes(dimension.name)) continue
    const sizes = options.sizes?.split(',').map(Number) ?? dimension.sizes[options.quick ? 'quick' : 'full']
    await inScratchFolder(async (folder) => {
      measured[dimension.name] = await dimension.measure({
        ...{ folder, sizes, rounds: Number(options.rounds), store: options.store, report },
      })
    })
  }
  return measured
}

async function inScratchFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-growth-'))
  // PostgreSQL has a user of its own.
  chmodSync(folder, 0o755)
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints the figures of a dimension with their exponents, draws its plot, and returns the broken promises. */
function reportDimension({ name, title, measurements }, figures) {
  const number = (value) => (value === undefined ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(1))
  const exponent = (value) => (value === undefined ? '' : value.toFixed(2))
  const series = Object.entries(measurements).map(([key, about]) => ({
    ...about,
    points: figures.map((each) => ({ size: each.size, value: each[key] })),
  }))
  const rows = series.map(({ title, unit, atMost, points }) => {
    const { overall, last } = fitGrowth(points)
    return [
      `${title}, ${unit}`,
      ...points.map(({ value }) => number(value)),
      exponent(overall),
      exponent(last),
      String(atMost),
    ]
  })
  report(
    `\n| ${[title, ...figures.map(({ size }) => size.toLocaleString('en')), 'exponent', 'last step', 'at most'].join(' | ')} |`,
  )
  report(`|---|${'---:|'.repeat(figures.length + 3)}`)
  for (const row of rows) report(`| ${row.join(' | ')} |`)
  if (options.plots) {
    mkdirSync(options.plots, { recursive: true })
    writeFileSync(join(options.plots, `growth-${name}.svg`), drawPlot(title, series))
  }
  return series.flatMap((each) => findExcess({ ...each, name: `${name}: ${each.title}` }) ?? [])
}

async function writeCosts() {
  await inScratchFolder(async (folder) => {
    const { costs, clientMs } = await measureCosts({ folder, rounds: Number(options.rounds) * 5, report })
    report(`a simulated agent takes ${clientMs.toFixed(1)} ms a run`)
    const text = Object.entries(costs).map(
      ([name, value]) =>
        `${name}: ${typeof value === 'number' ? Number(value.toPrecision(4)) : JSON.stringify(value)}\n`,
    )
    if (options.costs) writeFileSync(options.costs, text.join(''))
    report(text.join(''))
  })
}
