import { createReadStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { digestParts, getDigestRecipe } from '../../base/bytes/digest.ts'
import { throwIssue } from '../../base/issue.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { builtInGems, rubygemsVersion, rubyVersion } from '../../ruby/ruby-version.ts'
import { formatFullName, type GemRelease } from './compact-index.ts'
import { comparePreference, type GemDirectory, type InstalledGem, type StagedGem } from './gem-directory.ts'
import type { GemSpecification } from './gem-metadata.ts'
import { unpackGem } from './gem-package.ts'
import { anyVersion, meetsAll, requireGemName } from './gem-requirement.ts'
import { type GemCandidate, resolveDependencies } from './gem-resolution.ts'
import type { GemServer } from './gem-server.ts'
import { isPrerelease, parseGemVersion } from './gem-version.ts'
import { writeGemspec } from './gemspec-text.ts'
import { gemIssues as issues } from './issues.ts'

/** Options of an installation. */
export interface InstallOptions {
  /** Accepted versions; any version if undefined. */
  readonly requirements?: readonly string[]
  /** True to accept prereleases. */
  readonly prerelease?: boolean
  /** True to install the gem without its dependencies. */
  readonly ignoresDependencies?: boolean
  /** Called before a gem is downloaded. */
  readonly fetching?: (file: string) => void
}

/** A gem that is installed, staged, or on a server. */
type Candidate = GemCandidate & {
  readonly release?: GemRelease & { readonly server: GemServer }
  readonly staged?: StagedGem
}

/** Installs gems in pure Ruby, with their dependencies, from gem servers and files into a directory. */
export class GemInstaller {
  readonly directory: GemDirectory
  readonly #servers: readonly GemServer[]

  constructor(directory: GemDirectory, servers: readonly GemServer[]) {
    this.directory = directory
    this.#servers = servers
  }

  /**
   * Installs the newest accepted version, and returns the installed gems in their order. Dependencies that are already met
   * stay unchanged. Throws GEM_….
   */
  async install(name: string, options: InstallOptions = {}): Promise<readonly InstalledGem[]> {
    requireGemName(name)
    return this.directory.stage(async (scratch) => {
      const release = await this.#selectRelease(name, options)
      return this.#installWithDependencies({ ...release, release }, options, scratch)
    })
  }

  /** Installs the gem in a file. Throws GEM_…. */
  async installFile(path: string, options: InstallOptions = {}): Promise<readonly InstalledGem[]> {
    return this.directory.stage(async (scratch) => {
      const file = join(scratch, 'local.gem')
      await copyFile(path, file)
      const staged = await stageGem(file, basename(path), scratch)
      return this.#installWithDependencies({ ...staged, staged }, options, scratch)
    })
  }

  /**
   * Installs gems in files without their dependencies. Checks all files, then runs `accept`, which throws to install none of
   * them. Throws GEM_….
   */
  async installFiles(
    gems: readonly { readonly path: string; readonly name: string }[],
    accept: () => Promise<void>,
  ): Promise<readonly InstalledGem[]> {
    return this.directory.stage(async (scratch) => {
      const staged: StagedGem[] = []
      for (const [at, { path, name }] of gems.entries()) {
        const file = join(scratch, `${at}.gem`)
        await copyFile(path, file)
        staged.push(await stageGem(file, name, scratch))
      }
      await accept()
      return this.directory.lock(() => this.#commit(staged, [], scratch))
    })
  }

  /** Returns the newest version that can be installed; undefined if there is none. */
  async findLatest(name: string): Promise<string | undefined> {
    requireGemName(name)
    return (await this.#listReleases(name)).find((each) => isInstallable(each) && !isPrereleaseText(each.version))
      ?.version
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((each) => each.close()))
  }

  /** Stages the gem and all missing dependencies before it locks the directory and installs the first. */
  async #installWithDependencies(
    root: Candidate,
    options: InstallOptions,
    scratch: string,
  ): Promise<readonly InstalledGem[]> {
    const installed = await this.directory.list()
    const plan = options.ignoresDependencies
      ? [root]
      : await resolveDependencies<Candidate>(root, (name) => this.#listCandidates(name, installed))
    const staged: StagedGem[] = []
    for (const { release, staged: own } of plan) {
      if (own) staged.push(own)
      if (release) staged.push(await this.#fetch(release, options, scratch))
    }
    const used = installed.filter((each) => plan.includes(each))
    return this.directory.lock(() => this.#commit(staged, used, scratch))
  }

  /** Installs the staged gems. `used` are the gems that were installed before and that the staged gems require. */
  async #commit(
    staged: readonly StagedGem[],
    used: readonly InstalledGem[],
    scratch: string,
  ): Promise<readonly InstalledGem[]> {
    const installed = await this.directory.list()
    const names = new Set(installed.map(formatFullName))
    const removed = used.map(formatFullName).find((name) => !names.has(name))
    if (removed !== undefined) throwIssue(issues.GEM_REMOVED, { fullName: removed })
    const changed: InstalledGem[] = []
    for (const gem of staged) {
      if (await this.#isUnchanged(gem, installed)) continue
      await this.directory.commit(gem, scratch)
      changed.push(gem)
    }
    return changed
  }

  /** True if the same file is already installed. */
  async #isUnchanged(gem: StagedGem, installed: readonly InstalledGem[]): Promise<boolean> {
    const before = installed.find((each) => formatFullName(each) === formatFullName(gem))
    const file = before && (await this.directory.cachedFile(before))
    return file !== undefined && (await computeDigest(file)) === (await computeDigest(gem.file))
  }

  /** Built-in and installed gems come first, so that a dependency that is met stays unchanged. */
  async #listCandidates(name: string, installed: readonly InstalledGem[]): Promise<readonly Candidate[]> {
    const own: Candidate[] = installed.filter((each) => each.name === name)
    const builtIn = getOwnValue(builtInGems, name)
    if (builtIn !== undefined) return [{ name, version: builtIn, dependencies: [] }, ...own]
    const releases = (await this.#listReleases(name)).filter(isInstallable)
    return [...own, ...releases.map((release) => ({ ...release, release }))]
  }

  /** Returns the versions on all servers, newest first. */
  async #listReleases(name: string) {
    const lists = await Promise.all(
      this.#servers.map(async (server) => (await server.releases(name)).map((each) => ({ ...each, server }))),
    )
    return lists.flat().sort(comparePreference)
  }

  async #selectRelease(name: string, { requirements = anyVersion, prerelease = false }: InstallOptions) {
    const all = await this.#listReleases(name)
    const accepted = all.filter(
      ({ version }) =>
        meetsAll(requirements, version) || (prerelease && meetsAll([...requirements, '>= 0.a'], version)),
    )
    const found = accepted.find(isInstallable)
    if (found) return found
    const [first] = accepted
    if (first === undefined) {
      const known = all.filter(isInstallable).map(({ version }) => version)
      const sources = this.#servers.map(({ shown }) => shown)
      throwIssue(issues.GEM_NOT_FOUND, { name, requirement: requirements.join(', '), sources, known })
    }
    return throwUnsuitable(first)
  }

  async #fetch(release: GemRelease & { readonly server: GemServer }, options: InstallOptions, scratch: string) {
    const name = `${formatFullName(release)}.gem`
    options.fetching?.(name)
    const file = join(scratch, name)
    await release.server.download(release, file)
    const staged = await stageGem(file, name, scratch)
    if (formatFullName(staged) !== formatFullName(release))
      throwIssue(issues.GEM_INVALID, { file: name, why: `it contains ${formatFullName(staged)}` })
    return staged
  }
}

