import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, isCatalogIssue, isIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { Slots } from '../../base/threads/slots.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import { gitIssues } from '../../code/git/issues.ts'
import { redactRemote } from '../../code/git/remotes/remote.ts'
import { remoteIssues } from '../../code/git/remotes/remote-issues.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ArchiveKind } from '../../machine/archive/archive.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { createProxySelector, type ProxySettings } from '../../network/client/proxy.ts'
import type { DeclaredModule } from '../puppetfile/module-declaration.ts'
import { importModuleArchive, resolveTree } from './archive-tree.ts'
import { type ModuleDownload, withDownload } from './download.ts'
import type { FetchedModule, FetchRequest, ModuleFetcher } from './fetched-module.ts'
import { type Forge, getForgeHeaders, getForgeRelease, resolveForgeVersion } from './forge.ts'
import { readHostCredentials } from './git-access.ts'
import { GitModules } from './git-modules.ts'
import { moduleIssues as issues } from './issues.ts'
import type { ModuleWeb } from './module-http-client.ts'
import { formatArchiveRef } from './module-refs.ts'
import { checkModuleTree, removeSpecFolder } from './module-tree.ts'
import { openModuleWeb } from './open-module-web.ts'
import { getConfiguredForge, type ServerForge } from './server-forge.ts'
import { SharedOperation } from './shared-operation.ts'

/** Settings for fetching modules. */
export type ModuleFetcherSettings = ProxySettings &
  Pick<
    Settings,
    | 'puppetfile_sources'
    | 'module_repository'
    | 'forge_token_file'
    | 'git_ssh_key'
    | 'git_known_hosts'
    | 'git_token_files'
    | 'module_ca_file'
    | 'module_fetch_timeout'
    | 'max_module_fetch_bytes'
    | 'max_module_archive_bytes'
    | 'max_module_bytes'
  >

/** A fetcher that must be closed. */
export interface OpenModuleFetcher extends ModuleFetcher {
  close(): Promise<void>
}

/** Size of the cache of checked commits and trees, which avoids repeated checks for several branches. */
const provenTrees = 10_000

/** Opens a fetcher of modules into a repository. Throws PUPPETFILE_SOURCES, TOKEN_HOSTS. */
export function openModuleFetcher(
  place: GitPlace,
  settings: ModuleFetcherSettings,
  ownForge: ServerForge = getConfiguredForge(settings),
): OpenModuleFetcher {
  const proxyTo = createProxySelector(settings)
  const web = openModuleWeb(settings, ownForge)
  const slots = new Slots({ atOnce: budgets.module.atOnce.bound })
  const timeoutMs = Math.min(settings.module_fetch_timeout * 1000, 2 ** 31 - 1)
  const gitModules = new GitModules({
    ...{ place, slots, timeoutMs, web, proxyTo, means: readHostCredentials(settings) },
    maxBytes: settings.max_module_fetch_bytes,
  })
  const fetching = new Fetching({ place, settings, ownForge, web, slots, timeoutMs, gitModules })
  return {
    place,
    fetch: (module, request) => fetching.fetch(module, request),
    close: () => web.close(),
  }
}

interface Parts {
  readonly place: GitPlace
  readonly settings: ModuleFetcherSettings
  readonly ownForge: ServerForge
  readonly web: ModuleWeb
  readonly slots: Slots
  readonly timeoutMs: number
  readonly gitModules: GitModules
}

/** The fetched content of a module. */
type Content = Pick<FetchedModule, 'tree' | 'resolved' | 'sha256'>

