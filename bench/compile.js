// Processor time of a catalog by the compiler alone: no server, no HTTPS, no store. The node has 25 Apache sites of Debian's
// modules: 1,213 resources, some 470 renderings of ERB templates.
//   npm run bench:compile [-- --count 30] [--warm-up 30] [--vhosts 25] [--checkout DIR]... [--at-most 1.1]
// With --checkout a built checkout of another commit compiles, too, in turn with this one, each in its own process; the ratios
// of the medians are printed. With --at-most the exit status is 1 if this build needs more than so many times the other's time.
// Each build is measured with Ruby calls recalled, and with none (PLUMB_TRACES=off).
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { controlRepository } from './server/control-repository.js'
import { spread } from './server/measures.js'

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    'warm-up': { type: 'string', default: '30' },
    vhosts: { type: 'string', default: '25' },
    checkout: { type: 'string', multiple: true, default: [] },
    'at-most': { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'plumb-compile-'))
const builds = [resolve(import.meta.dirname, '..'), ...options.checkout.map((each) => resolve(each))]
try {
  const { bare } = controlRepository(folder, { vhosts: Number(options.vhosts) })
  const [recalled, rendered] = [await measure(bare, undefined), await measure(bare, 'off')]
  print('Ruby calls recalled', recalled)
  print('Ruby calls not recalled', rendered)
  const worst = Math.max(...[recalled, rendered].map(([own = 0, other = own]) => own / other))
  if (options['at-most'] !== undefined && worst > Number(options['at-most'])) {
    console.log(
      `This build needs ${worst.toFixed(2)} times the processor time; at most ${options['at-most']} is allowed.`,
    )
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * The median processor time of each build in milliseconds; catalogs are compiled in turn.
 * @param {string} repository
 * @param {string | undefined} traces
 */
async function measure(repository, traces) {
  const env = { ...process.env, ...(traces === undefined ? {} : { PLUMB_TRACES: traces }) }
  const compilers = builds.map((build) => {
    // A checkout has its own compiler process, since internal modules differ between commits.
    const child = fork(resolve(build, 'bench/compile/compiler.js'), [repository], { env })
    /** @type {() => Promise<{ cpu: number, resources: number }>} */
    const compile = () =>
      new Promise((done, fail) => {
        child.once('message', (/** @type {any} */ message) => {
          child.off('exit', ended)
          done(message)
        })
        const ended = () => fail(new Error(`${build} ended`))
        child.once('exit', ended)
        child.send('compile')
      })
    return { compile, end: () => child.kill() }
  })
  try {
    for (let round = 0; round < Number(options['warm-up']); round++)
      for (const { compile } of compilers) await compile()
    const times = compilers.map(() => /** @type {number[]} */ ([]))
    for (let round = 0; round < Number(options.count); round++)
      for (const [at, { compile }] of compilers.entries()) times[at]?.push((await compile()).cpu)
    return times.map((each) => spread(each).median)
  } finally {
    for (const { end } of compilers) end()
  }
}

/** @param {string} title @param {number[]} medians */
function print(title, medians) {
  const [own = Number.NaN] = medians
  const shown = medians.map((each, at) => `${builds[at]}: ${each.toFixed(1)} ms (${(each / own).toFixed(2)})`)
  console.log(`${title}, processor time of a catalog, median\n  ${shown.join('\n  ')}`)
}
