import type { AnyResource } from '../../resources/managed-resource.ts'
import { mustRun, type Services, type Work } from '../../resources/provider.ts'
import type { Entry } from '../applied-catalog.ts'
import { entryLog } from '../entry-log.ts'
import type { Log } from '../log.ts'
import type { Prefetches } from '../prefetch.ts'

/** Provides each resource's provider with the system and services of the run. */
export class Works {
  readonly #services: Services
  readonly #prefetches: Prefetches
  readonly #log: Log
  readonly #noop: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a state of its own
  readonly #known = new Map<AnyResource, Work<any, any>>()

  constructor(services: Services, prefetches: Prefetches, log: Log, noop: boolean) {
    this.#services = services
    this.#prefetches = prefetches
    this.#log = log
    this.#noop = noop
  }

  /** True if changes of the resource are reported, but not made. */
  isNoop({ resource }: Entry): boolean {
    return resource?.meta('noop') ?? this.#noop
  }

  // biome-ignore lint/suspicious/noExplicitAny: each provider has a state of its own
  of(entry: Entry): Work<any, any> {
    const resource = entry.resource!
    const known = this.#known.get(resource)
    if (known) return known
    const { system } = this.#services
    const work: Work = {
      ...this.#services,
      resource,
      state: this.#prefetches.stateOf(resource),
      noop: this.isNoop(entry),
      log: (level, message, property) => entryLog(this.#log, entry, property)[level](message),
      logAs: (source, level, message) => this.#log[level](resource.withoutSecrets(message), { source }),
      run: (...command) => mustRun(system, resource, command),
      runWith: (options, ...command) => mustRun(system, resource, command, options),
    }
    this.#known.set(resource, work)
    return work
  }
}
