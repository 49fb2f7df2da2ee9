import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import type { Source } from '../../base/source.ts'
import { readNodeMarks } from '../../language/ruby-semantics/yaml/node-positions.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import {
  failMissingValue,
  failPlanValue,
  getPlanBoolean,
  getPlanChoice,
  getPlanDuration,
  getPlanInteger,
  getPlanItems,
  getPlanNumber,
  getPlanSpan,
  getPlanText,
  getPlanUrl,
  type PlanMapping,
  type PlanValue,
  parsePercentage,
  toPlanMapping,
} from './plan-values.ts'
import { rolloutIssues } from './rollout-issues.ts'
import type {
  HaltConditions,
  HttpCheck,
  MetricCheck,
  RolloutPlan,
  RunOrder,
  Threshold,
  TimeWindow,
  WaveNodes,
  WavePlan,
} from './rollout-plan.ts'
import { parseTimeWindow } from './time-windows.ts'

/** Path of the plan in an environment. */
export const rolloutFile = 'rollout.yaml'

const keys = {
  top: ['waves', 'halt', 'on_halt', 'on_push', 'order', 'windows'],
  wave: ['name', 'nodes', 'wait', 'approve'],
  nodes: ['certnames', 'query', 'percent', 'by'],
  halt: ['failed', 'unreachable', 'corrective', 'minimum', 'query', 'metrics', 'http'],
  metric: ['url', 'query', 'above', 'below'],
  http: ['url', 'status'],
  order: ['max_at_once', 'run_now'],
} as const

const { rollout: bounds } = budgets

/** Dates are read as strings. Aliases are rejected, since they could multiply the size of the data. */
const permitted = { Date: (text: string) => text, Time: (text: string) => text, aliases: false }

/** Levels of the file down to an item of `certnames` in a wave. */
const deepestKey = 5

/** Parses the plan of a rollout. Throws ROLLOUT_…, with the position of the key. */
export function parseRolloutPlan(text: string, file: string): RolloutPlan {
  const source: Source = { file, text }
  if (text.length > bounds.file.bound)
    throwIssue(
      rolloutIssues.ROLLOUT_SIZE,
      { what: 'The file', most: `${bounds.file.bound} characters` },
      { source, start: 0, end: 0 },
    )
  const value = parseRolloutYaml(source) ?? undefined
  const top = toPlanMapping({ value, path: [], file: { source, marks: readNodeMarks(text, deepestKey) } }, keys.top)
  return {
    waves: parseWaves(top),
    halt: parseHalt(top.get('halt')),
    onHalt: getPlanChoice(top.get('on_halt'), ['rollback', 'pause'], 'rollback'),
    onPush: getPlanChoice(top.get('on_push'), ['supersede', 'queue'], 'supersede'),
    order: parseOrder(top.get('order')),
    windows: getPlanItems(top.get('windows'), bounds.windows.bound).map(parseWindow),
  }
}

function parseRolloutYaml(source: Source): ExactJson {
  try {
    return convertYamlToJson(source.text, permitted)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const start = error.offset ?? 0
    return throwIssue(rolloutIssues.ROLLOUT_SYNTAX, { why: error.message }, { source, start, end: start })
  }
}

function parseWaves(top: PlanMapping): readonly WavePlan[] {
  const items = getPlanItems(top.get('waves'), bounds.waves.bound)
  if (items.length === 0) failMissingValue(top.self, "at least one wave in 'waves'")
  const waves = items.map(parseWave)
  const all = waves.at(-1)!.nodes === undefined ? waves : [...waves, restWave]
  const names = new Set<string>()
  for (const [index, { name, nodes }] of all.entries()) {
    const span = getPlanSpan(items[Math.min(index, items.length - 1)]!)
    if (names.has(name)) throwIssue(rolloutIssues.ROLLOUT_WAVE_TWICE, { name }, span)
    if (nodes === undefined && index < all.length - 1) throwIssue(rolloutIssues.ROLLOUT_EMPTY_WAVES, { name }, span)
    names.add(name)
  }
  const certnames = waves.reduce((sum, { nodes }) => sum + (nodes?.certnames.length ?? 0), 0)
  if (certnames > bounds.certnames.bound)
    failPlanValue(top.get('waves'), `waves with at most ${bounds.certnames.bound} certnames together`)
  return all
}

/** The wave that is added if the last wave of the file selects nodes. */
const restWave: WavePlan = { name: 'rest', nodes: undefined, waitSeconds: undefined, approve: false }

