import { budgets } from '../../base/budgets/budgets.ts'
import { compileDottedNameGlob } from '../../base/text/glob.ts'
import { compileLinearPattern, type ForeignPattern } from '../../base/text/linear-pattern.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import { isSafeRef } from '../../code/git/ref-names.ts'
import { parseRemoteAddress } from '../../code/git/remotes/remote.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { symbolsAsNames } from '../../language/ruby-semantics/yaml/permitted-classes.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { parseProxyUrl } from '../../network/client/proxy.ts'
import type { CodeSource, FollowedRemote, RefPattern, SourcesFile } from './code-source.ts'
import { replaceInvalidCharacters } from './environment-naming.ts'
import { parseReviewAccess } from './review-access.ts'
import { sourceKeys } from './source-keys.ts'
import {
  failSourcesFile,
  getDuration,
  getMapping,
  getPath,
  getPositiveInteger,
  getText,
  getTexts,
  type Mapping,
  type ReadingNotes,
  toMapping,
  top,
} from './sources-file-mapping.ts'

/** Default settings of a source. */
export interface SourceDefaults {
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly webhookSecretFile: string | undefined
}

/** Milliseconds between checks of a repository on this machine, which needs no network. */
const localIntervalMs = 5000
/** Shortest interval in milliseconds. */
const leastIntervalMs = 1000

/**
 * Parses a sources file: the keys of r10k.yaml and g10k.yaml, and our own keys. Warnings list unknown keys and keys
 * without effect. Throws SOURCES_FILE.
 */
export function readSources(text: string, file: string, defaults: SourceDefaults): SourcesFile {
  const notes: ReadingNotes = { file, idle: [], warnings: [] }
  const whole = toMapping(parseSourcesYaml(text, notes), top, notes, sourceKeys.top)
  const inherited = getInheritance(whole)
  const sources = Object.keys(getMapping(whole, 'sources').values).map((name) =>
    parseSource(getMapping(getMapping(whole, 'sources'), name, sourceKeys.source), name, inherited, defaults),
  )
  const { bound } = budgets.environment.sources
  if (sources.length === 0) failSourcesFile(notes, 'it contains no sources')
  if (sources.length > bound) failSourcesFile(notes, `it contains more than ${bound} sources`)
  const [writeLock, forge, deployed] = [
    getWriteLock(whole),
    parseForge(whole),
    parseDeployedRemote(inherited, defaults),
  ]
  const { idle, warnings } = notes
  if (idle.length > 0) warnings.push(`No effect, because the server does not check out files: ${idle.join(', ')}`)
  return { sources, deployed, writeLock, forge, warnings }
}

function parseSourcesYaml(text: string, notes: ReadingNotes): unknown {
  const { bound } = budgets.environment.sourcesFile
  if (text.length > bound) failSourcesFile(notes, `it exceeds ${bound} characters`)
  try {
    return convertYamlToJson(text, symbolsAsNames)
  } catch (error) {
    return failSourcesFile(notes, formatErrorReason(error))
  }
}

function getWriteLock(whole: Mapping): string | undefined {
  const reason = getText(getMapping(whole, 'deploy', sourceKeys.deploy), 'write_lock') ?? getText(whole, 'write_lock')
  return reason === '' ? undefined : reason
}

function parseForge(whole: Mapping): SourcesFile['forge'] {
  const forge = getMapping(whole, 'forge', sourceKeys.forge)
  const baseurl = getText(forge, 'baseurl') || undefined
  const authorizationToken = getText(forge, 'authorization_token') || undefined
  if (baseurl !== undefined) checkForgeAddress(baseurl, authorizationToken !== undefined, whole.notes)
  // The token becomes a request header. It is a secret, so the message does not repeat it.
  if (authorizationToken !== undefined && /[^\x20-\x7e]/.test(authorizationToken))
    failSourcesFile(whole.notes, 'forge.authorization_token contains invalid characters')
  return { baseurl, proxy: getForgeProxy(forge, whole), authorizationToken }
}

/** Returns the proxy of the Forge, or the general proxy. Forge modules support HTTP proxies only. */
function getForgeProxy(forge: Mapping, whole: Mapping): string | undefined {
  const own = getText(forge, 'proxy') || undefined
  if (own !== undefined && !parseProxyUrl(own))
    failSourcesFile(whole.notes, 'forge.proxy must be a URL such as http://proxy.example.com:3128')
  const general = getText(whole, 'proxy') || undefined
  return own ?? (general !== undefined && parseProxyUrl(general) ? general : undefined)
}

