import { budgets } from '../../base/budgets/budgets.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { trimTrailingSlashes } from '../../base/text/trailing-characters.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { readSystemAuthorities } from '../../network/client/system-authorities.ts'
import { askPage, describeFailure, type PageAnswer } from '../../network/outside/http.ts'
import { isListedHost } from '../../network/outside/rules.ts'
import type { HaltConditions, HttpCheck, MetricCheck } from './rollout-plan.ts'

/** The result of a health check. */
export interface HealthResult {
  /** Description of the check: its query or its URL, and its bounds. */
  readonly check: string
  /** False if the rollout halts; undefined if the check was not possible, for the reason in `problem`. */
  readonly ok: boolean | undefined
  /** The value of a metric; the first one beyond the bounds, or the first one. */
  readonly value?: number
  /** The status of an HTTP response. */
  readonly status?: number
  readonly problem?: string
}

/** The allowed hosts, and the file of the CA that signs the certificates of this server and its nodes. */
export type HealthCheckSettings = Pick<Settings, 'rollout_hosts' | 'localcacert'>

const { checkTime, checkBody, checkItems } = budgets.rollout

/**
 * Runs the Prometheus and HTTP checks of a rollout, all at the same time. Redirects are not followed. Sends requests only
 * to hosts in `rollout_hosts`. HTTPS trusts the CAs of this machine and the CA of the server.
 */
export async function runHealthChecks(
  { metrics, http }: Pick<HaltConditions, 'metrics' | 'http'>,
  settings: HealthCheckSettings,
  timeMs: number = checkTime.bound,
): Promise<readonly HealthResult[]> {
  const request = createRequest(settings, timeMs)
  return Promise.all([
    ...metrics.map((check) => runCheck(formatMetricCheck(check), () => checkMetric(check, request))),
    ...http.map((check) => runCheck(`${check.url} returns ${check.status}`, () => checkStatus(check, request))),
  ])
}

type Outcome = Omit<HealthResult, 'check'>
type Request = (url: URL) => Promise<PageAnswer>

/** The reason why a check has no result. */
class CheckProblem extends Error {}

async function runCheck(check: string, work: () => Promise<Outcome>): Promise<HealthResult> {
  try {
    return { check, ...(await work()) }
  } catch (error) {
    if (!(error instanceof CheckProblem)) throw error
    return { check, ok: undefined, problem: toPrintable(error.message.slice(0, 300)) }
  }
}

function createRequest({ rollout_hosts, localcacert }: HealthCheckSettings, timeMs: number): Request {
  const hosts = rollout_hosts.map((host) => host.toLowerCase())
  const tls = () => ({ minVersion: 'TLSv1.2' as const, ca: readSystemAuthorities(localcacert) })
  const headers = { accept: '*/*', 'accept-encoding': 'identity' }
  return async (url) => {
    if (!isListedHost(hosts, url)) throw new CheckProblem(`The setting rollout_hosts does not allow ${url.host}`)
    const signal = AbortSignal.timeout(timeMs)
    try {
      return await askPage(url, { headers, signal }, { tls }, checkBody.bound)
    } catch (error) {
      throw new CheckProblem(describeFailure(error, signal.aborted ? timeMs : undefined).failure)
    }
  }
}

async function checkStatus({ url, status }: HttpCheck, request: Request): Promise<Outcome> {
  const { statusCode } = await request(new URL(url))
  return { ok: statusCode === status, status: statusCode }
}

function formatMetricCheck({ query, above, below }: MetricCheck): string {
  const bounds = [above === undefined ? [] : `above ${above}`, below === undefined ? [] : `below ${below}`].flat()
  return `${query} is not ${bounds.join(' or ')}`
}

async function checkMetric({ url, query, above, below }: MetricCheck, request: Request): Promise<Outcome> {
  const target = new URL(url)
  const { pathname } = target
  target.pathname = `${pathname === '/' ? '' : trimTrailingSlashes(pathname)}/api/v1/query`
  target.searchParams.set('query', query)
  const { statusCode, bytes } = await request(target)
  const values = readMetricValues(bytes.toString(), statusCode)
  const wrong = values.find((value) => (above !== undefined && value > above) || (below !== undefined && value < below))
  return { ok: wrong === undefined, value: wrong ?? values[0]! }
}

/** Returns the values in the response of Prometheus, at least one. Throws CheckProblem. */
function readMetricValues(text: string, status: number): readonly number[] {
  const answer = parseAnswer(text, status)
  if (getMember(answer, 'status') !== 'success')
    throw new CheckProblem(`Prometheus returned status ${status}: ${String(getMember(answer, 'error') ?? 'no reason')}`)
  const data = getMember(answer, 'data')
  const values = listSamples(getMember(data, 'resultType'), getMember(data, 'result'))
    .map((sample) => parseMetricValue(Array.isArray(sample) ? sample[1] : undefined))
    .filter((value) => !Number.isNaN(value))
  if (values.length === 0) throw new CheckProblem('The query returned no value')
  return values
}

function parseAnswer(text: string, status: number): ExactJson {
  try {
    return parseBoundedJson(text, { characters: checkBody.bound, items: checkItems.bound, depth: 20 })
  } catch {
    throw new CheckProblem(`The response with status ${status} is not an answer of Prometheus`)
  }
}

/** Returns pairs of a time and a value: that of each series, or a single one. */
function listSamples(type: ExactJson | undefined, result: ExactJson | undefined): readonly (ExactJson | undefined)[] {
  if (type === 'scalar') return [result]
  if (type === 'vector' && Array.isArray(result))
    return (result as readonly ExactJson[]).map((series) => getMember(series, 'value'))
  throw new CheckProblem('The query must return an instant vector or a scalar')
}

/** Parses a value such as `0.25`, `+Inf` or `NaN`. */
function parseMetricValue(text: ExactJson | undefined): number {
  if (typeof text !== 'string') return Number.NaN
  const [, sign] = /^([+-]?)Inf$/.exec(text) ?? []
  if (sign !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return text.trim() === '' ? Number.NaN : Number(text)
}
