// The model of `plumb plan capacity` beside a measurement of whole runs.
import { computeRunWork } from '#built/cli/plan/capacity-plan.js'
import { defaultCosts } from '#built/cli/plan/operation-costs.js'

/**
 * Lines with predicted and measured figures. Other programs share the processors, so throughput is that of the processor
 * time that servers, database and agents received, not of the wall clock.
 * @param {any} measured costs of operations, and of a simulated agent
 * @param {{ count: number, figures: any, elapsed: number, taken: any, resources: number }} result
 */
export function comparePrediction({ costs, clientMs }, { count, figures, elapsed, taken, resources }) {
  const all = { ...defaultCosts, ...costs }
  const { loopMs, backgroundMs, compileMs } = computeRunWork({ resources, ruby: 0 }, all)
  const compiled = 1 - figures.share('recalled')
  const idleMs = (count * elapsed * all.idleMs) / figures.runs
  const predicted = { server: loopMs + backgroundMs + compiled * compileMs + idleMs, database: all.databaseRunMs }
  const received = taken.servers + taken.database + taken.clients
  const rows = [
    ["servers' processor time, ms a run", predicted.server, taken.servers / figures.runs],
    ["database's processor time, ms a run", predicted.database, taken.database / figures.runs],
    [
      'runs for each second of processor time',
      1000 / (predicted.server + predicted.database + clientMs),
      (figures.runs * 1000) / received,
    ],
  ]
  return [
    `  ${(100 * compiled).toFixed(1)} % of the catalogs were compiled`,
    ...rows.map(
      ([title, expected, found]) =>
        `  ${title.padEnd(42)}predicted ${expected.toFixed(1).padStart(6)}   measured ${found.toFixed(1).padStart(6)}   ${signed((100 * (expected - found)) / found)} %`,
    ),
  ]
}

const signed = (value) => `${value > 0 ? '+' : ''}${value.toFixed(0)}`
