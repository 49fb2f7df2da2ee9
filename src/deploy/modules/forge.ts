import { budgets } from '../../base/budgets/budgets.ts'
import { errorOf, fail, PuppetError } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { list, optionalText, record, text } from '../../base/json/wire.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { ResponseError } from '../../network/client/errors.ts'
import { moduleIssues as issues } from './issues.ts'
import type { ModuleWeb } from './module-web.ts'

/** A Forge, with its `Authorization` header, which no other host receives. */
export interface Forge {
  /** URL without trailing slash. */
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
export async function forgeVersion(
  web: ModuleWeb,
  forge: Forge,
  of: ModuleWords,
  signal: AbortSignal,
): Promise<string> {
  const { slug, version: wanted } = of
  if (SemVer.parse(wanted)) return wanted
  const known = await releasesOf(web, forge, slug, signal)
  const range = wanted === 'latest' ? undefined : SemVerRange.parse(wanted)
  const fitting = known
    .flatMap((each) => SemVer.parse(each) ?? [])
    .filter((each) => (range ? range.includes(each) : each.prerelease.length === 0))
    .sort((one, other) => SemVer.compare(other, one))
  const best = fitting[0]
  return best ? String(best) : fail(issues.MODULE_NO_RELEASE, { slug, version: wanted, forge: forge.url, known })
}

/** A Forge module, with its version requirement. */
export interface ModuleWords {
  /** Slug such as `OWNER-NAME`. */
  readonly slug: string
  readonly version: string
}

/** Returns the versions of a module that are not deleted, newest first if the Forge sorts them. */
async function releasesOf(web: ModuleWeb, forge: Forge, slug: string, signal: AbortSignal): Promise<readonly string[]> {
  const query = new URLSearchParams({ exclude_fields: unread })
  const module = await asked(web, forge, `/v3/modules/${slug}?${query}`, signal)
  if (!module) return fail(issues.MODULE_NOT_ON_FORGE, { slug, forge: forge.url })
  const { releases } = module
  // Mirrors may omit the releases.
  if (!Array.isArray(releases)) return listedReleases(web, forge, slug, signal)
  return releases.flatMap((each) => {
    const { version, deleted_at: deleted } = record(each, 'a release')
    return (deleted ?? null) === null ? [text(version, 'version')] : []
  })
}

/** Same as `releasesOf`, from the paginated list of releases. */
async function listedReleases(web: ModuleWeb, forge: Forge, slug: string, signal: AbortSignal): Promise<string[]> {
  const versions: string[] = []
  const query = new URLSearchParams({ module: slug, limit: '100', exclude_fields: unread })
  let next: string | undefined = `/v3/releases?${query}`
  for (let page = 0; next !== undefined && page < pages.bound; page++) {
    const { results, pagination } = (await asked(web, forge, next, signal)) ?? {}
    for (const each of list(results, 'results')) versions.push(text(record(each, 'a release')['version'], 'version'))
    next = optionalText(record(pagination, 'pagination')['next'], 'next')
    if (next !== undefined && !/^\/v3\/releases\?[\x21-\x7e]*$/.test(next))
      fail(issues.MODULE_ANSWER, { url: forge.url, why: 'the next page is no page of its own' })
  }
  return versions
}

/**
 * Returns the URL and digests of a release's archive. Throws MODULE_NO_RELEASE,
 * MODULE_RELEASE_DELETED, MODULE_NO_CHECKSUM, MODULE_ANSWER.
 */
export async function forgeRelease(
  web: ModuleWeb,
  forge: Forge,
  { slug, version }: ModuleWords,
  signal: AbortSignal,
): Promise<ForgeRelease> {
  const query = new URLSearchParams({ exclude_fields: unread })
  const path = `/v3/releases/${slug}-${encodeURIComponent(version)}`
  const release = await asked(web, forge, `${path}?${query}`, signal)
  if (!release) {
    const known = await releasesOf(web, forge, slug, signal)
    return fail(issues.MODULE_NO_RELEASE, { slug, version, forge: forge.url, known })
  }
  const reason = optionalText(release['deleted_for'], 'deleted_for') ?? ''
  if ((release['deleted_at'] ?? null) !== null) fail(issues.MODULE_RELEASE_DELETED, { slug, version, reason })
  if (release['version'] !== version)
    fail(issues.MODULE_ANSWER, { url: forge.url + path, why: `it is about version ${String(release['version'])}` })
  const sha256 = digestOf(release['file_sha256'], 64)
  const md5 = digestOf(release['file_md5'], 32)
  if (sha256 === undefined && md5 === undefined) fail(issues.MODULE_NO_CHECKSUM, { slug, version })
  const uri = text(release['file_uri'], 'file_uri')
  // A path is relative to the Forge's URL, which may itself have a path (puppet_forge:
  // v3/release.rb).
  const address = uri.startsWith('/') && !uri.startsWith('//') ? `${forge.url}${uri}` : uri
  if (!URL.canParse(address)) fail(issues.MODULE_ANSWER, { url: forge.url + path, why: 'file_uri is no address' })
  return { slug, version, archive: new URL(address), sha256, md5 }
}

function digestOf(value: unknown, length: number): string | undefined {
  const digest = (optionalText(value, 'a digest') ?? '').toLowerCase()
  return digest.length === length && /^[0-9a-f]+$/.test(digest) ? digest : undefined
}

/** Returns the headers for a request to a Forge; its token is sent to no other host. */
export function forgeHeaders({ url, authorization }: Forge, asked: URL): Readonly<Record<string, string>> {
  return authorization !== undefined && new URL(url).origin === asked.origin ? { authorization } : {}
}

/** Requests a Forge object; `undefined` if it does not exist. Throws MODULE_ANSWER, and request errors. */
async function asked(
  web: ModuleWeb,
  forge: Forge,
  path: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const url = new URL(forge.url + path)
  const shown = `${url.origin}${url.pathname}`
  try {
    const { body } = await web.stream(url, forgeHeaders(forge, url), signal)
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > answer.bound) fail(issues.MODULE_ANSWER, { url: shown, why: `more than ${answer.bound} bytes` })
      pieces.push(piece)
    }
    const bounds = { characters: answer.bound, items: answerItems.bound }
    return record(parseBoundedJson(Buffer.concat(pieces).toString('utf8'), bounds), 'the answer')
  } catch (error) {
    if (error instanceof ResponseError && (error.status === 404 || error.status === 410)) return undefined
    if (error instanceof PuppetError) throw error
    throw errorOf(issues.MODULE_ANSWER, { url: shown, why: errorText(error) })
  }
}