function parseWave(given: PlanValue): WavePlan {
  const wave = toPlanMapping(given, keys.wave)
  const name = getPlanText(wave.get('name'), 64) ?? failMissingValue(given, 'a name')
  if (!/^[A-Za-z0-9][\w-]*$/.test(name)) failPlanValue(wave.get('name'), 'a name of letters, digits, _ and -')
  return {
    name,
    nodes: wave.get('nodes').value === undefined ? undefined : parseWaveNodes(wave.get('nodes')),
    waitSeconds: getPlanDuration(wave.get('wait'), bounds.wait.bound),
    approve: getPlanBoolean(wave.get('approve'), false),
  }
}

function parseWaveNodes(given: PlanValue): WaveNodes {
  const nodes = toPlanMapping(given, keys.nodes)
  const certnames = getTextList(nodes.get('certnames'), bounds.certnames.bound).map(parseCertnamePattern)
  const query = getPlanText(nodes.get('query'), bounds.query.bound)
  const percent = parseShare(nodes.get('percent'))
  if (certnames.length === 0 && query === undefined && percent === undefined)
    failMissingValue(given, 'certnames, query or percent')
  const by = getTextList(nodes.get('by'), bounds.groupPaths.bound).map(parseGroupPath)
  if (by.length > 0 && percent === undefined) failMissingValue(given, "percent, because it has 'by'")
  return { certnames, query, percent, by }
}

/** Returns the items of a list of texts; a single text counts as a list of one. */
function getTextList(given: PlanValue, most: number): readonly PlanValue[] {
  return typeof given.value === 'string' ? [given] : getPlanItems(given, most)
}

function parseCertnamePattern(given: PlanValue): string {
  const pattern = getPlanText(given, bounds.patternLength.bound) ?? failPlanValue(given, 'a string')
  if (/^[a-z0-9_*][a-z0-9._*-]*$/.test(pattern)) return pattern
  return failPlanValue(given, 'a certname in lower case, in which * stands for any characters')
}

function parseGroupPath(given: PlanValue): string {
  const path = getPlanText(given, bounds.patternLength.bound) ?? failPlanValue(given, 'a string')
  if (/^(?:facts|trusted)(?:\.[A-Za-z0-9_:-]+)+$/.test(path)) return path
  return failPlanValue(given, 'the path of a fact, such as facts.os.family or trusted.extensions.pp_role')
}

function parseShare(given: PlanValue): number | undefined {
  const { value } = given
  if (value === undefined) return undefined
  const number = parsePercentage(value) ?? (typeof value === 'string' ? undefined : getPlanNumber(given))
  if (number !== undefined && number > 0 && number <= 100) return number
  return failPlanValue(given, 'a number over 0 and at most 100')
}

function parseHalt(given: PlanValue): HaltConditions {
  const halt = toPlanMapping(given, keys.halt)
  return {
    failed: parseThreshold(halt.get('failed')) ?? { percent: 5 },
    unreachable: parseThreshold(halt.get('unreachable')),
    corrective: parseThreshold(halt.get('corrective')),
    minimum: getPlanInteger(halt.get('minimum'), 1, bounds.count.bound) ?? 2,
    query: getPlanText(halt.get('query'), bounds.query.bound),
    metrics: getPlanItems(halt.get('metrics'), bounds.checks.bound).map(parseMetricCheck),
    http: getPlanItems(halt.get('http'), bounds.checks.bound).map(parseHttpCheck),
  }
}

function parseThreshold(given: PlanValue): Threshold | undefined {
  const { value } = given
  if (value === undefined) return undefined
  const percent = parsePercentage(value)
  if (percent !== undefined) return { percent }
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= bounds.count.bound
  return isCount ? { count: value } : failPlanValue(given, 'a share such as 5%, or a number of nodes')
}

function parseMetricCheck(given: PlanValue): MetricCheck {
  const check = toPlanMapping(given, keys.metric)
  const [above, below] = [getPlanNumber(check.get('above')), getPlanNumber(check.get('below'))]
  if (above === undefined && below === undefined) failMissingValue(given, 'above or below')
  const query = getPlanText(check.get('query'), bounds.query.bound) ?? failMissingValue(given, 'a query')
  return { url: getPlanUrl(check, 'url'), query, above, below }
}

function parseHttpCheck(given: PlanValue): HttpCheck {
  const check = toPlanMapping(given, keys.http)
  return { url: getPlanUrl(check, 'url'), status: getPlanInteger(check.get('status'), 100, 599) ?? 200 }
}

function parseOrder(given: PlanValue): RunOrder {
  const order = toPlanMapping(given, keys.order)
  return {
    maxAtOnce: getPlanInteger(order.get('max_at_once'), 1, bounds.count.bound) ?? 50,
    runNow: getPlanBoolean(order.get('run_now'), true),
  }
}

function parseWindow(given: PlanValue): TimeWindow {
  const text = getPlanText(given, 200) ?? failPlanValue(given, 'a string')
  try {
    return parseTimeWindow(text)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    throw new PuppetError({ ...error.diagnostic, span: getPlanSpan(given) }, { cause: error })
  }
}
