import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import type { CapacityPlan, SiteFigures } from './capacity-plan.ts'
import type { OperationCosts } from './operation-costs.ts'
import type { WaitSummary } from './simulation.ts'

/** Formats a plan as a table for operators. */
export function formatPlan(site: SiteFigures, plan: CapacityPlan, costs: OperationCosts): string {
  const { load, wait, database, network } = plan
  const rows: readonly (readonly [label: string, value: string])[] = [
    [
      'servers',
      `${plan.servers}, each with ${formatQuantity(plan.coresPerServer, 'core')} and ${formatSize(plan.memoryMibPerServer / 1024)} of memory`,
    ],
    [
      'agent runs',
      `${formatNumber(plan.runsPerSecond)} per second, ${formatMs(plan.processorMsPerRun)} of processor time each`,
    ],
    ['compiled catalogs', `${formatNumber(plan.compilationsPerHour)} per hour; the others are recalled`],
    [
      'processor load',
      `${formatPercent(load.processor)} on average, ${formatPercent(load.processorAfterPush)} in the interval after a push`,
    ],
    ['event loop load', formatPercent(load.eventLoop)],
    ['wait for a catalog', formatWait(wait.steady)],
    ['  after a push', formatWait(wait.afterPush)],
    [
      `  with ${formatQuantity(plan.lost, 'server')} lost`,
      wait.afterPushWithLoss ? formatWait(wait.afterPushWithLoss) : 'no server is left',
    ],
    [
      'database',
      `${formatNumber(database.commandsPerSecond)} writes per second, ${formatNumber(database.cores)} cores, ${formatRetained(site, database.sizeGib)}`,
    ],
    [
      'network',
      `${formatNumber(network.fromNodes)} Mbit/s from the nodes, ${formatNumber(network.toNodes)} Mbit/s to the nodes`,
    ],
  ]
  const width = Math.max(...rows.map(([label]) => label.length))
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`)
  return `${formatTitle(site)}\n\n${lines.join('')}\nCosts: ${toPrintable(costs.machine)}\n`
}

function formatTitle({ nodes, intervalSeconds, resources, pushesPerDay, changed }: SiteFigures): string {
  const pushes = `${formatQuantity(pushesPerDay, 'push').replace(/pushs$/, 'pushes')} a day that change ${formatPercent(changed)} of the nodes`
  return `${formatQuantity(nodes, 'node')} with ${formatQuantity(resources, 'resource')}, a run every ${formatSeconds(intervalSeconds)}, ${pushes}`
}

function formatRetained({ reportDays }: SiteFigures, gib: number): string {
  if (reportDays === 0) return 'unlimited size, because reports are kept forever'
  return `${formatSize(gib)} with reports of ${formatQuantity(Number(reportDays.toFixed(1)), 'day')}`
}

function formatWait({ medianMs, p99Ms }: WaitSummary): string {
  return `median ${formatMs(medianMs)}, 99th percentile ${formatMs(p99Ms)}`
}

function formatMs(milliseconds: number): string {
  return milliseconds < 1000 ? `${formatNumber(milliseconds)} ms` : `${formatNumber(milliseconds / 1000)} s`
}

function formatSeconds(seconds: number): string {
  const [unit, size] = seconds % 3600 === 0 ? ['h', 3600] : seconds % 60 === 0 ? ['min', 60] : ['s', 1]
  return `${seconds / Number(size)} ${unit}`
}

function formatSize(gib: number): string {
  return gib < 1 ? `${formatNumber(gib * 1024)} MiB` : `${formatNumber(gib)} GiB`
}

function formatPercent(share: number): string {
  return `${formatNumber(share * 100)} %`
}

/** Formats a number with three significant digits, and larger numbers as whole numbers. */
function formatNumber(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))
}
