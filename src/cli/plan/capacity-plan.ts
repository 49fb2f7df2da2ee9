import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { countDefaultThreads } from '../../compiler/workers/pool-options.ts'
import type { OperationCosts } from './operation-costs.ts'
import { createRandomNumbers, drawDuration } from './random-numbers.ts'
import { type Run, type ServerSize, simulateServer, summarizeWaits, type WaitSummary } from './simulation.ts'

const issues = defineIssues({
  WAIT_UNREACHABLE: {
    text: (a: { seconds: number; p99Ms: number; servers: number }) =>
      `No number of servers keeps the wait for a catalog after a push below ${a.seconds} s: with ${a.servers} servers, the 99th percentile is ${(a.p99Ms / 1000).toFixed(1)} s`,
    hint: () => 'Give a longer --wait, more --cores, or smaller catalogs.',
  },
})

/** The figures of a site. Times are in seconds, shares from 0 to 1. */
export interface SiteFigures {
  readonly nodes: number
  readonly intervalSeconds: number
  /** Part of each interval in which nodes start their runs. */
  readonly windowSeconds: number
  readonly resources: number
  /** Share of the catalogs that are recalled while no push changes them. */
  readonly recalled: number
  readonly pushesPerDay: number
  /** Share of the nodes whose catalogs a push changes. */
  readonly changed: number
  /** Share of the resources whose values come from module Ruby that is not recalled. */
  readonly ruby: number
  readonly queriesPerSecond: number
  readonly cores: number
  /** Servers that may fail at the same time. */
  readonly spare: number
  /** Number of servers; by default, the smallest sufficient number. */
  readonly servers?: number | undefined
  /** Accepted 99th percentile of the wait for a catalog after a push. */
  readonly waitSeconds: number
  readonly reportDays: number
}

/** The load of each server. Shares are of all cores of a server, or of its event loop. */
export interface ServerLoad {
  /** Average, including the compilations after pushes. */
  readonly processor: number
  /** During the interval after a push. */
  readonly processorAfterPush: number
  readonly eventLoop: number
}

/** A prediction. */
export interface CapacityPlan {
  readonly servers: number
  readonly coresPerServer: number
  readonly memoryMibPerServer: number
  readonly runsPerSecond: number
  readonly compilationsPerHour: number
  /** Processor time of a run on a server, with the average share of compilations, in milliseconds. */
  readonly processorMsPerRun: number
  readonly load: ServerLoad
  readonly wait: {
    readonly steady: WaitSummary
    readonly afterPush: WaitSummary
    /** After a push, with `lost` fewer servers; `undefined` if no server would remain. */
    readonly afterPushWithLoss: WaitSummary | undefined
  }
  /** Number of servers lost in `afterPushWithLoss`. */
  readonly lost: number
  readonly database: { readonly commandsPerSecond: number; readonly cores: number; readonly sizeGib: number }
  /** Megabits per second. */
  readonly network: { readonly fromNodes: number; readonly toNodes: number }
}

/** Largest average share of the processors and of the event loop of the servers that remain after a loss. */
const mostLoad = 0.7
/** Variation of the work of single runs: the sum of so many exponential durations. */
const durationParts = 4
const secondsPerDay = 86_400

/** The work of runs in milliseconds of processor time, by stage. */
interface RunWork {
  readonly loopMs: number
  readonly backgroundMs: number
  readonly compileMs: number
}

/**
 * Predicts the servers, the database and the network of a site. The plan is a function of its arguments; the simulation
 * draws reproducible random numbers. Throws WAIT_UNREACHABLE.
 */
export function planCapacity(site: SiteFigures, costs: OperationCosts): CapacityPlan {
  const servers = site.servers ?? findServerCount(site, costs)
  const left = servers - Math.max(1, site.spare)
  const work = computeRunWork(site, costs)
  const compiled = computeCompiledShare(site, servers)
  return {
    servers,
    coresPerServer: site.cores,
    memoryMibPerServer:
      costs.serverMib + countDefaultThreads(site.cores) * costs.workerMib + (site.nodes * costs.nodeKib) / 1024,
    runsPerSecond: site.nodes / site.intervalSeconds,
    compilationsPerHour: (site.nodes / site.intervalSeconds) * compiled * 3600,
    processorMsPerRun: work.loopMs + work.backgroundMs + compiled * work.compileMs,
    load: computeLoad(site, costs, servers),
    wait: {
      steady: simulateWaits(site, costs, { servers, compiled: 1 - site.recalled }),
      afterPush: simulateAfterPush(site, costs, servers),
      afterPushWithLoss: left > 0 ? simulateAfterPush(site, costs, left) : undefined,
    },
    lost: servers - left,
    database: planDatabase(site, costs),
    network: planNetwork(site, costs),
  }
}

/** Returns the work of a run on a server, if its catalog is recalled, and the additional work of a compilation. */
export function computeRunWork(
  { resources, ruby }: Pick<SiteFigures, 'resources' | 'ruby'>,
  costs: OperationCosts,
): RunWork {
  const recallMs = costs.recallMs + resources * costs.recallResourceMs
  const baseMs = costs.requestsMs + recallMs + costs.reportMs + resources * costs.reportResourceMs
  const compileMs = costs.compileMs + resources * (costs.compileResourceMs + ruby * costs.rubyResourceMs)
  return {
    loopMs: baseMs * costs.loopShare,
    backgroundMs: baseMs * (1 - costs.loopShare),
    // The catalog is compiled instead of recalled.
    compileMs: Math.max(0, compileMs - recallMs),
  }
}

