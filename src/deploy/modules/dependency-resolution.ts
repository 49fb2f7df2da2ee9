import { budgets } from '../../base/budgets/budgets.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import type { ListedRelease } from './forge-listing.ts'

/** A requirement of a version of a module. */
export interface ModuleConstraint {
  /** Slug of the module: `OWNER-NAME`. */
  readonly slug: string
  /** Range of acceptable versions, as in metadata.json. */
  readonly range: string
  /** Slug of the module that requires it; undefined for the user's own request. */
  readonly parent: string | undefined
}

/** The modules and versions to choose from. */
export interface ResolutionSources {
  /** Releases by slug of the modules that are installed already. */
  readonly installed: ReadonlyMap<string, ListedRelease>
  /** Lists the releases of a module; empty if it does not exist. */
  list(slug: string): Promise<readonly ListedRelease[]>
}

/** The chosen releases: first the requested ones, then their dependencies; or the requirement that none can meet. */
export type Resolution =
  | { readonly kind: 'chosen'; readonly releases: readonly ListedRelease[] }
  | { readonly kind: 'unsatisfied'; readonly constraint: ModuleConstraint }

/**
 * Chooses one release of each required module. An installed release is kept if it is acceptable, otherwise the newest
 * acceptable release is chosen; a choice that leads nowhere is replaced by the next older one. Modules that are installed
 * change only within their major version, and other installed modules keep what they require. Pre-releases are chosen
 * only for ranges that name one. Puppet: module_tool/applications/installer.rb.
 */
export async function resolveDependencies(
  requests: readonly ModuleConstraint[],
  sources: ResolutionSources,
): Promise<Resolution> {
  const search = new Search(sources)
  const found = await search.complete(requests, new Map())
  if (found) return { kind: 'chosen', releases: [...found.values()] }
  return { kind: 'unsatisfied', constraint: search.failure ?? requests[0]! }
}

type Chosen = ReadonlyMap<string, ListedRelease>

class Search {
  /** The requirement that failed with the most modules chosen. */
  failure: ModuleConstraint | undefined
  readonly #sources: ResolutionSources
  readonly #listed = new Map<string, readonly ListedRelease[]>()
  #deepest = -1
  #steps = 0

  constructor(sources: ResolutionSources) {
    this.#sources = sources
  }

  /** Chooses releases for the open requirements; undefined if that is impossible. */
  async complete(open: readonly ModuleConstraint[], chosen: Chosen): Promise<Chosen | undefined> {
    const constraint = open.find(({ slug }) => !chosen.has(slug))
    if (!constraint) return chosen
    const { slug } = constraint
    const constraints = open.filter((each) => each.slug === slug)
    for (const release of await this.#listCandidates(slug, constraints)) {
      if (++this.#steps > budgets.module.resolutionSteps.bound) return this.#fail(constraint, chosen)
      const own = release.dependencies.map(({ name, range }): ModuleConstraint => {
        return { slug: name.replace('/', '-'), range, parent: slug }
      })
      const next = new Map(chosen).set(slug, release)
      const conflict = own.find((each) => next.has(each.slug) && !accepts(each, next.get(each.slug)!.version))
      if (conflict) this.#fail(conflict, chosen)
      else {
        const found = await this.complete([...open, ...own], next)
        if (found) return found
      }
    }
    return this.#fail(constraint, chosen)
  }

  #fail(constraint: ModuleConstraint, { size }: Chosen): undefined {
    if (size <= this.#deepest) return
    this.#deepest = size
    this.failure = constraint
  }

  /** The acceptable releases: the installed one, then the newest first. */
  async #listCandidates(slug: string, constraints: readonly ModuleConstraint[]): Promise<readonly ListedRelease[]> {
    const installed = this.#sources.installed.get(slug)
    const isAcceptable = ({ version }: ListedRelease) =>
      constraints.every((each) => accepts(each, version)) && this.#keepsInstalled(slug, version)
    if (installed && isAcceptable(installed)) return [installed]
    const listed = this.#listed.get(slug) ?? (await this.#sources.list(slug))
    this.#listed.set(slug, listed)
    return listed.filter(isAcceptable).toSorted((one, other) => SemVer.compare(other.version, one.version))
  }

  /** True if the version is no downgrade or new major version of an installed module, and other modules accept it. */
  #keepsInstalled(slug: string, version: SemVer): boolean {
    const { installed } = this.#sources
    const own = installed.get(slug)?.version
    if (own && (version.major !== own.major || SemVer.compare(version, own) < 0)) return false
    return [...installed.values()].every(({ dependencies }) =>
      dependencies.every(({ name, range }) => name.replace('/', '-') !== slug || accepts({ range }, version)),
    )
  }
}

function accepts({ range }: Pick<ModuleConstraint, 'range'>, version: SemVer): boolean {
  if (range === '' || range === '>= 0.0.0') return version.prerelease.length === 0
  return SemVerRange.parse(range)?.includes(version) ?? false
}
