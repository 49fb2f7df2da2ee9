import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { moduleIssues as issues } from './issues.ts'
import type { ModuleWeb } from './module-http-client.ts'

/** A Forge, with its `Authorization` header, which no other host receives. */
export interface Forge {
  /** URL of the Forge, without trailing slash. */
  readonly url: string
  readonly authorization: string | undefined
}

/** A release, as described by the Forge. */
export interface ForgeRelease {
  readonly slug: string
  readonly version: string
  readonly archive: URL
  readonly sha256: string | undefined
  readonly md5: string | undefined
}

const { answer, answerItems, pages } = budgets.module
/** Fields with text for human readers, which the request excludes. */
const unread = 'readme changelog license reference tasks plans'

/**
 * Resolves a version requirement; an exact version is returned unchanged. Throws
 * MODULE_NOT_ON_FORGE, MODULE_NO_RELEASE, MODULE_ANSWER.
 */
export async function resolveForgeVersion(
  web: ModuleWeb,
  forge: Forge,
  of: ModuleWords,
  signal: AbortSignal,
): Promise<string> {
  const { slug, version: wanted } = of
  if (SemVer.parse(wanted)) return wanted
  const known = await listReleases(web, forge, slug, signal)
  const range = wanted === 'latest' ? undefined : SemVerRange.parse(wanted)
  const fitting = known
    .flatMap((each) => SemVer.parse(each) ?? [])
    .filter((each) => (range ? range.includes(each) : each.prerelease.length === 0))
    .sort((one, other) => SemVer.compare(other, one))
  const best = fitting[0]
  return best ? String(best) : throwIssue(issues.MODULE_NO_RELEASE, { slug, version: wanted, forge: forge.url, known })
}

/** A Forge module, with its version requirement. */
export interface ModuleWords {
  /** Slug of the module, such as `OWNER-NAME`. */
  readonly slug: string
  readonly version: string
}

/** Returns the versions of a module that are not deleted, newest first if the Forge sorts them. */
async function listReleases(
  web: ModuleWeb,
  forge: Forge,
  slug: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = new URLSearchParams({ exclude_fields: unread })
  const module = await requestForgeObject(web, forge, `/v3/modules/${slug}?${query}`, signal)
  if (!module) return throwIssue(issues.MODULE_NOT_ON_FORGE, { slug, forge: forge.url })
  const { releases } = module
  // Mirrors of the Forge may omit the list of releases.
  if (!Array.isArray(releases)) return listReleasePages(web, forge, slug, signal)
  return releases.flatMap((each) => {
    const { version, deleted_at: deleted } = checkJsonObject(each, 'a release')
    return (deleted ?? null) === null ? [checkJsonString(version, 'version')] : []
  })
}

/** Same as `listReleases`, from the paginated list of releases. */
async function listReleasePages(web: ModuleWeb, forge: Forge, slug: string, signal: AbortSignal): Promise<string[]> {
  const query = new URLSearchParams({ module: slug, limit: '100', exclude_fields: unread })
  const found = await requestForgePages(web, forge, `/v3/releases?${query}`, signal)
  return found.map(({ version }) => checkJsonString(version, 'version'))
}

/**
 * Returns the objects of a paginated list: the releases of a module, or the modules of a search. Reads at most the first
 * pages up to the budget. Throws MODULE_ANSWER, and request errors.
 */
export async function requestForgePages(
  web: ModuleWeb,
  forge: Forge,
  path: string,
  signal: AbortSignal,
  mostPages: number = pages.bound,
): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  let next: string | undefined = path
  for (let page = 0; next !== undefined && page < mostPages; page++) {
    const { results, pagination } = (await requestForgeObject(web, forge, next, signal)) ?? {}
    for (const each of checkJsonArray(results, 'results')) found.push(checkJsonObject(each, 'a result'))
    next = checkOptionalString(checkJsonObject(pagination, 'pagination')['next'], 'next')
    if (next !== undefined && !/^\/v3\/(?:releases|modules)\?[\x21-\x7e]*$/.test(next))
      throwIssue(issues.MODULE_ANSWER, { url: forge.url, why: 'the URL of the next page is not on the Forge' })
  }
  return found
}

