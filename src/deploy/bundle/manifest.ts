import { type Budget, budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, isCatalogIssue, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonNumber, checkJsonObject, checkJsonString } from '../../base/json/json-checks.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import { findRefProblem, isOid, isSafeRef } from '../../code/git/ref-names.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { bundleIssues } from './issues.ts'

/** Size in bytes and SHA-256 (hexadecimal) of a file in a bundle. */
export interface BundleFile {
  readonly size: number
  readonly sha256: string
}

/** An environment in a bundle. */
export interface BundledEnvironment {
  readonly name: string
  /** Branch of the environment: `refs/heads/production`. */
  readonly ref: string
  /** The commit of the branch. */
  readonly commit: string
  /** The served commit: with the modules of the Puppetfile, if there is one. */
  readonly codeId: string
}

/** A gem in a bundle; `name` is the name of its file. */
export interface BundledGem extends BundleFile {
  readonly name: string
}

/** A catalog in a bundle. */
export interface BundledCatalog extends BundleFile {
  readonly node: string
  readonly environment: string
}

/** The content of a bundle. */
export interface BundleManifest {
  /** Time of the newest commit, as ISO 8601 in UTC. */
  readonly created: string
  readonly objectFormat: 'sha1' | 'sha256'
  /** Commits that the receiving repository must contain; empty for a complete bundle. */
  readonly since: readonly string[]
  readonly environments: readonly BundledEnvironment[]
  /** The commits, as a Git bundle. */
  readonly code: BundleFile
  readonly gems: readonly BundledGem[]
  readonly catalogs: readonly BundledCatalog[]
}

/** A file of a bundle, and its path in the archive. */
export interface BundleMember extends BundleFile {
  readonly path: string
}

/** Path of the Git bundle in the archive. */
export const codePath = 'code.bundle'
const formatName = 'plumb-bundle'
const formatVersion = 1

/** Returns the files after the manifest, in their order. */
export function listBundleMembers({ code, gems, catalogs }: BundleManifest): readonly BundleMember[] {
  return [{ ...code, path: codePath }, ...gems.map(toGemMember), ...catalogs.map(toCatalogMember)]
}

/** Returns a gem as a member of the archive. */
export function toGemMember({ size, sha256 }: BundleFile): BundleMember {
  return { size, sha256, path: `gems/${sha256}.gem` }
}

/** Returns a catalog as a member of the archive. */
export function toCatalogMember({ size, sha256 }: BundleFile): BundleMember {
  return { size, sha256, path: `catalogs/${sha256}.json` }
}

/** Formats a manifest; equal manifests have equal texts. */
export function formatBundleManifest(manifest: BundleManifest): string {
  const { created, objectFormat, since, environments, code, gems, catalogs } = manifest
  const document = {
    format: formatName,
    version: formatVersion,
    created,
    object_format: objectFormat,
    since,
    environments: environments.map(({ name, ref, commit, codeId }) => ({ name, ref, commit, code_id: codeId })),
    code: { size: code.size, sha256: code.sha256 },
    gems: gems.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
    catalogs: catalogs.map(({ node, environment, size, sha256 }) => ({ node, environment, size, sha256 })),
  }
  return `${JSON.stringify(document, undefined, 1)}\n`
}

/**
 * Reads a manifest. Accepts only text that `formatBundleManifest` writes, so that nothing in it is ignored. Throws
 * BUNDLE_MALFORMED, BUNDLE_VERSION.
 */
export function parseBundleManifest(text: string): BundleManifest {
  try {
    const manifest = readManifest(checkJsonObject(JSON.parse(text), 'the manifest'))
    if (formatBundleManifest(manifest) !== text) rejectManifest('the manifest is not in its only form')
    return manifest
  } catch (error) {
    if (isCatalogIssue(error, bundleIssues)) throw error
    throw createPuppetError(bundleIssues.BUNDLE_MALFORMED, { why: formatErrorReason(error) })
  }
}

