import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { moduleToolIssues as issues } from './issues.ts'

/** A release that a solution can contain. */
export interface CandidateRelease {
  /** Slug of the module: `owner-name`. */
  readonly name: string
  readonly version: SemVer
  /** Candidates of a higher priority are preferred: installed modules have 10, others 0. */
  readonly priority: number
  /** Ranges of versions by slug. */
  readonly dependencies: ReadonlyMap<string, string>
  /** True for an installed module: its ranges apply to other modules, but missing dependencies are not installed. */
  readonly isInstalled: boolean
}

/** A range of versions that a solution must respect. */
export interface VersionConstraint {
  /** Slug of the module that has the constraint; undefined for the module's own major version. */
  readonly source: string | undefined
  readonly name: string
  readonly range: string
}

/** A request for a release with its dependencies. */
export interface ResolutionRequest<Release extends CandidateRelease> {
  readonly name: string
  readonly range: string
  readonly constraints: readonly VersionConstraint[]
  /** True to reject solutions with two modules of the same name by different owners. */
  readonly hasUniqueNames: boolean
  /** Lists the releases of a module; empty if it has none. */
  list(name: string): Promise<readonly Release[]>
}

/** A release with its acceptable dependencies. */
export interface ReleaseNode<Release extends CandidateRelease> {
  readonly release: Release
  /** Filled while the graph is read, since dependencies may be cyclic. */
  readonly dependencies: Map<string, readonly ReleaseNode<Release>[]>
}

/** The result of a search: the candidates for the requested module, and the solution or the module that prevents one. */
export interface Resolution<Release extends CandidateRelease> {
  readonly candidates: readonly ReleaseNode<Release>[]
  /** Releases in the order of the search, the requested one first. Undefined if no combination meets all ranges. */
  readonly solution: readonly ReleaseNode<Release>[] | undefined
  readonly unsatisfied: string | undefined
}

const { resolvedModules, resolvedReleases, resolvedPairs, resolutionSteps } = budgets.module

/**
 * Searches the newest releases that meet the ranges of each other, in the order of semantic_puppet (dependency.rb): modules
 * by name, installed releases first, then stable ones from the newest. Throws MODULE_TOO_MANY_DEPENDENCIES,
 * MODULE_SEARCH_TOO_LONG.
 */
export async function resolveRelease<Release extends CandidateRelease>(
  request: ResolutionRequest<Release>,
): Promise<Resolution<Release>> {
  const root = await new GraphReader(request).read()
  return new Search(request, root).run()
}

/** Returns true if the range includes the version; an unreadable range includes none. */
export function acceptsVersion(range: string, version: SemVer): boolean {
  return parseRange(range)?.includes(version) ?? false
}

/** Parsed ranges, since a search compares the same ranges with many versions. Emptied when full. */
const parsedRanges = new Map<string, SemVerRange | undefined>()
const mostParsedRanges = 10_000

function parseRange(range: string): SemVerRange | undefined {
  if (!parsedRanges.has(range)) {
    if (parsedRanges.size >= mostParsedRanges) parsedRanges.clear()
    parsedRanges.set(range, SemVerRange.parse(range))
  }
  return parsedRanges.get(range)
}

type Dependencies<Release extends CandidateRelease> = ReadonlyMap<string, readonly ReleaseNode<Release>[]>

/** Reads the releases of the requested module and of all acceptable dependencies. */
class GraphReader<Release extends CandidateRelease> {
  readonly #request: ResolutionRequest<Release>
  readonly #nodes = new Map<string, Promise<readonly ReleaseNode<Release>[]>>()
  readonly #expanded = new Set<ReleaseNode<Release>>()
  readonly #selected = new Map<string, readonly ReleaseNode<Release>[]>()
  #releases = 0
  #pairs = 0

  constructor(request: ResolutionRequest<Release>) {
    this.#request = request
  }