/**
 * Returns the URL and digests of a release's archive. Throws MODULE_NO_RELEASE,
 * MODULE_RELEASE_DELETED, MODULE_NO_CHECKSUM, MODULE_ANSWER.
 */
export async function getForgeRelease(
  web: ModuleWeb,
  forge: Forge,
  { slug, version }: ModuleWords,
  signal: AbortSignal,
): Promise<ForgeRelease> {
  const query = new URLSearchParams({ exclude_fields: unread })
  const path = `/v3/releases/${slug}-${encodeURIComponent(version)}`
  const release = await requestForgeObject(web, forge, `${path}?${query}`, signal)
  if (!release) {
    const known = await listReleases(web, forge, slug, signal)
    return throwIssue(issues.MODULE_NO_RELEASE, { slug, version, forge: forge.url, known })
  }
  const reason = checkOptionalString(release['deleted_for'], 'deleted_for') ?? ''
  if ((release['deleted_at'] ?? null) !== null) throwIssue(issues.MODULE_RELEASE_DELETED, { slug, version, reason })
  if (release['version'] !== version)
    throwIssue(issues.MODULE_ANSWER, {
      url: forge.url + path,
      why: `it describes version ${String(release['version'])}`,
    })
  return readReleaseArchive(forge, { slug, version }, release)
}

/**
 * Reads the URL and digests of the archive in the Forge's description of a release. Throws MODULE_NO_CHECKSUM,
 * MODULE_ANSWER.
 */
export function readReleaseArchive(
  forge: Forge,
  { slug, version }: ModuleWords,
  release: Readonly<Record<string, unknown>>,
): ForgeRelease {
  const sha256 = parseDigest(release['file_sha256'], 64)
  const md5 = parseDigest(release['file_md5'], 32)
  if (sha256 === undefined && md5 === undefined) throwIssue(issues.MODULE_NO_CHECKSUM, { slug, version })
  const uri = checkJsonString(release['file_uri'], 'file_uri')
  // A path is relative to the Forge's URL, which may itself have a path (puppet_forge:
  // v3/release.rb).
  const address = uri.startsWith('/') && !uri.startsWith('//') ? `${forge.url}${uri}` : uri
  if (!URL.canParse(address))
    throwIssue(issues.MODULE_ANSWER, { url: forge.url, why: `file_uri of ${slug}-${version} is not a valid URL` })
  return { slug, version, archive: new URL(address), sha256, md5 }
}

function parseDigest(value: unknown, length: number): string | undefined {
  const digest = (checkOptionalString(value, 'a digest') ?? '').toLowerCase()
  return digest.length === length && /^[0-9a-f]+$/.test(digest) ? digest : undefined
}

/** Returns the headers for a request to a Forge; its token is sent to no other host. */
export function getForgeHeaders({ url, authorization }: Forge, asked: URL): Readonly<Record<string, string>> {
  return authorization !== undefined && new URL(url).origin === asked.origin ? { authorization } : {}
}

/** Requests a Forge object; `undefined` if it does not exist. Throws MODULE_ANSWER, and request errors. */
export async function requestForgeObject(
  web: ModuleWeb,
  forge: Forge,
  path: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const url = new URL(forge.url + path)
  const shown = `${url.origin}${url.pathname}`
  try {
    const { body } = await web.stream(url, getForgeHeaders(forge, url), signal)
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > answer.bound) throwIssue(issues.MODULE_ANSWER, { url: shown, why: `it exceeds ${answer.bound} bytes` })
      pieces.push(piece)
    }
    const bounds = { characters: answer.bound, items: answerItems.bound }
    return checkJsonObject(parseBoundedJson(Buffer.concat(pieces).toString('utf8'), bounds), 'the response')
  } catch (error) {
    if (error instanceof ResponseError && (error.status === 404 || error.status === 410)) return undefined
    if (error instanceof PuppetError) throw error
    throw createPuppetError(issues.MODULE_ANSWER, { url: shown, why: formatError(error) })
  }
}