class Fetching {
  readonly #parts: Parts
  readonly #proven = new LRUCache<string, string>({ max: provenTrees, fetchMethod: (commit) => this.#prove(commit) })
  readonly #trimmed = new LRUCache<string, string>({
    max: provenTrees,
    fetchMethod: (tree) => removeSpecFolder(this.#parts.place, tree),
  })
  /** Running downloads of archives by ref. */
  readonly #archives = new Map<string, SharedOperation<Imported>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async fetch(module: DeclaredModule, request: FetchRequest): Promise<FetchedModule> {
    try {
      const content = await this.#content(module, request)
      const tree = module.excludesSpec ? await this.#trimmed.forceFetch(content.tree) : content.tree
      return { module, ...content, tree }
    } catch (error) {
      request.signal?.throwIfAborted()
      const { why, hint } = this.#troubleIn(error)
      const { title, line } = module
      throw createPuppetError(issues.MODULE_FAILED, {
        module: title,
        line,
        place: formatModuleLocation(module),
        why,
        hint,
      })
    }
  }

  /** Returns the message and hint of an error. Rethrows an unexpected error. */
  #troubleIn(error: unknown): { readonly why: string; readonly hint: string | undefined } {
    if (error instanceof PuppetError) {
      const { message, hint } = error.diagnostic
      return {
        why: message,
        hint: isCatalogIssue(error, remoteIssues) && hint !== undefined ? replaceSettingNames(hint) : hint,
      }
    }
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return {
        why: `it took longer than ${this.#parts.timeoutMs / 1000} seconds`,
        hint: 'Increase module_fetch_timeout.',
      }
    if (getSystemErrorCode(error) === undefined) throw error
    return { why: formatError(error), hint: undefined }
  }

  async #content(module: DeclaredModule, request: FetchRequest): Promise<Content> {
    const { source } = module
    switch (source.kind) {
      case 'git': {
        const commit = await this.#parts.gitModules.resolveCommit(source, request)
        return { resolved: commit, tree: await this.#proven.forceFetch(commit) }
      }
      case 'forge':
        return this.#forgeModule(module, source.version, request)
      case 'tarball':
        return this.#tarball(source.url, request.locked?.resolved ?? source.sha256, request)
      case 'local':
        return this.#ownFolder(module.path, request)
    }
  }

  async #ownFolder(path: string, { commit }: FetchRequest): Promise<Content> {
    const { place } = this.#parts
    try {
      const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit ?? ''}:${path}`]
      const tree = await resolveTree(place, (await runGit(place, words)).toString().trim())
      return { tree, resolved: tree }
    } catch (error) {
      return isIssue(error, gitIssues.GIT_FAILED)
        ? throwIssue(issues.MODULE_NOT_THERE, { path })
        : Promise.reject(error)
    }
  }

  async #forgeModule(
    { owner = '', name, source }: DeclaredModule,
    words: string,
    request: FetchRequest,
  ): Promise<Content> {
    const { ownForge, web } = this.#parts
    const url = ('forge' in source ? source.forge : undefined) ?? ownForge.url
    const forge: Forge = { url, authorization: url === ownForge.url ? await ownForge.authorization() : undefined }
    const slug = `${owner}-${name}`
    const version =
      request.locked?.resolved ??
      (await resolveForgeVersion(web, forge, { slug, version: words }, this.#within(request.signal)))
    const ref = formatArchiveRef('forge', url, slug, version)
    const kept = await this.#kept(ref)
    const { tree, sha256 } =
      kept ??
      (await this.#archive(ref, request, async (signal) => {
        const { archive, sha256, md5 } = await getForgeRelease(web, forge, { slug, version }, signal)
        web.mustBeAllowed(archive)
        return { kind: 'forge', url: archive, headers: getForgeHeaders(forge, archive), sha256, md5 }
      }))
    return { tree, sha256, resolved: version }
  }

  async #tarball(url: string, sha256: string | undefined, request: FetchRequest): Promise<Content> {
    // Without a digest, an archive can be identified only after its download.
    const ref = sha256 === undefined ? formatArchiveRef('tarball', url, 'any') : formatArchiveRef('tarball', sha256)
    const kept = sha256 === undefined ? undefined : await this.#kept(ref)
    const order = { kind: 'tarball', url: new URL(url), headers: {}, sha256, md5: undefined } as const
    const archive = kept ?? (await this.#archive(ref, request, async () => order))
    return { ...archive, resolved: archive.sha256 }
  }

  /** Returns the tree and digest of an archive that was imported earlier. */
  async #kept(ref: string): Promise<Imported | undefined> {
    const listed = await runGit(this.#parts.place, ['for-each-ref', '--format=%(tree) %(contents:subject)', '--', ref])
    const [, tree = '', sha256 = ''] = /^([0-9a-f]{40,64}) sha256 ([0-9a-f]{64})\n$/.exec(listed.toString()) ?? []
    return tree === '' ? undefined : { tree, sha256 }
  }

  /** Downloads and imports an archive, once for concurrent callers. */
  async #archive(
    ref: string,
    { signal: wanted }: FetchRequest,
    ask: (signal: AbortSignal) => Promise<ArchiveOrder>,
  ): Promise<Imported> {
    const before = this.#archives.get(ref)
    if (before) return before.join(wanted)
    const work = new SharedOperation(async (given) => {
      const signal = this.#within(given)
      try {
        return await this.#parts.slots.run(async () => this.#imported(ref, await ask(signal), signal))
      } finally {
        this.#archives.delete(ref)
      }
    })
    this.#archives.set(ref, work)
    return work.join(wanted)
  }

  #imported(ref: string, { kind, ...order }: ArchiveOrder, signal: AbortSignal): Promise<Imported> {
    const { place, settings, web } = this.#parts
    const { max_module_archive_bytes: maxBytes, max_module_bytes: bytes } = settings
    return withDownload(web, { ...order, maxBytes, signal }, async ({ open, bytes: packed, sha256 }) => {
      const bounds = { packed, bytes, setting: 'max_module_bytes' }
      const tree = await importModuleArchive(place, { open, kind, bounds, ref, message: `sha256 ${sha256}\n` })
      return { tree, sha256 }
    })
  }

  async #prove(commit: string): Promise<string> {
    const { place, settings } = this.#parts
    const tree = await resolveTree(place, commit)
    await checkModuleTree(place, tree, settings.max_module_bytes)
    return tree
  }

  /** Returns a signal that also aborts after the time limit of one request. */
  #within(signal: AbortSignal | undefined): AbortSignal {
    const late = AbortSignal.timeout(this.#parts.timeoutMs)
    return signal ? AbortSignal.any([signal, late]) : late
  }
}

/** The tree and digest of an imported archive. */
interface Imported {
  readonly tree: string
  readonly sha256: string
}

type ArchiveOrder = Omit<ModuleDownload, 'maxBytes' | 'signal'> & { readonly kind: ArchiveKind }

/**
 * Keys of the sources file that occur in hints about remotes, with the settings that replace them
 * in hints about modules.
 */
const settingsOfKeys = [
  ['oauth_token', 'git_token_files'],
  ['private_key', 'git_ssh_key'],
  ['the file that known_hosts names', 'the file in git_known_hosts'],
  ['ssl_ca', 'module_ca_file'],
  ['code_fetch_timeout, or the key timeout of the source', 'module_fetch_timeout'],
  ['max_code_fetch_bytes, or the key max_bytes of the source', 'max_module_fetch_bytes'],
] as const

function replaceSettingNames(hint: string): string {
  return settingsOfKeys.reduce((text, [key, setting]) => text.replace(key, setting), hint)
}

/** Returns the location of a module for messages, without secrets. */
function formatModuleLocation({ source, owner, name, path }: DeclaredModule): string {
  if (source.kind === 'forge') return `${owner}-${name} of ${source.forge ?? 'the Forge'}`
  return source.kind === 'local' ? path : redactRemote(source.url)
}
