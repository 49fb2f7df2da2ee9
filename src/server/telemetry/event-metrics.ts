import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { FinishedJob } from '../../compiler/workers/pool-options.ts'
import { CompileCostMetrics } from './compile-cost-metrics.ts'
import { EnvironmentLabels } from './environment-labels.ts'
import type { EndedRequest, RequestObserver } from './request-observer.ts'

/** Bucket bounds in seconds: from a cached file to a catalog that takes too long. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const compileBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** Methods with their own label; a client may send any method Node's parser accepts. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])

/** Outcomes of a compile job. */
const outcomes = ['compiled', 'recalled', 'failed', 'refused'] as const

/** Outcomes of a deployment. */
type Deploy = 'served' | 'refused' | 'kept' | 'gone'

/** Event counters for Prometheus. Every label has few values, and none contains client input. */
export class EventMetrics implements RequestObserver {
  readonly #requests: Counter<'method' | 'route' | 'status'>
  readonly #durations: Histogram<'route'>
  readonly #underWay: Gauge
  readonly #catalogs: Counter<'environment' | 'result'>
  readonly #compilations: Histogram<'environment'>
  readonly #waits: Histogram
  readonly #costs: CompileCostMetrics
  readonly #deploys: Counter<'result'>
  readonly #reloads: Counter<'result'>
  readonly #stalls: Counter
  readonly #lostLines: Counter
  readonly #labels = new EnvironmentLabels()

  constructor(registry: Registry) {
    const registers = [registry]
    this.#requests = new Counter({
      ...{ name: 'plumb_http_requests_total', help: 'Completed requests. Status 499: the client disconnected.' },
      ...{ labelNames: ['method', 'route', 'status'], registers },
    })
    this.#durations = new Histogram({
      ...{
        name: 'plumb_http_request_duration_seconds',
        help: 'Time from the headers of a request to the end of its response, in seconds.',
      },
      ...{ labelNames: ['route'], buckets: requestBuckets, registers },
    })
    this.#underWay = new Gauge({
      ...{ name: 'plumb_http_requests_under_way', help: 'Requests in progress.', registers },
    })
    this.#catalogs = new Counter({
      ...{
        name: 'plumb_catalogs_total',
        help: 'Catalogs that were compiled or recalled, failed, or were rejected because the queue was full.',
      },
      ...{ labelNames: ['environment', 'result'], registers },
    })
    this.#compilations = new Histogram({
      ...{ name: 'plumb_compile_duration_seconds', help: 'Compilation time of catalogs, in seconds.' },
      ...{ labelNames: ['environment'], buckets: compileBuckets, registers },
    })
    this.#waits = new Histogram({
      ...{ name: 'plumb_compile_wait_seconds', help: 'Time that jobs waited for a compile thread, in seconds.' },
      ...{ buckets: compileBuckets, registers },
    })
    this.#costs = new CompileCostMetrics(registry)
    this.#deploys = new Counter({
      ...{
        name: 'plumb_deploys_total',
        help: 'Deployments by result: commits served or rejected, environments kept or removed.',
      },
      ...{ labelNames: ['result'], registers },
    })
    this.#reloads = new Counter({
      ...{ name: 'plumb_reloads_total', help: 'Reloads of the configuration.' },
      ...{ labelNames: ['result'], registers },
    })
    this.#stalls = new Counter({
      ...{
        name: 'plumb_event_loop_stalls_total',
        help: 'Stalls of the event loop longer than event_loop_stall.',
      },
      registers,
    })
    this.#lostLines = new Counter({
      ...{
        name: 'plumb_access_log_lost_lines_total',
        help: 'Access log lines lost because the disk was too slow.',
        registers,
      },
    })
    for (const result of ['served', 'refused', 'kept', 'gone']) this.#deploys.inc({ result }, 0)
    for (const result of ['done', 'failed']) this.#reloads.inc({ result }, 0)
  }

  began(): void {
    this.#underWay.inc()
  }

  ended({ method, route, status, ms }: EndedRequest): void {
    this.#underWay.dec()
    this.#requests.inc({ method: methods.has(method) ? method : 'other', route, status })
    this.#durations.observe({ route }, ms / 1000)
  }

  jobEnded({ environment, outcome, ms, waitedMs, costs }: FinishedJob): void {
    const label = this.#labels.of(environment)
    this.#catalogs.inc({ environment: label, result: outcome })
    if (outcome !== 'refused') this.#waits.observe(waitedMs / 1000)
    if (outcome === 'compiled') this.#compilations.observe({ environment: label }, ms / 1000)
    if (costs) this.#costs.add(costs)
  }

  deployed(result: Deploy): void {
    this.#deploys.inc({ result })
  }

  reloaded(isDone: boolean): void {
    this.#reloads.inc({ result: isDone ? 'done' : 'failed' })
  }

  stalled(): void {
    this.#stalls.inc()
  }

  lineLost(): void {
    this.#lostLines.inc()
  }

  /** Removes the metrics of a deleted environment. */
  forget(environment: string): void {
    this.#labels.forget(environment)
    this.#compilations.remove({ environment })
    for (const result of outcomes) this.#catalogs.remove({ environment, result })
  }
}
