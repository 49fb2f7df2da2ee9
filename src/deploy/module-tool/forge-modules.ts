import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { checkJsonObject, toJsonRecord } from '../../base/json/json-checks.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { parseModuleDescription } from '../../code/environments/module-dependencies.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import type { OpenArchive } from '../../machine/archive/archive.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { type DownloadedArchive, withDownload } from '../modules/download.ts'
import {
  type Forge,
  type ForgeRelease,
  getForgeHeaders,
  readReleaseArchive,
  requestForgePages,
} from '../modules/forge.ts'
import type { ModuleWeb } from '../modules/module-http-client.ts'
import { type ModuleWebSettings, openModuleWeb } from '../modules/open-module-web.ts'
import { getConfiguredForge } from '../modules/server-forge.ts'
import type { CandidateRelease } from './dependency-resolution.ts'
import { moduleToolIssues as issues } from './issues.ts'
import { type CachedRelease, ReleaseCache, verifyCachedArchive } from './release-cache.ts'

/** Settings of `plumb module`. */
export type ModuleToolSettings = ModuleWebSettings &
  Pick<
    Settings,
    | 'module_repository'
    | 'forge_token_file'
    | 'module_fetch_timeout'
    | 'max_module_archive_bytes'
    | 'max_module_bytes'
    | 'vardir'
  >

/** An archive of a module on disk. */
export interface ModuleArchive {
  readonly open: OpenArchive
  /** Size of the archive in bytes. */
  readonly bytes: number
}

/** A release with a way to get its archive. */
export interface InstallableRelease extends CandidateRelease {
  /** True if its owner has deprecated the module. */
  readonly isDeprecated: boolean
  /** Processes the archive, which is deleted afterwards. Throws MODULE_…, and errors of the download. */
  withArchive<Result>(work: (archive: ModuleArchive) => Promise<Result>): Promise<Result>
}

/** A module that a search has found. */
export interface FoundModule {
  readonly name: string
  readonly version: string | null
  readonly summary: string
  readonly owner: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly homepage: string | null
}

/** Fields of releases and modules that are not needed. */
const unreadFields = 'readme,changelog,license,reference,tasks,plans'

/** Lists and downloads the modules of the Forge in `module_repository`. Downloaded archives are cached. */
export class ForgeModules {
  readonly url: string
  readonly #settings: ModuleToolSettings
  readonly #web: ModuleWeb
  readonly #warn: (message: string) => void
  readonly #cache: ReleaseCache
  /** True to use only cached releases. */
  readonly isOffline: boolean
  /** Modules without a release in the cache. */
  readonly uncached = new Set<string>()
  #forge: Promise<Forge> | undefined

  constructor(settings: ModuleToolSettings, warn: (message: string) => void, isOffline = false) {
    const { url } = getConfiguredForge(settings)
    this.url = url
    this.#settings = settings
    this.#web = openModuleWeb(settings, { url })
    this.#warn = warn
    this.#cache = new ReleaseCache(settings.vardir, url)
    this.isOffline = isOffline
  }

