import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { AnyResource } from '../resources/managed-resource.ts'
import type { AnyProvider, ProviderServices } from '../resources/provider.ts'
import type { Log } from './log.ts'

/** Prefetches of providers: each provider reads the state of all its resources when the first of them is evaluated. */
export class Prefetches {
  readonly #services: ProviderServices
  readonly #log: Log
  readonly #begun = new Map<AnyProvider, (resource: AnyResource) => unknown>()
  readonly #failed = new Set<AnyProvider>()

  constructor(services: ProviderServices, log: Log) {
    this.#services = services
    this.#log = log
  }

  /** Prefetches the resources of a provider, once per run. */
  async begin(provider: AnyProvider): Promise<void> {
    if (!provider.prefetch || this.#begun.has(provider) || this.#failed.has(provider)) return
    const type = provider.type.name
    // Resources that still have no provider will get this provider, as its requirements are now
    // met.
    const belongsToProvider = (each: AnyResource) =>
      each.provider === provider || (!each.provider && !each.given.has('provider'))
    const resources = this.#services.catalog.ofType(type).filter(belongsToProvider)
    this.#log.debug(`Prefetching ${provider.name} resources for ${type}`)
    try {
      const begin = await provider.prefetch(this.#services, resources, (level, message) => this.#log[level](message))
      this.#begun.set(provider, begin)
    } catch (error) {
      this.#log.err(`Could not prefetch ${type} provider '${provider.name}': ${formatError(error)}`)
      this.#failed.add(provider)
    }
  }

  /** True if the prefetch of the resource's provider failed. */
  hasFailed({ provider }: AnyResource): boolean {
    return provider !== undefined && this.#failed.has(provider)
  }

  /** Creates the provider's state for a resource that is about to be evaluated. */
  getProviderState(resource: AnyResource): unknown {
    const { provider } = resource
    const begin = provider && this.#begun.get(provider)
    return begin ? begin(resource) : provider?.begin?.()
  }
}
