import { PuppetError } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { createRevisionOpener } from '../../code/environments/environment-opener.ts'
import type { ResolveDeployedCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource, HistoryCommit } from '../../code/git/git-object-source.ts'
import { EarlierResults } from '../../compiler/recall/result-cache.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { type Catalog, formatResourceReference } from '../../model/catalog.ts'
import { type PreparedCatalog, prepareCatalog } from '../../model/catalog-diff.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { buildCompileRequest, type CompileTarget } from '../input/compile-options.ts'

/** Input shared by the catalogs of all commits. */
export interface CommitCatalogsOptions {
  readonly source: GitObjectSource
  readonly settings: Settings
  readonly io: Io
  readonly deployed: ResolveDeployedCommit
  readonly target: CompileTarget
  /** Functions that handle store queries and other queries of the code, and find exported resources. */
  readonly outside: Pick<CompileRequest, 'askStore' | 'askOutside' | 'inputs' | 'searchExports'>
}

/** A resource in the catalog of one commit. */
export interface ResourceState {
  /** Parameters of the resource; `undefined` if the catalog does not contain it. */
  readonly parameters: ReadonlyMap<string, ExactJson> | undefined
  /** Comparison key: states with the same key are equal. */
  readonly key: string
  /** The catalog reduced to this resource. */
  readonly side: PreparedCatalog
  readonly file: string | undefined
  readonly line: number | undefined
  /** References of other resources of the same type in the catalog, for hints. */
  readonly known: readonly string[]
}

/** A commit whose catalog does not compile, and the error. */
interface SkippedCommit {
  readonly commit: string
  readonly error: string
}

/**
 * Compiles the catalogs of a node from several commits, and extracts one resource or parameter. Compiles once for
 * commits with equal trees, or with equal content in all files that a catalog read.
 */
export class CommitCatalogs {
  readonly #of: CommitCatalogsOptions
  readonly #resource: string
  readonly #parameter: string | undefined
  readonly #open: ReturnType<typeof createRevisionOpener>
  /** States of the resource by tree ID, or the error of a tree that does not compile. */
  readonly #states = new Map<string, ResourceState | PuppetError>()
  readonly #earlier = new EarlierResults<ResourceState>()
  readonly #warned = new Set<string>()
  readonly skipped: SkippedCommit[] = []

  constructor(of: CommitCatalogsOptions, resource: string, parameter: string | undefined) {
    this.#of = of
    this.#resource = resource
    this.#parameter = parameter
    this.#open = createRevisionOpener(of.source, of.settings, of.deployed)
  }

  /** Numbers of compiled catalogs, and of catalogs that were reused because their input was unchanged. */
  get counts(): { readonly compiled: number; readonly recalled: number } {
    return { ...this.#earlier.counts, compiled: this.#states.size - this.#earlier.counts.recalled }
  }

  /**
   * Returns the state of the resource at a commit; `name` is the commit's name in messages. Throws
   * the error of a failed compilation.
   */
  async of(commit: HistoryCommit, name: string): Promise<ResourceState> {
    const state = await this.#stateAt(commit)
    if (!(state instanceof PuppetError)) return state
    this.#of.io.err(`Could not compile the catalog from '${name}':\n`)
    throw state
  }

  /**
   * Returns the state of the resource at a commit; `undefined` for a failed compilation, which is
   * added to `skipped`.
   */
  async tried(commit: HistoryCommit): Promise<ResourceState | undefined> {
    const state = await this.#stateAt(commit)
    if (!(state instanceof PuppetError)) return state
    this.skipped.push({ commit: commit.commit, error: formatError(state) })
    return undefined
  }

  async #stateAt({ commit, tree }: HistoryCommit): Promise<ResourceState | PuppetError> {
    const state = this.#states.get(tree) ?? (await this.#compiled(commit))
    this.#states.set(tree, state)
    return state
  }

  async #compiled(commit: string): Promise<ResourceState | PuppetError> {
    const { settings, target, outside } = this.#of
    try {
      const { environment, warnings } = await this.#open({ commit, ref: commit, name: settings.environment })
      this.#warn(warnings)
      const request = { ...buildCompileRequest(target, environment, settings), ...outside }
      return this.#earlier.of(request, ({ catalog }) => this.#stateIn(catalog))
    } catch (error) {
      if (error instanceof PuppetError) return error
      throw error
    }
  }

  #warn(warnings: readonly string[]): void {
    for (const warning of warnings) if (!this.#warned.has(warning)) printMessage('Warning', warning, this.#of.io)
    for (const warning of warnings) this.#warned.add(warning)
  }

  #stateIn(catalog: Catalog): ResourceState {
    const { label, resources } = prepareCatalog(catalog)
    const all = resources.get(this.#resource)
    const own = this.#parameter === undefined ? all : pickParameter(this.#parameter, all)
    const shown = new Map(own ? [[this.#resource, own] as const] : [])
    const { file, line } = catalog.resources.find((each) => formatResourceReference(each) === this.#resource) ?? {}
    const key = own ? formatExactJson([...own].sort(([one], [other]) => compareCodeUnits(one, other))) : ''
    const type = this.#resource.split('[', 1)[0]!
    const known = all ? [] : [...resources.keys()].filter((each) => each.startsWith(`${type}[`))
    return { parameters: all, key, side: { label, resources: shown, edges: new Set() }, file, line, known }
  }
}

/** Returns only the parameter with this name. */
function pickParameter(
  name: string,
  parameters: ReadonlyMap<string, ExactJson> | undefined,
): ReadonlyMap<string, ExactJson> {
  const value = parameters?.get(name)
  return new Map(value === undefined ? [] : [[name, value]])
}