  /** Lists the releases of a module that can be installed; empty for an unknown module. Throws MODULE_ANSWER. */
  async list(slug: string): Promise<readonly InstallableRelease[]> {
    if (!isModuleSlug(slug)) return []
    if (this.isOffline) return this.#listCached(slug)
    const query = new URLSearchParams({ module: slug, sort_by: 'version', limit: '100', exclude_fields: unreadFields })
    const forge = await this.#openForge()
    const found = await requestForgePages(this.#web, forge, `/v3/releases?${query}`, this.#limit())
    return found.flatMap((release) => this.#parseRelease(forge, slug, release))
  }

  /** Lists the modules that match words. Throws MODULE_ANSWER. */
  async search(words: string): Promise<readonly FoundModule[]> {
    const query = new URLSearchParams({ query: words, limit: '50', exclude_fields: unreadFields })
    const forge = await this.#openForge()
    const { searchPages } = budgets.module
    const found = await requestForgePages(this.#web, forge, `/v3/modules?${query}`, this.#limit(), searchPages.bound)
    return found.map(parseFoundModule)
  }

  close(): Promise<void> {
    return this.#web.close()
  }

  /** The place from which archives come, for messages: the Forge, or the cache. */
  get place(): string {
    return this.isOffline ? this.#cache.folder : this.url
  }

  async #listCached(slug: string): Promise<readonly InstallableRelease[]> {
    const found = (await this.#cache.list(slug)).flatMap((each) => this.#parseCached(slug, each))
    if (found.length === 0) this.uncached.add(slug)
    return found
  }

  #parseCached(slug: string, release: CachedRelease): InstallableRelease[] {
    try {
      const candidate = parseCandidate(release.metadata)
      if (candidate.name !== slug) return []
      return [
        {
          ...candidate,
          isDeprecated: false,
          async withArchive(work) {
            await verifyCachedArchive(release)
            return work(await openArchiveFile(release.archive))
          },
        },
      ]
    } catch (error) {
      if (error instanceof PuppetError) return []
      throw error
    }
  }

  #openForge(): Promise<Forge> {
    this.#forge ??= getConfiguredForge(this.#settings)
      .authorization()
      .then((authorization) => ({ url: this.url, authorization }))
    return this.#forge
  }

  #limit(): AbortSignal {
    return AbortSignal.timeout(Math.min(this.#settings.module_fetch_timeout * 1000, 2 ** 31 - 1))
  }

  #parseRelease(forge: Forge, slug: string, release: Readonly<Record<string, unknown>>): InstallableRelease[] {
    try {
      const metadata = checkJsonObject(release['metadata'], 'metadata')
      const candidate = parseCandidate(metadata)
      if (candidate.name !== slug) throwIssue(issues.MODULE_SLUG_INVALID, { name: candidate.name })
      const isDeprecated = (toJsonRecord(release['module'])['deprecated_at'] ?? null) !== null
      const words = { slug, version: String(candidate.version) }
      return [
        {
          ...candidate,
          isDeprecated,
          withArchive: (work) =>
            this.#download(forge, readReleaseArchive(forge, words, release), async (archive) => {
              await this.#keep(`${slug}-${words.version}`, metadata, archive)
              return work(archive)
            }),
        },
      ]
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      this.#warn(`Cannot consider release ${slug}-${String(release['version'])}: ${error.message}`)
      return []
    }
  }

  /** Caches a release. A cache that cannot be written does not prevent the installation. */
  async #keep(name: string, metadata: CachedRelease['metadata'], archive: DownloadedArchive): Promise<void> {
    try {
      await this.#cache.keep(name, metadata, archive)
    } catch (error) {
      if (getSystemErrorCode(error) === undefined) throw error
      this.#warn(`${name} was not cached: ${formatError(error)}`)
    }
  }

  #download<Result>(
    forge: Forge,
    { archive, sha256, md5 }: ForgeRelease,
    work: (archive: DownloadedArchive) => Promise<Result>,
  ): Promise<Result> {
    this.#web.mustBeAllowed(archive)
    const { max_module_archive_bytes: maxBytes } = this.#settings
    const headers = getForgeHeaders(forge, archive)
    return withDownload(this.#web, { url: archive, headers, sha256, md5, maxBytes, signal: this.#limit() }, work)
  }
}

/** True for the full name of a module, `owner-name`, which is safe as the name of a folder. */
export function isModuleSlug(name: string): boolean {
  return name.length <= budgets.module.name.bound && /^[a-z0-9]+-[a-z][a-z0-9_]*$/i.test(name)
}

/**
 * Reads name, version and dependencies of the object in a metadata.json. Throws MODULE_SLUG_INVALID, MODULE_RANGE_INVALID,
 * MODULE_METADATA_INVALID.
 */
export function parseCandidate(metadata: Readonly<Record<string, unknown>>): CandidateRelease {
  const { forgeName = '', version: text = '', dependencies } = parseModuleDescription(metadata)
  const name = forgeName.replace('/', '-')
  if (!isModuleSlug(name)) throwIssue(issues.MODULE_SLUG_INVALID, { name })
  const version = SemVer.parse(text)
  if (!version || text.endsWith('\n'))
    throwIssue(issues.MODULE_METADATA_INVALID, { file: 'metadata.json', why: `'${text}' is not a version` })
  const ranges = dependencies.map(({ name: dependency, range }) => {
    const slug = dependency.replace('/', '-')
    if (!isModuleSlug(slug)) throwIssue(issues.MODULE_SLUG_INVALID, { name: slug })
    if (!SemVerRange.parse(range)) throwIssue(issues.MODULE_RANGE_INVALID, { range })
    return [slug, range] as const
  })
  return { name, version, priority: 0, dependencies: new Map(ranges), isInstalled: false }
}

/** Opens an archive on disk. */
export async function openArchiveFile(file: string): Promise<ModuleArchive> {
  return { open: () => createReadStream(file), bytes: (await stat(file)).size }
}

function parseFoundModule(module: Readonly<Record<string, unknown>>): FoundModule {
  const release = toJsonRecord(module['current_release'])
  const metadata = toJsonRecord(release['metadata'])
  const owner = toText(toJsonRecord(module['owner'])['username'])
  const tags = Array.isArray(release['tags']) ? release['tags'].filter((tag) => typeof tag === 'string') : []
  return {
    name: toText(module['slug']) || `${owner}-${toText(module['name'])}`,
    version: toText(release['version']) || null,
    summary: toText(metadata['summary']),
    owner,
    tags,
    deprecated: (module['deprecated_at'] ?? null) !== null,
    homepage: toText(module['homepage_url']) || null,
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
