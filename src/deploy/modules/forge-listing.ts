import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { type ModuleDependency, parseModuleDescription } from '../../code/environments/module-dependencies.ts'
import { SemVer } from '../../language/values/semver.ts'
import { type Forge, requestForgeObject, requestReleasePages } from './forge.ts'
import type { ModuleWeb } from './module-http-client.ts'

/** A release of a module, with the modules that it requires. */
export interface ListedRelease {
  /** Slug of the module: `OWNER-NAME`. */
  readonly slug: string
  readonly version: SemVer
  readonly dependencies: readonly ModuleDependency[]
}

/** A module that a search found. */
export interface FoundModule {
  readonly slug: string
  readonly summary: string
  /** Version of the current release; empty if there is none. */
  readonly version: string
  readonly tags: readonly string[]
  readonly isDeprecated: boolean
}

/** Modules in a page of search results. */
const foundModules = '50'

/** Lists the releases of a module with their dependencies; empty if the module does not exist. Throws MODULE_ANSWER. */
export async function listForgeReleases(
  web: ModuleWeb,
  forge: Forge,
  slug: string,
  signal: AbortSignal,
): Promise<readonly ListedRelease[]> {
  const releases = await requestReleasePages(web, forge, slug, signal)
  return releases.flatMap(({ version: text, metadata, deleted_at: deletedAt }) => {
    const version = SemVer.parse(checkJsonString(text, 'version'))
    if (!version || (deletedAt ?? null) !== null) return []
    const { dependencies } = parseModuleDescription(checkJsonObject(metadata ?? {}, 'metadata'))
    return [{ slug, version, dependencies }]
  })
}

/** Searches the Forge, the best matches first. Throws MODULE_ANSWER. */
export async function searchForge(
  web: ModuleWeb,
  forge: Forge,
  words: string,
  signal: AbortSignal,
): Promise<readonly FoundModule[]> {
  const fields = 'changelog readme license reference tasks plans releases'
  const query = new URLSearchParams({ query: words, limit: foundModules, exclude_fields: fields })
  const { results } = (await requestForgeObject(web, forge, `/v3/modules?${query}`, signal)) ?? {}
  return checkJsonArray(results ?? [], 'results').map((each) => {
    const { slug, deprecated_at: deprecatedAt, current_release: release } = checkJsonObject(each, 'a module')
    const { version, metadata, tags } = checkJsonObject(release ?? {}, 'a release')
    return {
      slug: checkJsonString(slug, 'slug'),
      summary: checkOptionalString(checkJsonObject(metadata ?? {}, 'metadata')['summary'], 'summary') ?? '',
      version: checkOptionalString(version, 'version') ?? '',
      tags: checkJsonArray(tags ?? [], 'tags').map(String),
      isDeprecated: (deprecatedAt ?? null) !== null,
    }
  })
}
