import { throwIssue } from '../../base/issue.ts'
import { isSafeRef } from '../../code/git/ref-names.ts'
import { parseRemoteAddress, redactRemote } from '../../code/git/remotes/remote.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import { formatShortestPrefix, isListedAddress, type ModuleSources } from './allowed-sources.ts'
import { puppetfileIssues as issues } from './issues.ts'
import { type ModulePlace, normalizeRemote, normalizeUrl } from './module-address.ts'
import type { ModuleSource, WantedCommit } from './module-declaration.ts'
import type { ModuleOptions } from './module-options.ts'

/** Context of a module's source, in addition to its options. */
export interface SourceContext {
  readonly sources: ModuleSources
  /** The Forge in the Puppetfile, if it differs from the server's Forge. */
  readonly forge: string | undefined
}

/** Returns the source of a module from its options. r10k: Module.with_implementation. Throws PUPPETFILE_…. */
export function createModuleSource(
  options: ModuleOptions,
  owner: string | undefined,
  context: SourceContext,
): ModuleSource {
  const { title: module } = options
  const type = options.text('type')
  if (options.has('svn') || type === 'svn') throwIssue(issues.PUPPETFILE_SUBVERSION, { module })
  if (options.has('git') || type === 'git') return createGitSource(options, context)
  if (options.isTrue('local') || type === 'local') return { kind: 'local' }
  if (type === 'forge') return createForgeSource(options, owner, context)
  if (options.has('tarball') || type === 'tarball') return createTarballSource(options, context)
  if (type !== undefined) throwIssue(issues.PUPPETFILE_UNKNOWN_TYPE, { module, type })
  return throwIssue(issues.PUPPETFILE_NO_SOURCE, { module })
}

/** Options that select a commit, with their kinds. The last option wins. r10k: module/git.rb */
const commitWords = { version: 'ref', branch: 'branch', tag: 'tag', commit: 'commit', ref: 'ref' } as const

function createGitSource(options: ModuleOptions, context: SourceContext): ModuleSource {
  const { title: module } = options
  options.allow(...gitKeys)
  const given = options.text('git') ?? options.text('source')
  if (given === undefined)
    return throwIssue(issues.PUPPETFILE_LACKS, { module, key: ':git, the URL of its repository' })
  const remote = parseRemoteAddress(given)
  if (remote.password !== undefined)
    throwIssue(issues.PUPPETFILE_PASSWORD, { what: `Module ${module}`, url: redactRemote(given) })
  checkAllowedAddress(`Module ${module}`, remote.url, normalizeRemote(remote), context.sources)
  const others = [
    ...listRefNames(options, 'default_branch_override'),
    ...listRefNames(options, 'default_branch'),
    ...(options.text('fallback') ?? '').split('|').filter((name) => name !== ''),
  ].map((name) => checkRefName(module, ':default_branch', name))
  const [defaultBranch, ...otherBranches] = others
  const url = remote.protocol === 'ssh' || remote.user === undefined ? remote.url : addUser(remote.url, remote.user)
  return {
    ...{ kind: 'git', url, wanted: getWantedCommit(options), defaultBranch },
    ...(otherBranches.length > 0 && { otherBranches }),
  }
}

const gitKeys = [
  ...['git', 'source', 'type', 'version', 'branch', 'tag', 'commit', 'ref', 'control_branch', 'default_branch'],
  ...['default_branch_override', 'link', 'fallback'],
]

function addUser(url: string, user: string): string {
  const named = new URL(url)
  named.username = user
  return named.href
}

function listRefNames(options: ModuleOptions, key: string): string[] {
  const name = options.text(key)
  return name === undefined ? [] : [name]
}

function getWantedCommit(options: ModuleOptions): WantedCommit {
  // `:link` in g10k is `:control_branch` in r10k.
  if (options.isTrue('control_branch') || options.isTrue('link')) return { kind: 'control_branch' }
  const last = options.keys.filter((key) => key in commitWords).at(-1) as keyof typeof commitWords | undefined
  if (last === undefined || options.isNil(last)) return { kind: 'head' }
  if (options.symbol(last) === 'control_branch') return { kind: 'control_branch' }
  const name = checkRefName(options.title, `:${last}`, options.text(last) ?? '')
  return name === 'HEAD' ? { kind: 'ref', name } : { kind: commitWords[last], name }
}

/** Checks a name that is passed to git. */
function checkRefName(module: string, key: string, name: string): string {
  return isSafeRef(name) && name.length <= longestRef ? name : throwIssue(issues.PUPPETFILE_REF, { module, key, name })
}

/** Maximum length of a ref in characters. A ref is also a file name. */
const longestRef = 255

function createForgeSource(options: ModuleOptions, owner: string | undefined, { forge }: SourceContext): ModuleSource {
  const { title: module } = options
  options.allow('type', 'version', 'source')
  if (owner === undefined) throwIssue(issues.PUPPETFILE_NO_OWNER, { module })
  const given = options.isNil('version') ? 'latest' : (options.symbol('version') ?? options.text('version') ?? 'latest')
  const version = given.trim()
  const isKnown = version === 'latest' || SemVer.parse(version) !== undefined
  if (!isKnown && (version === '' || SemVerRange.parse(version) === undefined))
    throwIssue(issues.PUPPETFILE_VERSION, { module, version: given })
  return { kind: 'forge', version, ...(forge !== undefined && { forge }) }
}

function createTarballSource(options: ModuleOptions, { sources }: SourceContext): ModuleSource {
  const { title: module } = options
  options.allow('type', 'tarball', 'source', 'version', 'checksum', 'sha256')
  const given = options.text('tarball') ?? options.text('source')
  if (given === undefined)
    return throwIssue(issues.PUPPETFILE_LACKS, { module, key: ':source, the URL of its archive' })
  const url = parseWebAddress(`Module ${module}`, given, sources)
  const digest = options.text('version') ?? options.text('checksum') ?? options.text('sha256')
  if (digest !== undefined && !/^[0-9a-f]{64}$/i.test(digest)) throwIssue(issues.PUPPETFILE_DIGEST, { module, digest })
  return { kind: 'tarball', url: url.href, sha256: digest?.toLowerCase() }
}

/**
 * Parses a web address that may be queried. Throws PUPPETFILE_ADDRESS, PUPPETFILE_PASSWORD,
 * PUPPETFILE_SOURCE_REFUSED.
 */
export function parseWebAddress(what: string, given: string, sources: ModuleSources): URL {
  const shown = redactRemote(given)
  const rejectAddress = (why: string): never => throwIssue(issues.PUPPETFILE_ADDRESS, { what, url: shown, why })
  if (/[\0-\x20\x7f\\]/.test(given) || !URL.canParse(given)) return rejectAddress('it is not a URL')
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return rejectAddress('the scheme is neither https nor http')
  if (url.password !== '') throwIssue(issues.PUPPETFILE_PASSWORD, { what, url: shown })
  url.hash = ''
  checkAllowedAddress(what, shown, normalizeUrl(url), sources)
  return url
}

function checkAllowedAddress(what: string, url: string, place: ModulePlace | undefined, sources: ModuleSources): void {
  const known = place ?? throwIssue(issues.PUPPETFILE_ADDRESS, { what, url, why: 'its path is ambiguous' })
  if (!isListedAddress(sources, known))
    throwIssue(issues.PUPPETFILE_SOURCE_REFUSED, { what, url, prefix: formatShortestPrefix(known) })
}
