import type { AnyResource } from '../../resources/managed-resource.ts'
import { type ProviderServices, type ProviderWork, runOrFail } from '../../resources/provider.ts'
import type { CatalogEntry } from '../applied-catalog.ts'
import { createEntryLog } from '../entry-log.ts'
import type { Log } from '../log.ts'
import type { Prefetches } from '../prefetch.ts'

/** Provides each resource's provider with the system and services of the run. */
export class ProviderWorks {
  readonly #services: ProviderServices
  readonly #prefetches: Prefetches
  readonly #log: Log
  readonly #noop: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a state of its own
  readonly #known = new Map<AnyResource, ProviderWork<any, any>>()

  constructor(services: ProviderServices, prefetches: Prefetches, log: Log, noop: boolean) {
    this.#services = services
    this.#prefetches = prefetches
    this.#log = log
    this.#noop = noop
  }

  /** True if changes of the resource are reported, but not made. */
  isNoop({ resource }: CatalogEntry): boolean {
    return resource?.meta('noop') ?? this.#noop
  }

  // biome-ignore lint/suspicious/noExplicitAny: each provider has a state of its own
  of(entry: CatalogEntry): ProviderWork<any, any> {
    const resource = entry.resource!
    const known = this.#known.get(resource)
    if (known) return known
    const { system, sources, buckets, settings, gems, facts, catalog, restart, instances } = this.#services
    // Listed, because V8 copies the properties of a spread object one by one.
    const work: ProviderWork = {
      system,
      sources,
      buckets,
      settings,
      gems,
      facts,
      catalog,
      restart,
      instances,
      resource,
      state: this.#prefetches.getProviderState(resource),
      noop: this.isNoop(entry),
      log: (level, message, property) => createEntryLog(this.#log, entry, property)[level](message),
      logAs: (source, level, message) => this.#log[level](resource.withoutSecrets(message), { source }),
      // Errors contain the lines of both outputs in their order, as in Puppet.
      run: (...command) => runOrFail(system, resource, command, { merged: true }),
      runWith: (options, ...command) => runOrFail(system, resource, command, options),
    }
    this.#known.set(resource, work)
    return work
  }
}