/**
 * Average share of the runs whose catalog is compiled. Each server compiles the catalog of a changed node once after a
 * push, because servers do not share recalled catalogs.
 */
export function computeCompiledShare(site: SiteFigures, servers: number): number {
  const runsPerPush = secondsPerDay / site.intervalSeconds / site.pushesPerDay
  const afterPush = site.pushesPerDay === 0 ? 0 : (site.changed * Math.min(servers, runsPerPush)) / runsPerPush
  return 1 - (1 - Math.min(1, afterPush)) * site.recalled
}

/** Share of the runs whose catalog is compiled in the interval after a push. */
function computeShareAfterPush({ changed, recalled }: SiteFigures): number {
  return 1 - (1 - changed) * recalled
}

function computeLoad(site: SiteFigures, costs: OperationCosts, servers: number): ServerLoad {
  const { loopMs, backgroundMs, compileMs } = computeRunWork(site, costs)
  const runs = site.nodes / site.intervalSeconds / servers
  const queriesMs = (site.queriesPerSecond / servers) * costs.queryMs
  const pushesMs = (site.pushesPerDay / secondsPerDay) * costs.pushMs
  const otherMs = queriesMs + pushesMs + costs.idleMs
  const shareOfCores = (compiled: number) =>
    (runs * (loopMs + backgroundMs + compiled * compileMs) + otherMs) / (1000 * site.cores)
  return {
    processor: shareOfCores(computeCompiledShare(site, servers)),
    processorAfterPush: shareOfCores(computeShareAfterPush(site)),
    eventLoop: (runs * loopMs + queriesMs * costs.loopShare) / 1000,
  }
}

/** The smallest number of servers whose remaining servers bear the load and keep the wait after the loss of spare ones. */
function findServerCount(site: SiteFigures, costs: OperationCosts): number {
  const most = budgets.capacity.servers.bound
  const limitMs = site.waitSeconds * 1000
  let p99Ms = Number.POSITIVE_INFINITY
  for (let left = 1; left + site.spare <= most; left++) {
    const { processor, eventLoop } = computeLoad(site, costs, left)
    if (processor > mostLoad || eventLoop > mostLoad) continue
    const wait = simulateAfterPush(site, costs, left)
    if (wait.p99Ms <= limitMs) return left + site.spare
    // More servers help only while runs wait for each other.
    if (wait.p99Ms >= p99Ms * 0.99 && isIdle(site, costs, left)) break
    p99Ms = wait.p99Ms
  }
  return throwIssue(issues.WAIT_UNREACHABLE, { seconds: site.waitSeconds, p99Ms, servers: most })
}

/** True if runs hardly wait for each other. */
function isIdle(site: SiteFigures, costs: OperationCosts, servers: number): boolean {
  return computeLoad(site, costs, servers).processorAfterPush * (site.intervalSeconds / site.windowSeconds) < 0.05
}

function simulateAfterPush(site: SiteFigures, costs: OperationCosts, servers: number): WaitSummary {
  return simulateWaits(site, costs, { servers, compiled: computeShareAfterPush(site) })
}

/** Simulates one of several servers for an interval; a load balancer spreads the runs evenly. */
function simulateWaits(
  site: SiteFigures,
  costs: OperationCosts,
  { servers, compiled }: { readonly servers: number; readonly compiled: number },
): WaitSummary {
  const size: ServerSize = { cores: site.cores, workers: countDefaultThreads(site.cores) }
  return summarizeWaits(simulateServer(createRuns(site, costs, { servers, compiled }), size))
}

/** The runs of one interval on one server, at random times within the window, in their order. */
function createRuns(
  site: SiteFigures,
  costs: OperationCosts,
  { servers, compiled }: { readonly servers: number; readonly compiled: number },
): readonly Run[] {
  const random = createRandomNumbers(1)
  const all = Math.max(1, Math.round(site.nodes / servers))
  const count = Math.min(all, budgets.capacity.simulatedRuns.bound)
  const durationMs = (site.windowSeconds * 1000 * count) / all
  const times = Float64Array.from({ length: count }, () => random() * durationMs).sort()
  const work = computeRunWork(site, costs)
  const draw = (mean: number) => (mean === 0 ? 0 : drawDuration(mean, durationParts, random))
  return Array.from(times, (at) => ({
    at,
    loopMs: draw(work.loopMs),
    backgroundMs: draw(work.backgroundMs),
    compileMs: random() < compiled ? draw(work.compileMs) : 0,
  }))
}

/** Commands of a run: facts, catalog and report. */
const commandsPerRun = 3

function planDatabase(site: SiteFigures, costs: OperationCosts): CapacityPlan['database'] {
  const runs = site.nodes / site.intervalSeconds
  const nodeKib = costs.nodeStoredKib + site.resources * costs.resourceStoredKib
  const reportsKib = (secondsPerDay / site.intervalSeconds) * site.reportDays * costs.reportStoredKib
  return {
    commandsPerSecond: runs * commandsPerRun,
    cores: (runs * costs.databaseRunMs + site.queriesPerSecond * costs.databaseQueryMs) / 1000,
    sizeGib: (site.nodes * (nodeKib + reportsKib)) / 1024 ** 2,
  }
}

function planNetwork(site: SiteFigures, costs: OperationCosts): CapacityPlan['network'] {
  const toMegabits = (kib: number) => ((site.nodes / site.intervalSeconds) * kib * 1024 * 8) / 1e6
  return {
    fromNodes: toMegabits(costs.receivedKib + site.resources * costs.receivedResourceKib),
    toNodes: toMegabits(costs.sentKib + site.resources * costs.sentResourceKib),
  }
}
