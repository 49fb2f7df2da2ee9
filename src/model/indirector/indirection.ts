import { throwIssue } from '../../base/issue.ts'
import { indirectorIssues } from './issues.ts'
import type { Request } from './request.ts'
import type { IndirectionRoute } from './routes.ts'
import {
  type IndirectionDefinition,
  listTerminusNames,
  type ModelExpiration,
  type Terminus,
  type TerminusOperation,
} from './terminus.ts'

/** Options of an indirection besides its termini. */
export interface IndirectionOptions {
  /** Milliseconds for which a cached model stays fresh. */
  readonly ttl?: number
  /** Returns the current time in milliseconds since 1970. */
  now?(): number
  /** Called for an error of the cache; such an error does not fail the request. */
  warn?(message: string, error: unknown): void
}

/**
 * Creates an indirection with the terminus and the cache of a route. Throws UNKNOWN_TERMINUS for an unknown terminus.
 */
export function createIndirection<Model, Services, Query extends Request>(
  definition: IndirectionDefinition<Model, Services, Query>,
  services: Services,
  route: IndirectionRoute,
  options: IndirectionOptions = {},
): Indirection<Model, Query> {
  const terminus = createTerminus(definition, route.terminus, services)
  const cache = route.cache === undefined ? undefined : createTerminus(definition, route.cache, services)
  return new Indirection(definition, route, terminus, cache, options)
}

/** Access to one kind of model: a terminus, and optionally a cache in front of it. */
export class Indirection<Model, Query extends Request = Request> {
  readonly name: string
  readonly #route: IndirectionRoute
  readonly #terminus: Terminus<Model, Query>
  readonly #cache: Terminus<Model, Query> | undefined
  readonly #expiration: ModelExpiration<Model> | undefined
  readonly #ttl: number | undefined
  readonly #now: () => number
  readonly #warn: (message: string, error: unknown) => void

  constructor(
    { name, expiration }: { readonly name: string; readonly expiration?: ModelExpiration<Model> },
    route: IndirectionRoute,
    terminus: Terminus<Model, Query>,
    cache: Terminus<Model, Query> | undefined,
    { ttl, now = Date.now, warn = () => {} }: IndirectionOptions,
  ) {
    this.name = name
    this.#route = route
    this.#terminus = terminus
    this.#cache = cache
    this.#expiration = expiration
    this.#ttl = ttl
    this.#now = now
    this.#warn = warn
  }

  /** Returns a fresh model from the cache; otherwise the model from the terminus, which is then saved to the cache. */
  async find(request: Query): Promise<Model | undefined> {
    const cached = await this.#fresh(request)
    if (cached !== undefined || request.ignoreTerminus) return cached
    const found = await this.#operation('find')(request)
    if (found === undefined) return undefined
    const dated = this.#dated(found)
    if (!request.ignoreCacheSave) await this.#cache?.save?.(dated, request)
    return dated
  }

  /** Returns all matching models; `undefined` if the searched location does not exist. */
  async search(request: Query): Promise<readonly Model[] | undefined> {
    return this.#operation('search')(request)
  }

  /** Saves to the terminus, then to the cache. */
  async save(model: Model, request: Query): Promise<void> {
    await this.#operation('save')(model, request)
    if (!request.ignoreCacheSave) await this.#cache?.save?.(model, request)
  }

  /** Saves a model that did not come from the terminus, only to the cache. */
  async keep(model: Model, request: Query): Promise<void> {
    await this.#cache?.save?.(model, request)
  }

  /** Removes the model from the terminus, then from the cache. */
  async destroy(request: Query): Promise<void> {
    await this.#operation('destroy')(request)
    await this.#cache?.destroy?.(request)
  }

  /** Removes the model from the cache, so that the next `find` queries the terminus. */
  async expire(request: Query): Promise<void> {
    await this.#cache?.destroy?.(request)
  }

  async #fresh(request: Query): Promise<Model | undefined> {
    if (!this.#cache?.find || request.ignoreCache) return undefined
    try {
      const cached = await this.#cache.find(request)
      if (cached === undefined) return undefined
      const expiration = this.#expiration?.of(cached)
      return expiration !== undefined && expiration.getTime() < this.#now() ? undefined : cached
    } catch (error) {
      this.#warn(`Cached ${this.name} for ${request.key} failed`, error)
      return undefined
    }
  }

  #dated(model: Model): Model {
    if (!this.#expiration || this.#ttl === undefined || this.#expiration.of(model)) return model
    return this.#expiration.set(model, new Date(this.#now() + this.#ttl))
  }

  #operation<Name extends TerminusOperation>(operation: Name): NonNullable<Terminus<Model, Query>[Name]> {
    const does = this.#terminus[operation]
    if (!does)
      return throwIssue(indirectorIssues.UNSUPPORTED_OPERATION, {
        operation,
        indirection: this.name,
        terminus: this.#route.terminus,
      })
    return does.bind(this.#terminus) as NonNullable<Terminus<Model, Query>[Name]>
  }
}

function createTerminus<Model, Services, Query extends Request>(
  definition: IndirectionDefinition<Model, Services, Query>,
  name: string,
  services: Services,
): Terminus<Model, Query> {
  const terminus = name === 'selector' ? (definition.selector ?? name) : name
  if (!Object.hasOwn(definition.termini, terminus))
    throwIssue(indirectorIssues.UNKNOWN_TERMINUS, {
      terminus,
      indirection: definition.name,
      known: listTerminusNames(definition),
    })
  return definition.termini[terminus]!.create(services)
}
