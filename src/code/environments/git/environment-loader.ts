import type { GitObjectSource } from '../../git/git-object-source.ts'
import { describeEnvironment } from '../environment-description.ts'
import type { GitTreeSnapshot, SnapshotOpener } from '../environment-snapshot.ts'
import type { Environment } from '../environments.ts'
import { serveEnvironment } from '../served-environment.ts'
import type { GitEnvironmentsOptions } from './git-environments-options.ts'
import { GitLoader } from './git-loader.ts'
import { getLoadLimits } from './load-limits.ts'
import { formatRevision } from './revision.ts'
import { listTreeWarnings } from './tree-warnings.ts'

/** A commit to load for an environment. */
export interface LoadRequest {
  readonly name: string
  readonly ref: string
  readonly commit: string
  /** True if the commit passed the check before. */
  readonly isChecked: boolean
  /** The code that the environment serves now; the check needs only the differences. */
  readonly served: GitTreeSnapshot | undefined
}

/** Loads commits, checks them if they are new, and opens them as environments. */
export class EnvironmentLoader {
  readonly #options: GitEnvironmentsOptions
  readonly #source: GitObjectSource
  readonly #opener: SnapshotOpener
  readonly #trees: GitLoader

  constructor(options: GitEnvironmentsOptions, opener: SnapshotOpener) {
    this.#options = options
    this.#source = options.source
    this.#opener = opener
    this.#trees = new GitLoader(options.source, { limits: getLoadLimits(options.settings) })
  }

  /** Throws if the commit cannot be loaded, or if the check rejects it. */
  async load({ name, ref, commit, isChecked, served }: LoadRequest): Promise<Environment> {
    const { submodules, ...loaded } = await this.#trees.load(commit)
    const { settings, deployer, check } = this.#options
    const root = `${settings.environmentpath[0] ?? settings.codedir}/${name}`
    const tree = { ...loaded, root, revision: formatRevision(ref, commit) }
    await this.#opener.prepareTree(tree)
    const described = await describeEnvironment(name, tree, settings, this.#opener)
    if (!isChecked) await check?.(tree, served)
    const isIgnored = !deployer && this.#opener.openTree(tree).entry('Puppetfile')?.kind === 'file'
    const warnings = listTreeWarnings(name, submodules, isIgnored)
    return serveEnvironment(
      { ...described, warnings: [...described.warnings, ...warnings] },
      this.#opener,
      this.#source,
    )
  }

  /** Releases the trees of all commits except the given ones. */
  keepOnly(commits: Iterable<string>): void {
    this.#trees.keepOnly(commits)
  }
}