function isPrereleaseText(version: string): boolean {
  const parsed = parseGemVersion(version)
  return parsed !== undefined && isPrerelease(parsed)
}

/** True for a version in pure Ruby, as far as the server tells, that supports this Ruby. */
function isInstallable({ platform, ruby, rubygems }: GemRelease): boolean {
  return platform === 'ruby' && meetsAll(ruby, rubyVersion) && meetsAll(rubygems, rubygemsVersion)
}

/** Throws the reason why a version cannot be installed. */
function throwUnsuitable(release: Pick<GemRelease, 'name' | 'version' | 'platform' | 'ruby' | 'rubygems'>): never {
  const fullName = formatFullName(release)
  const { platform, ruby, rubygems } = release
  if (!meetsAll(ruby, rubyVersion))
    throwIssue(issues.GEM_RUBY_VERSION, { fullName, wanted: ruby.join(', '), ruby: rubyVersion })
  if (!meetsAll(rubygems, rubygemsVersion))
    throwIssue(issues.GEM_RUBYGEMS_VERSION, { fullName, wanted: rubygems.join(', '), rubygems: rubygemsVersion })
  return throwIssue(issues.GEM_PLATFORM, { fullName, platform })
}

/** Unpacks a gem, and checks that this Ruby can load it. */
async function stageGem(file: string, shown: string, scratch: string): Promise<StagedGem> {
  const folder = join(scratch, `${basename(file)}.files`)
  const spec = await unpackGem(file, folder, scratch, shown)
  requireSuitable(spec)
  const { name, version, platform } = spec
  const dependencies = spec.dependencies.filter(({ type }) => type === 'runtime')
  return { name, version, platform, dependencies, folder, file, gemspec: writeGemspec(spec) }
}

function requireSuitable(spec: GemSpecification): void {
  const { requiredRubyVersion: ruby, requiredRubygemsVersion: rubygems, extensions, platform } = spec
  if (extensions.length > 0) throwIssue(issues.GEM_EXTENSION, { fullName: formatFullName(spec) })
  const isSuitable = platform === 'ruby' && meetsAll(ruby, rubyVersion) && meetsAll(rubygems, rubygemsVersion)
  if (!isSuitable) throwUnsuitable({ ...spec, ruby, rubygems })
}

function computeDigest(path: string): Promise<string> {
  return digestParts(createReadStream(path), getDigestRecipe('sha256'))
}