function readManifest(document: Record<string, unknown>): BundleManifest {
  if (document['format'] !== formatName) rejectManifest('the manifest is not one of a bundle')
  const version = checkJsonNumber(document['version'], 'version')
  if (version !== formatVersion) throwIssue(bundleIssues.BUNDLE_VERSION, { version })
  const { environments, since, gems, catalogs } = budgets.bundle
  const objectFormat = document['object_format'] === 'sha256' ? 'sha256' : 'sha1'
  const readCommit = (value: unknown) => readOid(value, objectFormat)
  const manifest: BundleManifest = {
    created: readTime(document['created']),
    objectFormat,
    since: readList(document['since'], 'since', since).map(readCommit),
    environments: readList(document['environments'], 'environments', environments).map((each) =>
      readEnvironment(checkJsonObject(each, 'an environment'), readCommit),
    ),
    code: readFile(checkJsonObject(document['code'], 'code'), budgets.bundle.code),
    gems: readList(document['gems'], 'gems', gems).map((each) => readGem(checkJsonObject(each, 'a gem'))),
    catalogs: readList(document['catalogs'], 'catalogs', catalogs).map((each) =>
      readCatalog(checkJsonObject(each, 'a catalog')),
    ),
  }
  const names = manifest.environments.map(({ name }) => name)
  requireUnique('environment', names)
  requireUnique(
    'ref',
    manifest.environments.map(({ ref }) => ref),
  )
  requireUnique(
    'gem',
    manifest.gems.map(({ name }) => name),
  )
  requireUnique(
    'node',
    manifest.catalogs.map(({ node }) => node),
  )
  requireUnique(
    'path',
    listBundleMembers(manifest).map(({ path }) => path),
  )
  if (names.length === 0) rejectManifest('it contains no environment')
  if (manifest.catalogs.some(({ environment }) => !names.includes(environment)))
    rejectManifest('a catalog belongs to an environment that it does not contain')
  return manifest
}

function readEnvironment(
  { name: given, ref: branch, commit, code_id }: Record<string, unknown>,
  readCommit: (value: unknown) => string,
): BundledEnvironment {
  const name = checkJsonString(given, 'the name of an environment')
  const ref = checkJsonString(branch, 'the ref of an environment')
  if (!isEnvironmentName(name)) rejectManifest(`'${name}' is not the name of an environment`)
  const problem = isSafeRef(ref) && ref.startsWith('refs/heads/') ? findRefProblem(ref) : 'it is not a branch'
  if (problem !== undefined) rejectManifest(`the ref '${ref}' is rejected: ${problem}`)
  return { name, ref, commit: readCommit(commit), codeId: readCommit(code_id) }
}

function readGem(gem: Record<string, unknown>): BundledGem {
  const name = checkJsonString(gem['name'], 'the name of a gem')
  if (!/^[A-Za-z0-9_][\w.-]{0,199}\.gem$/.test(name)) rejectManifest(`'${name}' is not the name of a gem`)
  return { name, ...readFile(gem, budgets.gem.archive) }
}

function readCatalog(catalog: Record<string, unknown>): BundledCatalog {
  const node = checkFileName('catalog', checkJsonString(catalog['node'], 'the node of a catalog'))
  const environment = checkJsonString(catalog['environment'], 'the environment of a catalog')
  return { node, environment, ...readFile(catalog, budgets.bundle.catalog) }
}

function readFile({ size: given, sha256: digest }: Record<string, unknown>, { bound }: Budget): BundleFile {
  const size = checkJsonNumber(given, 'size')
  const sha256 = checkJsonString(digest, 'sha256')
  if (!Number.isSafeInteger(size) || size < 0 || size > bound) rejectManifest(`a file has ${size} bytes`)
  if (!/^[0-9a-f]{64}$/.test(sha256)) rejectManifest('a digest is not SHA-256 in hexadecimal')
  return { size, sha256 }
}

function readOid(value: unknown, objectFormat: BundleManifest['objectFormat']): string {
  const oid = checkJsonString(value, 'a commit')
  if (!isOid(oid) || oid.length !== (objectFormat === 'sha1' ? 40 : 64)) rejectManifest('a commit ID is invalid')
  return oid
}

function readTime(value: unknown): string {
  const time = checkJsonString(value, 'created')
  const date = new Date(time)
  if (Number.isNaN(date.getTime()) || date.toISOString() !== time) rejectManifest('its time is invalid')
  return time
}

function readList(value: unknown, what: string, { bound }: Budget): readonly unknown[] {
  const list = checkJsonArray(value, what)
  if (list.length > bound) rejectManifest(`${what} contains more than ${bound} items`)
  return list
}

function requireUnique(what: string, names: readonly string[]): void {
  if (new Set(names).size < names.length) rejectManifest(`the manifest contains a ${what} twice`)
}

function rejectManifest(why: string): never {
  return throwIssue(bundleIssues.BUNDLE_MALFORMED, { why })
}