  async read(): Promise<Dependencies<Release>> {
    const { name, range } = this.#request
    const root = await this.#select(name, range)
    const waiting = [...root]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (this.#expanded.has(node)) continue
      this.#expanded.add(node)
      if (node.release.isInstalled) continue
      const names = [...node.release.dependencies]
      const lists = await Promise.all(names.map(([dependency, accepted]) => this.#select(dependency, accepted)))
      for (const [index, [dependency]] of names.entries()) {
        node.dependencies.set(dependency, lists[index]!)
        waiting.push(...lists[index]!)
      }
    }
    return new Map([[name, root]])
  }

  /** Returns the acceptable releases of a module, the least preferred first. */
  async #select(name: string, range: string): Promise<readonly ReleaseNode<Release>[]> {
    const key = `${name} ${range}`
    const before = this.#selected.get(key)
    if (before) return before
    let found = this.#nodes.get(name)
    if (!found) {
      if (this.#nodes.size >= resolvedModules.bound) this.#rejectSize(resolvedModules.bound, 'modules')
      found = this.#request.list(name).then((releases) => {
        this.#releases += releases.length
        if (this.#releases > resolvedReleases.bound) this.#rejectSize(resolvedReleases.bound, 'releases')
        return createNodes(releases)
      })
      this.#nodes.set(name, found)
    }
    const selected = (await found).filter(({ release }) => acceptsVersion(range, release.version))
    this.#pairs += selected.length
    if (this.#pairs > resolvedPairs.bound) this.#rejectSize(resolvedPairs.bound, 'acceptable releases')
    this.#selected.set(key, selected)
    return selected
  }

  #rejectSize(most: number, what: string): never {
    return throwIssue(issues.MODULE_TOO_MANY_DEPENDENCIES, { name: this.#request.name, most, what })
  }
}

/** Creates a node for each version; the first of equal versions counts. */
function createNodes<Release extends CandidateRelease>(releases: readonly Release[]): readonly ReleaseNode<Release>[] {
  const byVersion = new Map<string, Release>()
  for (const release of releases) {
    const version = String(release.version)
    if (!byVersion.has(version)) byVersion.set(version, release)
  }
  return [...byVersion.values()]
    .sort((one, other) => one.priority - other.priority || SemVer.compare(one.version, other.version))
    .map((release) => ({ release, dependencies: new Map() }))
}

class Search<Release extends CandidateRelease> {
  readonly #request: ResolutionRequest<Release>
  readonly #root: Dependencies<Release>
  readonly #considered: string[] = []
  readonly #satisfied = new Set<string>()
  #steps = 0

  constructor(request: ResolutionRequest<Release>, root: Dependencies<Release>) {
    this.#request = request
    this.#root = root
  }

  run(): Resolution<Release> {
    const candidates = this.#root.get(this.#request.name) ?? []
    const solution = this.#walk(this.#root, [])
    const unsatisfied = solution ? undefined : this.#considered.find((name) => !this.#satisfied.has(name))
    return { candidates, solution, unsatisfied }
  }

  /** Chooses a release of each module in the order of their names; returns undefined if no combination is acceptable. */
  #walk(
    open: Dependencies<Release>,
    chosen: readonly ReleaseNode<Release>[],
  ): readonly ReleaseNode<Release>[] | undefined {
    const name = [...open.keys()]
      .sort(compareCodeUnits)
      .find((each) => !open.get(each)!.some((node) => chosen.includes(node)))
    if (name === undefined) return chosen
    const rest = new Map(
      [...open].filter(([each, nodes]) => each !== name && !nodes.some((node) => chosen.includes(node))),
    )
    for (const node of listPreferred(open.get(name)!)) {
      if (++this.#steps > resolutionSteps.bound)
        throwIssue(issues.MODULE_SEARCH_TOO_LONG, { name: this.#request.name, most: resolutionSteps.bound })
      if (!this.#considered.includes(name)) this.#considered.push(name)
      if (!this.#isAcceptable(node, chosen)) continue
      this.#satisfied.add(name)
      const found = this.#walk(mergeDependencies(rest, node.dependencies), [...chosen, node])
      if (found) return found
    }
    return undefined
  }

  #isAcceptable({ release }: ReleaseNode<Release>, chosen: readonly ReleaseNode<Release>[]): boolean {
    const { name, version } = release
    const isAllowed = this.#request.constraints.every(
      (each) => each.name !== name || acceptsVersion(each.range, version),
    )
    if (!isAllowed) return false
    for (const { release: other } of chosen) {
      // Only one release of a module can be installed.
      if (other.name === name) return false
      const range = other.dependencies.get(name)
      if (range !== undefined && !acceptsVersion(range, version)) return false
    }
    return !this.#request.hasUniqueNames || hasUniqueNames([...chosen.map((each) => each.release), release])
  }
}

/** True if all modules and their dependencies have different names without the owners, which name their folders. */
function hasUniqueNames(releases: readonly CandidateRelease[]): boolean {
  const slugs = new Set(
    releases.flatMap(({ name, dependencies, isInstalled }) => [name, ...(isInstalled ? [] : dependencies.keys())]),
  )
  return new Set([...slugs].map(getModuleFolderName)).size === slugs.size
}

/** Returns the `name` of the slug `owner-name`. */
export function getModuleFolderName(slug: string): string {
  return slug.slice(slug.indexOf('-') + 1)
}

/** Releases whose dependencies exist, the most preferred first; prereleases only if nothing else exists. */
function listPreferred<Release extends CandidateRelease>(
  nodes: readonly ReleaseNode<Release>[],
): readonly ReleaseNode<Release>[] {
  const complete = nodes.filter(({ dependencies }) => [...dependencies.values()].every((each) => each.length > 0))
  const stable = complete.filter(({ release }) => release.version.isStable)
  return (stable.length > 0 ? stable : complete).toReversed()
}

function mergeDependencies<Release extends CandidateRelease>(
  one: Dependencies<Release>,
  other: Dependencies<Release>,
): Dependencies<Release> {
  const merged = new Map(one)
  for (const [name, nodes] of other) {
    const before = merged.get(name)
    merged.set(name, before ? before.filter((node) => nodes.includes(node)) : nodes)
  }
  return merged
}
