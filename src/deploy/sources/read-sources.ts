import { budgets } from '../../base/budgets/budgets.ts'
import { dottedNameGlob } from '../../base/text/glob.ts'
import { type ForeignPattern, linearPattern } from '../../base/text/linear-pattern.ts'
import { isEnvironmentName } from '../../code/environments/environment-name.ts'
import { isSafeRef } from '../../code/git/names.ts'
import { readRemote } from '../../code/git/remotes/remote.ts'
import { reasonText } from '../../language/ruby-semantics/errno.ts'
import { symbolsAsNames } from '../../language/ruby-semantics/yaml/permitted-classes.ts'
import { yamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { proxyOfUrl } from '../../network/client/proxy.ts'
import type { CodeSource, FollowedRemote, RefPattern, SourcesFile } from './code-source.ts'
import { corrected } from './environment-of-ref.ts'
import {
  durationAt,
  type Mapping,
  mapping,
  type Notes,
  numberAt,
  pathAt,
  textAt,
  textsAt,
  top,
  within,
  wrong,
} from './mapping.ts'
import { sourceKeys } from './source-keys.ts'

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
  const notes: Notes = { file, idle: [], warnings: [] }
  const whole = mapping(dataOf(text, notes), top, notes, sourceKeys.top)
  const inherited = inheritance(whole)
  const sources = Object.keys(within(whole, 'sources').values).map((name) =>
    sourceOf(within(within(whole, 'sources'), name, sourceKeys.source), name, inherited, defaults),
  )
  const { bound } = budgets.environment.sources
  if (sources.length === 0) wrong(notes, 'it names no source')
  if (sources.length > bound) wrong(notes, `it names more than ${bound} sources`)
  const [writeLock, forge, deployed] = [writeLockOf(whole), forgeOf(whole), deployedOf(inherited, defaults)]
  const { idle, warnings } = notes
  if (idle.length > 0) warnings.push(`Without an effect here, where nothing is checked out: ${idle.join(', ')}`)
  return { sources, deployed, writeLock, forge, warnings }
}

function dataOf(text: string, notes: Notes): unknown {
  const { bound } = budgets.environment.sourcesFile
  if (text.length > bound) wrong(notes, `it has more than ${bound} characters`)
  try {
    return yamlToJson(text, symbolsAsNames)
  } catch (error) {
    return wrong(notes, reasonText(error))
  }
}

function writeLockOf(whole: Mapping): string | undefined {
  const reason = textAt(within(whole, 'deploy', sourceKeys.deploy), 'write_lock') ?? textAt(whole, 'write_lock')
  return reason === '' ? undefined : reason
}

function forgeOf(whole: Mapping): SourcesFile['forge'] {
  const forge = within(whole, 'forge', sourceKeys.forge)
  const baseurl = textAt(forge, 'baseurl') || undefined
  const authorizationToken = textAt(forge, 'authorization_token') || undefined
  if (baseurl !== undefined) proveForge(baseurl, authorizationToken !== undefined, whole.notes)
  // The token becomes a request header. It is a secret, so the message does not repeat it.
  if (authorizationToken !== undefined && /[^\x20-\x7e]/.test(authorizationToken))
    wrong(whole.notes, 'forge.authorization_token has characters that no token has')
  return { baseurl, proxy: forgeProxyOf(forge, whole), authorizationToken }
}

/** Returns the proxy of the Forge, or the general proxy. Forge modules support HTTP proxies only. */
function forgeProxyOf(forge: Mapping, whole: Mapping): string | undefined {
  const own = textAt(forge, 'proxy') || undefined
  if (own !== undefined && !proxyOfUrl(own))
    wrong(whole.notes, 'forge.proxy has to be a URL such as http://proxy.example.com:3128')
  const general = textAt(whole, 'proxy') || undefined
  return own ?? (general !== undefined && proxyOfUrl(general) ? general : undefined)
}

/** Local hosts, to which plain http crosses no network. */
const ownHost = /^(?:localhost|127\.[\d.]+|\[::1\])$/

