import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Option, OptionValues } from '../command/options.ts'
import type { SiteFigures } from './capacity-plan.ts'

const issues = defineIssues({
  NODES_MISSING: {
    text: () => 'The number of nodes is missing',
    hint: () => "Give it with --nodes: 'plumb plan capacity --nodes 1000'.",
  },
  INVALID_FIGURE: {
    text: (a: { option: string; given: string; range: string }) =>
      `${a.option} requires ${a.range}, not '${toPrintable(a.given)}'`,
  },
  NO_RUNS: {
    text: (a: { given: number }) => `The setting runinterval must be at least 1 s and limited, not ${a.given}`,
    hint: () => 'Give the interval of the agents, such as --runinterval 30m.',
  },
  WINDOW_TOO_LONG: {
    text: (a: { window: number; interval: number }) =>
      `The window of ${a.window} s is longer than the run interval of ${a.interval} s`,
    hint: () => 'Omit --window if the nodes start their runs at any time within the interval.',
  },
  TOO_FEW_SERVERS: {
    text: (a: { servers: number; spare: number }) => `--servers ${a.servers} leaves no server if ${a.spare} fail`,
    hint: () => 'Give more --servers, or a smaller --spare.',
  },
})

/** Options with the figures of a site. */
export const siteOptions = [
  { flags: '--nodes <number>', doc: 'Number of nodes.' },
  { flags: '--resources <number>', doc: 'Resources per catalog.', default: '500' },
  {
    flags: '--recalled <percent>',
    doc: 'Share of the catalogs that are recalled while no push changes them.',
    default: '97',
  },
  { flags: '--pushes <number>', doc: 'Pushes per day.', default: '10' },
  { flags: '--changed <percent>', doc: 'Share of the nodes whose catalogs a push changes.', default: '20' },
  {
    flags: '--ruby <percent>',
    doc: 'Share of the resources whose values come from Ruby in modules that is not recalled.',
    default: '5',
  },
  { flags: '--queries <number>', doc: 'Queries per second, by the console and by clients of PuppetDB.', default: '1' },
  {
    flags: '--window <seconds>',
    doc: 'Time at the start of each interval in which all nodes start their runs, as with cron without splay. Default: the whole interval.',
  },
  { flags: '--cores <number>', doc: 'Processor cores per server.', default: '4' },
  { flags: '--spare <number>', doc: 'Servers that may fail at the same time.', default: '1' },
  { flags: '--servers <number>', doc: 'Number of servers. Default: the smallest sufficient number.' },
  {
    flags: '--wait <seconds>',
    doc: 'Accepted wait for a catalog after a push, 99th percentile, with the spare servers lost.',
    default: '10',
  },
] as const satisfies readonly Option[]

const secondsPerDay = 86_400
/** The largest number of pushes per day, of queries per second and of seconds. */
const mostRate = 1_000_000

/** Reads the figures of a site from options and settings. Throws INVALID_FIGURE and others. */
export function readSiteFigures(
  options: OptionValues<typeof siteOptions>,
  { runinterval, report_ttl }: Pick<Settings, 'runinterval' | 'report_ttl'>,
): SiteFigures {
  if (options.nodes === undefined) throwIssue(issues.NODES_MISSING, {})
  if (!Number.isFinite(runinterval) || runinterval < 1) throwIssue(issues.NO_RUNS, { given: runinterval })
  const { capacity } = budgets
  const windowSeconds =
    options.window === undefined ? runinterval : readNumber('--window', options.window, { least: 1, most: mostRate })
  if (windowSeconds > runinterval) throwIssue(issues.WINDOW_TOO_LONG, { window: windowSeconds, interval: runinterval })
  const count = (option: string, given: string, most: number, least = 1) =>
    readNumber(option, given, { least, most, whole: true })
  const spare = count('--spare', options.spare, capacity.servers.bound - 1, 0)
  const servers =
    options.servers === undefined ? undefined : count('--servers', options.servers, capacity.servers.bound)
  if (servers !== undefined && servers <= spare) throwIssue(issues.TOO_FEW_SERVERS, { servers, spare })
  return {
    nodes: count('--nodes', options.nodes, capacity.nodes.bound),
    intervalSeconds: runinterval,
    windowSeconds,
    resources: count('--resources', options.resources, capacity.resources.bound),
    recalled: readPercent('--recalled', options.recalled),
    pushesPerDay: readNumber('--pushes', options.pushes, { least: 0, most: mostRate }),
    changed: readPercent('--changed', options.changed),
    ruby: readPercent('--ruby', options.ruby),
    queriesPerSecond: readNumber('--queries', options.queries, { least: 0, most: mostRate }),
    cores: count('--cores', options.cores, capacity.cores.bound),
    spare,
    servers,
    waitSeconds: readNumber('--wait', options.wait, { least: 0.001, most: mostRate }),
    reportDays: report_ttl / secondsPerDay,
  }
}

function readPercent(option: string, given: string): number {
  return readNumber(option, given.replace(/%$/, ''), { least: 0, most: 100, unit: ' percent' }) / 100
}

interface Range {
  readonly least: number
  readonly most: number
  readonly whole?: boolean
  readonly unit?: string
}

function readNumber(option: string, given: string, { least, most, whole = false, unit = '' }: Range): number {
  const number = /^\d{1,12}(?:\.\d{1,6})?$/.test(given) ? Number(given) : Number.NaN
  if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number
  const range = `a ${whole ? 'whole ' : ''}number from ${least} to ${most}${unit}`
  return throwIssue(issues.INVALID_FIGURE, { option, given, range })
}