/** Local hosts, to which plain http crosses no network. */
const ownHost = /^(?:localhost|127\.[\d.]+|\[::1\])$/

function checkForgeAddress(baseurl: string, hasToken: boolean, notes: ReadingNotes): void {
  const url = URL.canParse(baseurl) ? new URL(baseurl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '')
    failSourcesFile(notes, 'forge.baseurl must be https://HOST/PATH or http://HOST/PATH, without a user')
  else if (hasToken && url.protocol === 'http:' && !ownHost.test(url.hostname))
    failSourcesFile(notes, 'forge.authorization_token is not sent over plain HTTP: forge.baseurl must use https')
}

/** The parts of the file that provide defaults for a source's settings. */
interface Inheritance {
  readonly whole: Mapping
  readonly git: Mapping
  readonly repositories: readonly Mapping[]
}

function getInheritance(whole: Mapping): Inheritance {
  const git = getMapping(whole, 'git', sourceKeys.git)
  const listed = git.values['repositories'] ?? []
  if (!Array.isArray(listed)) failSourcesFile(whole.notes, 'git.repositories must be an array')
  const repositories = (listed as readonly unknown[]).map((each) =>
    toMapping(each, 'git.repositories', whole.notes, sourceKeys.repository),
  )
  return { whole, git, repositories }
}

/** Valid names of sources, which become part of refs and of a folder. */
const sourceName = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,63}$/

function parseSource(own: Mapping, name: string, inherited: Inheritance, defaults: SourceDefaults): CodeSource {
  const { notes, place } = own
  if (!sourceName.test(name) || name.endsWith('.lock'))
    failSourcesFile(notes, `'${name}' is not a valid source name: use letters, digits, _, - and .`)
  const type = getText(own, 'type') ?? 'git'
  if (type !== 'git') failSourcesFile(notes, `the type ${type} of ${place} is not supported; only git is`)
  const repository = listRepositoryEntries(own, inherited)
  const followed = parseFollowedRemote(own, inherited, defaults)
  const { remote, access } = followed
  return {
    name,
    ...followed,
    review: parseReviewAccess(own, inherited.whole, { remote, tokenFile: access.tokenFile }),
    prefix: parsePrefix(own, name),
    ignoredPrefixes: [own, ...repository].flatMap((each) => getTexts(each, 'ignore_branch_prefixes') ?? []),
    invalidBranches: parseInvalidBranches(own),
    stripped: parseStripComponent(own),
    filter: parsePattern(own, 'filter_regex', getText(own, 'filter_regex')),
    refs: parseRefPatterns(own),
    environments: parseEnvironments(own),
    webhookSecretFile: createInheritedReader(own, inherited)(getPath, 'webhook_secret') ?? defaults.webhookSecretFile,
  }
}

function parseDeployedRemote(inherited: Inheritance, defaults: SourceDefaults): FollowedRemote | undefined {
  if (inherited.whole.values['deployed'] === undefined) return undefined
  return parseFollowedRemote(getMapping(inherited.whole, 'deployed', sourceKeys.deployed), inherited, defaults)
}

/** Returns the entries for the source's remote in the list of repositories. */
function listRepositoryEntries(own: Mapping, { repositories }: Inheritance): readonly Mapping[] {
  return repositories.filter((each) => each.values['remote'] === own.values['remote'])
}

/**
 * Returns a function that reads a key from the first part that contains it: the source, the list of repositories,
 * `git`, the top level.
 */
function createInheritedReader(own: Mapping, inherited: Inheritance) {
  const chain = [own, ...listRepositoryEntries(own, inherited), inherited.git, inherited.whole]
  return <Value>(read: (from: Mapping, key: string) => Value | undefined, key: string): Value | undefined => {
    for (const each of chain) {
      const value = read(each, key)
      if (value !== undefined) return value
    }
    return undefined
  }
}