function proveForge(baseurl: string, hasToken: boolean, notes: Notes): void {
  const url = URL.canParse(baseurl) ? new URL(baseurl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '')
    wrong(notes, 'forge.baseurl has to be https://HOST/PATH or http://HOST/PATH, without a user')
  else if (hasToken && url.protocol === 'http:' && !ownHost.test(url.hostname))
    wrong(notes, 'forge.authorization_token is not sent by http: forge.baseurl has to be https')
}

/** The parts of the file that provide defaults for a source's settings. */
interface Inheritance {
  readonly whole: Mapping
  readonly git: Mapping
  readonly repositories: readonly Mapping[]
}

function inheritance(whole: Mapping): Inheritance {
  const git = within(whole, 'git', sourceKeys.git)
  const listed = git.values['repositories'] ?? []
  if (!Array.isArray(listed)) wrong(whole.notes, 'git.repositories has to be a list')
  const repositories = (listed as readonly unknown[]).map((each) =>
    mapping(each, 'git.repositories', whole.notes, sourceKeys.repository),
  )
  return { whole, git, repositories }
}

/** Valid names of sources, which become part of refs and of a folder. */
const sourceName = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,63}$/

function sourceOf(own: Mapping, name: string, inherited: Inheritance, defaults: SourceDefaults): CodeSource {
  const { notes, place } = own
  if (!sourceName.test(name) || name.endsWith('.lock'))
    wrong(notes, `'${name}' is no name of a source: letters, digits, _, - and . make one`)
  const type = textAt(own, 'type') ?? 'git'
  if (type !== 'git') wrong(notes, `the type ${type} of ${place} is not git, and nothing else is fetched`)
  const repository = repositoriesOf(own, inherited)
  return {
    name,
    ...followedRemote(own, inherited, defaults),
    prefix: prefixOf(own, name),
    ignoredPrefixes: [own, ...repository].flatMap((each) => textsAt(each, 'ignore_branch_prefixes') ?? []),
    invalidBranches: invalidBranchesOf(own),
    stripped: strippedOf(own),
    filter: patternAt(own, 'filter_regex', textAt(own, 'filter_regex')),
    refs: refsOf(own),
    environments: environmentsOf(own),
    webhookSecretFile: inheritedBy(own, inherited)(pathAt, 'webhook_secret') ?? defaults.webhookSecretFile,
  }
}

function deployedOf(inherited: Inheritance, defaults: SourceDefaults): FollowedRemote | undefined {
  if (inherited.whole.values['deployed'] === undefined) return undefined
  return followedRemote(within(inherited.whole, 'deployed', sourceKeys.deployed), inherited, defaults)
}

/** Returns the entries for the source's remote in the list of repositories. */
function repositoriesOf(own: Mapping, { repositories }: Inheritance): readonly Mapping[] {
  return repositories.filter((each) => each.values['remote'] === own.values['remote'])
}

/**
 * Returns a function that reads a key from the first part that contains it: the source, the list of repositories,
 * `git`, the top level.
 */
function inheritedBy(own: Mapping, inherited: Inheritance) {
  const chain = [own, ...repositoriesOf(own, inherited), inherited.git, inherited.whole]
  return <Value>(read: (from: Mapping, key: string) => Value | undefined, key: string): Value | undefined => {
    for (const each of chain) {
      const value = read(each, key)
      if (value !== undefined) return value
    }
    return undefined
  }
}

function followedRemote(own: Mapping, inherited: Inheritance, defaults: SourceDefaults): FollowedRemote {
  const { notes, place } = own
  const remote = remoteOf(textAt(own, 'remote') ?? wrong(notes, `${place} has no remote`), notes)
  if (remote.password !== undefined)
    notes.warnings.push(`The remote of ${place} holds a password: keep it in a file, and name that with oauth_token`)
  const first = inheritedBy(own, inherited)
  const usual = remote.protocol === 'file' ? Math.min(localIntervalMs, defaults.intervalMs) : defaults.intervalMs
  return {
    remote,
    access: {
      username: first(textAt, 'username'),
      tokenFile: first(pathAt, 'oauth_token'),
      privateKey: first(pathAt, 'private_key'),
      knownHosts: first(pathAt, 'known_hosts'),
      authorities: first(pathAt, 'ssl_ca'),
      proxy: proxyOf(first(textAt, 'proxy'), own),
    },
    intervalMs: Math.max(leastIntervalMs, first(durationAt, 'interval') ?? usual),
    timeoutMs: first(durationAt, 'timeout') ?? defaults.timeoutMs,
    maxBytes: first(numberAt, 'max_bytes') ?? defaults.maxBytes,
  }
}

