import type { FinishedJob } from '../../compiler/workers/pool-options.ts'
import { ValueDistribution } from './distribution.ts'
import { EnvironmentLabels } from './environment-labels.ts'
import { Rates } from './rates.ts'
import type { EndedRequest, RequestObserver } from './request-observer.ts'
import { getRouteId, type RouteId, routeIds } from './route-ids.ts'
import { Timer } from './timer.ts'

/**
 * Durations and counts of requests to `/puppet` and of catalogs, in the form of Puppet Server's
 * status and MBeans.
 */
export class Timers implements RequestObserver {
  /** Durations of all requests to `/puppet`. */
  readonly requests = new Timer()
  readonly byRoute: ReadonlyMap<RouteId, Timer> = new Map(routeIds.map((id) => [id, new Timer()]))
  /** Number of active requests, sampled at each start and end. */
  readonly atOnce = new ValueDistribution(1)
  /** Durations of catalog jobs on a thread, including those that reuse an earlier compilation. */
  readonly catalogs = new Timer()
  /** Durations of compiled catalogs. */
  readonly compilations = new Timer()
  readonly compilationsOf = new Map<string, Timer>()
  /** Waiting times of jobs for a thread. */
  readonly waits = new Timer()
  /** Number of free threads, sampled at each job. */
  readonly freeThreads = new ValueDistribution(1)
  /** Number of waiting jobs, sampled at each job. */
  readonly waiting = new ValueDistribution(1)
  readonly refusals = new Rates()
  readonly #labels = new EnvironmentLabels()
  #underWay = 0

  /** Number of active requests. */
  get underWay(): number {
    return this.#underWay
  }

  began(): void {
    this.#underWay++
    this.atOnce.add(this.#underWay)
  }

  ended({ route, path, ms }: EndedRequest): void {
    this.#underWay--
    this.atOnce.add(this.#underWay)
    const id = route === 'none' && path.startsWith('/puppet/') ? 'other' : getRouteId(route)
    if (id === undefined) return
    this.requests.add(ms)
    this.byRoute.get(id)!.add(ms)
  }

  jobEnded(
    { environment, outcome, ms, waitedMs }: FinishedJob,
    load: { readonly free: number; readonly queued: number },
  ): void {
    if (outcome === 'refused') {
      this.refusals.mark()
      return
    }
    this.waits.add(waitedMs)
    this.catalogs.add(ms)
    this.freeThreads.add(load.free)
    this.waiting.add(load.queued)
    if (outcome !== 'compiled') return
    this.compilations.add(ms)
    const label = this.#labels.of(environment)
    const timer = this.compilationsOf.get(label) ?? new Timer()
    this.compilationsOf.set(label, timer)
    timer.add(ms)
  }

  /** Removes the timer of a deleted environment. */
  forget(environment: string): void {
    this.#labels.forget(environment)
    this.compilationsOf.delete(environment)
  }
}