function parseFollowedRemote(own: Mapping, inherited: Inheritance, defaults: SourceDefaults): FollowedRemote {
  const { notes, place } = own
  const remote = parseRemote(getText(own, 'remote') ?? failSourcesFile(notes, `${place} has no remote`), notes)
  if (remote.password !== undefined)
    notes.warnings.push(
      `The remote of ${place} contains a password: move it to a file, and set oauth_token to that file`,
    )
  const first = createInheritedReader(own, inherited)
  const usual = remote.protocol === 'file' ? Math.min(localIntervalMs, defaults.intervalMs) : defaults.intervalMs
  return {
    remote,
    access: {
      username: first(getText, 'username'),
      tokenFile: first(getPath, 'oauth_token'),
      privateKey: first(getPath, 'private_key'),
      knownHosts: first(getPath, 'known_hosts'),
      authorities: first(getPath, 'ssl_ca'),
      proxy: parseProxy(first(getText, 'proxy'), own),
    },
    intervalMs: Math.max(leastIntervalMs, first(getDuration, 'interval') ?? usual),
    timeoutMs: first(getDuration, 'timeout') ?? defaults.timeoutMs,
    maxBytes: first(getPositiveInteger, 'max_bytes') ?? defaults.maxBytes,
  }
}

function parseRemote(text: string, notes: ReadingNotes) {
  try {
    return parseRemoteAddress(text)
  } catch (error) {
    return failSourcesFile(notes, formatErrorReason(error))
  }
}

/** Returns the prefix with `_`. As in r10k, `true` means the source's name. */
function parsePrefix(own: Mapping, name: string): string {
  const { notes, place } = own
  const given = own.values['prefix'] ?? false
  if (typeof given !== 'boolean' && typeof given !== 'string')
    failSourcesFile(notes, `prefix of ${place} must be true, false or a string`)
  if (given === false) return ''
  const prefix = given === true ? name : String(given)
  const sound = replaceInvalidCharacters(prefix)
  // r10k would create folders with such names, which Puppet does not accept as environments.
  if (sound !== prefix)
    notes.warnings.push(
      `The prefix ${prefix} of ${place} becomes ${sound}: environment names allow only a-z, A-Z, 0-9 and _`,
    )
  return `${sound}_`
}

const treatments = ['correct', 'correct_and_warn', 'error'] as const

function parseInvalidBranches(own: Mapping): CodeSource['invalidBranches'] {
  const given = getText(own, 'invalid_branches') ?? getText(own, 'autocorrect_environment_names') ?? 'correct_and_warn'
  const found = treatments.find((each) => each === given)
  return (
    found ??
    failSourcesFile(
      own.notes,
      `invalid_branches of ${own.place} must be one of ${treatments.join(', ')}, not '${given}'`,
    )
  )
}

function parseStripComponent(own: Mapping): CodeSource['stripped'] {
  const given = own.values['strip_component'] === false ? undefined : getText(own, 'strip_component')
  const [, source] = /^\/(.*)\/$/.exec(given ?? '') ?? []
  return source === undefined ? given : parsePattern(own, 'strip_component', source)
}

function parsePattern({ notes, place }: Mapping, key: string, source: string | undefined): ForeignPattern | undefined {
  if (source === undefined || source === '') return undefined
  try {
    return compileLinearPattern(source)
  } catch (error) {
    return failSourcesFile(notes, `${key} of ${place}: ${formatErrorReason(error)}`)
  }
}

function parseRefPatterns(own: Mapping): readonly RefPattern[] | undefined {
  return getTexts(own, 'refs')?.map((text) => {
    const isExcluding = text.startsWith('!')
    const pattern = text.slice(isExcluding ? 1 : 0).replace(/^refs\//, '')
    const kind = pattern.startsWith('tags/') ? 'tags' : 'heads'
    try {
      return { kind, isExcluding, glob: compileDottedNameGlob(pattern.replace(/^(?:tags|heads)\//, '')) }
    } catch (error) {
      return failSourcesFile(own.notes, `refs of ${own.place}: ${formatErrorReason(error)}`)
    }
  })
}

function parseEnvironments(own: Mapping): ReadonlyMap<string, string> {
  const named = getMapping(own, 'environments')
  return new Map(
    Object.keys(named.values).map((name) => {
      if (!isEnvironmentName(name))
        failSourcesFile(own.notes, `'${name}' of ${named.place} is not a valid environment name`)
      const ref = getText(named, name) ?? ''
      if (!isSafeRef(ref))
        failSourcesFile(own.notes, `${name} of ${named.place} must be a branch, a tag or a full commit ID`)
      return [name, ref]
    }),
  )
}

function parseProxy(proxy: string | undefined, { notes, place }: Mapping): string | undefined {
  if (proxy === undefined || proxy === '') return undefined
  if (/^(?:https?|socks5h?):\/\//.test(proxy) && URL.canParse(proxy)) return proxy
  return failSourcesFile(notes, `proxy of ${place} must be a URL such as http://proxy.example.com:3128`)
}