function remoteOf(text: string, notes: Notes) {
  try {
    return readRemote(text)
  } catch (error) {
    return wrong(notes, reasonText(error))
  }
}

/** Returns the prefix with `_`. As in r10k, `true` means the source's name. */
function prefixOf(own: Mapping, name: string): string {
  const { notes, place } = own
  const given = own.values['prefix'] ?? false
  if (typeof given !== 'boolean' && typeof given !== 'string')
    wrong(notes, `prefix of ${place} has to be true, false or a text`)
  if (given === false) return ''
  const prefix = given === true ? name : String(given)
  const sound = corrected(prefix)
  // r10k would create folders with such names, which Puppet does not accept as environments.
  if (sound !== prefix)
    notes.warnings.push(`The prefix ${prefix} of ${place} is taken as ${sound}: no environment has such a name`)
  return `${sound}_`
}

const treatments = ['correct', 'correct_and_warn', 'error'] as const

function invalidBranchesOf(own: Mapping): CodeSource['invalidBranches'] {
  const given = textAt(own, 'invalid_branches') ?? textAt(own, 'autocorrect_environment_names') ?? 'correct_and_warn'
  const found = treatments.find((each) => each === given)
  return (
    found ?? wrong(own.notes, `invalid_branches of ${own.place} is one of ${treatments.join(', ')}, not '${given}'`)
  )
}

function strippedOf(own: Mapping): CodeSource['stripped'] {
  const given = own.values['strip_component'] === false ? undefined : textAt(own, 'strip_component')
  const [, source] = /^\/(.*)\/$/.exec(given ?? '') ?? []
  return source === undefined ? given : patternAt(own, 'strip_component', source)
}

function patternAt({ notes, place }: Mapping, key: string, source: string | undefined): ForeignPattern | undefined {
  if (source === undefined || source === '') return undefined
  try {
    return linearPattern(source)
  } catch (error) {
    return wrong(notes, `${key} of ${place}: ${reasonText(error)}`)
  }
}

function refsOf(own: Mapping): readonly RefPattern[] | undefined {
  return textsAt(own, 'refs')?.map((text) => {
    const isExcluding = text.startsWith('!')
    const pattern = text.slice(isExcluding ? 1 : 0).replace(/^refs\//, '')
    const kind = pattern.startsWith('tags/') ? 'tags' : 'heads'
    try {
      return { kind, isExcluding, glob: dottedNameGlob(pattern.replace(/^(?:tags|heads)\//, '')) }
    } catch (error) {
      return wrong(own.notes, `refs of ${own.place}: ${reasonText(error)}`)
    }
  })
}

function environmentsOf(own: Mapping): ReadonlyMap<string, string> {
  const named = within(own, 'environments')
  return new Map(
    Object.keys(named.values).map((name) => {
      if (!isEnvironmentName(name)) wrong(own.notes, `'${name}' of ${named.place} is no name of an environment`)
      const ref = textAt(named, name) ?? ''
      if (!isSafeRef(ref))
        wrong(own.notes, `${name} of ${named.place} has to be a branch, a tag or the whole id of a commit`)
      return [name, ref]
    }),
  )
}

function proxyOf(proxy: string | undefined, { notes, place }: Mapping): string | undefined {
  if (proxy === undefined || proxy === '') return undefined
  if (/^(?:https?|socks5h?):\/\//.test(proxy) && URL.canParse(proxy)) return proxy
  return wrong(notes, `proxy of ${place} has to be a URL such as http://proxy.example.com:3128`)
}
