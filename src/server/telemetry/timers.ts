import type { EndedJob } from '../../compiler/workers/pool-options.ts'
import { Distribution } from './distribution.ts'
import type { EndedRequest, RequestObserver } from './ended-request.ts'
import { EnvironmentLabels } from './environment-labels.ts'
import { Rates } from './rates.ts'
import { type RouteId, routeIdOf, routeIds } from './route-ids.ts'
import { Timer } from './timer.ts'

/** Times and numbers of requests to `/puppet`, and of catalogs, as Puppet Server's status and MBeans tell them. */
export class Timers implements RequestObserver {
  /** All requests to `/puppet`. */
  readonly requests = new Timer()
  readonly byRoute: ReadonlyMap<RouteId, Timer> = new Map(routeIds.map((id) => [id, new Timer()]))
  /** Requests under way, as each that came or went found them. */
  readonly atOnce = new Distribution(1)
  /** Times of catalogs in a thread, compiled or recalled. */
  readonly catalogs = new Timer()
  /** Times of catalogs that were compiled. */
  readonly compilations = new Timer()
  readonly compilationsOf = new Map<string, Timer>()
  /** Times until a thread took a job. */
  readonly waits = new Timer()
  /** Free threads, as each job found them. */
  readonly freeThreads = new Distribution(1)
  /** Jobs that waited, as each job found them. */
  readonly waiting = new Distribution(1)
  readonly refusals = new Rates()
  readonly #labels = new EnvironmentLabels()
  #underWay = 0

  /** Requests that have no answer yet. */
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
    const id = route === 'none' && path.startsWith('/puppet/') ? 'other' : routeIdOf(route)
    if (id === undefined) return
    this.requests.add(ms)
    this.byRoute.get(id)!.add(ms)
  }

  jobEnded(
    { environment, outcome, ms, waitedMs }: EndedJob,
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

  /** Lets go of the figures of an environment that is no more. */
  forget(environment: string): void {
    this.#labels.forget(environment)
    this.compilationsOf.delete(environment)
  }
}
