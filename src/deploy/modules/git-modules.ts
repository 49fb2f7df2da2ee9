import { hash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { isIssue, throwIssue } from '../../base/issue.ts'
import { ignoreMissingFile } from '../../base/system-error.ts'
import type { Slots } from '../../base/threads/slots.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import { gitIssues } from '../../code/git/issues.ts'
import { isOid, isSafeRef } from '../../code/git/ref-names.ts'
import { parseRemoteAddress, type Remote } from '../../code/git/remotes/remote.ts'
import { runRemoteGit } from '../../code/git/remotes/remote-git.ts'
import { remoteIssues } from '../../code/git/remotes/remote-issues.ts'
import { mirrorRemote } from '../../code/git/remotes/remote-mirror.ts'
import { listRefsBelow, moveRefs } from '../../code/git/remotes/source-store.ts'
import type { ModuleSource, WantedCommit } from '../puppetfile/module-declaration.ts'
import type { FetchRequest } from './fetched-module.ts'
import { createGitAccess, type GitCredentials } from './git-access.ts'
import { moduleIssues as issues } from './issues.ts'
import { modulesPrefix } from './module-refs.ts'
import { SharedOperation } from './shared-operation.ts'

/** The repository for objects of modules, and limits for fetches. */
export interface GitModulesOptions extends GitCredentials {
  readonly place: GitPlace
  readonly slots: Slots
  readonly timeoutMs: number
  readonly maxBytes: number
}

type GitSource = ModuleSource & { readonly kind: 'git' }

/** Number of cached object-to-commit lookups. */
const knownCommits = 10_000

interface Known {
  readonly remote: Remote
  /** Prefix of the remote's refs. */
  readonly prefix: string
  /** Refs without the prefix; `undefined` until they are read. */
  refs: ReadonlyMap<string, string> | undefined
  running: SharedOperation<void> | undefined
  /** Start of the last successful fetch. */
  freshAt: number
  failed: { readonly at: number; readonly error: unknown } | undefined
}

/** Fetches modules from git repositories: each remote once, into hidden refs of its own. */
export class GitModules {
  readonly #options: GitModulesOptions
  readonly #remotes = new Map<string, Known>()
  /** Cache of commits by object id, which never becomes outdated. */
  readonly #commits = new LRUCache<string, string>({ max: knownCommits, fetchMethod: (oid) => this.#read(oid) })
  #swept = false

  constructor(options: GitModulesOptions) {
    this.#options = options
  }

  /**
   * Returns the commit of a module. A pinned commit that is present needs no network. Throws
   * MODULE_NO_REF, REMOTE_…, GIT_….
   */
  async resolveCommit(source: GitSource, request: FetchRequest): Promise<string> {
    const known = this.#known(source.url)
    const locked = request.locked?.resolved
    if (locked !== undefined) return this.#pinned(known, locked, request)
    const { wanted } = source
    if (wanted.kind === 'commit' || wanted.kind === 'ref') {
      if (isOid(wanted.name)) return this.#pinned(known, wanted.name, request, source)
    }
    const here = isPinnedRef(wanted) ? await this.#resolve(known, wanted) : undefined
    // Tags do not move; r10k does not fetch them again either (git/stateful_repository.rb).
    if (here !== undefined && (wanted.kind !== 'ref' || (await this.#refs(known)).has(`tags/${wanted.name}`)))
      return here
    await this.#fetch(known, [], request)
    return this.#named(known, source, request)
  }

  async #named(known: Known, source: GitSource, { branch, signal }: FetchRequest): Promise<string> {
    const { wanted, defaultBranch, otherBranches = [] } = source
    const defaults = defaultBranch === undefined ? [] : [defaultBranch, ...otherBranches]
    const first = wanted.kind === 'control_branch' ? ({ kind: 'branch', name: branch } as const) : wanted
    const ways: readonly Exclude<WantedCommit, { readonly kind: 'control_branch' }>[] = [
      first,
      ...defaults.map((name) => ({ kind: 'ref', name }) as const),
    ]
    for (const way of ways) {
      const commit = way.kind === 'head' ? await this.#head(known, signal) : await this.#resolve(known, way)
      if (commit !== undefined) return commit
    }
    const names = [...(await this.#refs(known)).keys()].filter((ref) => !ref.startsWith('commits/'))
    const name = 'name' in first ? first.name : 'HEAD'
    return throwIssue(issues.MODULE_NO_REF, {
      ...{ wanted: name, defaults },
      known: names.map((ref) => ref.slice(ref.indexOf('/') + 1)).sort(),
    })
  }

  /**
   * Returns a commit by its full id, if this remote has it; commits of other remotes in the store
   * do not count.
   */
  async #pinned(known: Known, oid: string, request: FetchRequest, source?: GitSource): Promise<string> {
    if (!isOid(oid)) return throwIssue(issues.MODULE_NO_REF, { wanted: oid, defaults: [], known: [] })
    if (await this.#has(known, oid)) return oid
    // The commit may not be on any branch now; Git hosts still serve it by id.
    await this.#fetch(known, [], request)
    if (!(await this.#has(known, oid)) && (await this.#isGiven(known, oid, request.signal)))
      await this.#fetch(known, [oid], request)
    if (await this.#has(known, oid)) return oid
    const { defaultBranch, otherBranches = [] } = source ?? {}
    const defaults = defaultBranch === undefined ? [] : [defaultBranch, ...otherBranches]
    for (const name of defaults) {
      const commit = await this.#resolve(known, { kind: 'ref', name })
      if (commit !== undefined) return commit
    }
    return throwIssue(issues.MODULE_NO_REF, { wanted: oid, defaults, known: [] })
  }

  /**
   * Resolves a name, first by its declared kind: branches for `:branch`, tags otherwise. r10k
   * accepts any name for any kind, tags first.
   */
  async #resolve(
    known: Known,
    wanted: Exclude<WantedCommit, { readonly kind: 'control_branch' | 'head' }>,
  ): Promise<string | undefined> {
    const { kind, name } = wanted
    if (!isSafeRef(name)) return undefined
    if (name === 'HEAD') return this.#head(known, undefined)
    const refs = await this.#refs(known)
    const places = kind === 'branch' ? ['heads', 'tags'] : ['tags', 'heads']
    const oid = places.map((place) => refs.get(`${place}/${name}`)).find((each) => each !== undefined)
    if (oid !== undefined) return this.#commit(oid)
    return /^[0-9a-f]{7,64}$/.test(name) ? this.#abbreviated(known, name) : undefined
  }

  /** Resolves an abbreviated commit id, if the remote has exactly one match. */
  async #abbreviated(known: Known, name: string): Promise<string | undefined> {
    const printed = await runGit(this.#options.place, ['rev-parse', `--disambiguate=${name}`])
    const found: string[] = []
    for (const oid of printed.toString().split('\n').filter(isOid).slice(0, 20))
      if (await this.#has(known, oid)) found.push(oid)
    return found.length === 1 ? found[0] : undefined
  }

  /** Returns true for a commit that a ref of the remote contains. */
  async #has({ prefix }: Known, oid: string): Promise<boolean> {
    const words = ['for-each-ref', '--count=1', `--contains=${oid}`, '--format=x', '--', prefix]
    try {
      return (await runGit(this.#options.place, words)).length > 0
    } catch (error) {
      // The object does not exist or is no commit.
      if (isIssue(error, gitIssues.GIT_FAILED)) return false
      throw error
    }
  }

  /**
   * Returns true for a commit that the remote serves. Git does not request objects that the store
   * already has from elsewhere, so an empty temporary repository requests only the commit and its
   * folders.
   */
  async #isGiven(known: Known, oid: string, signal: AbortSignal | undefined): Promise<boolean> {
    if ((await this.#commit(oid)) === undefined) return true
    const { place, timeoutMs, maxBytes } = this.#options
    const gitDir = join(
      place.gitDir,
      'plumb-incoming',
      `probe-${computeUrlDigest(`${known.remote.url} ${oid}`)}-${process.pid}`,
    )
    const aside = { gitDir, quarantine: false } as const
    try {
      await mkdir(gitDir, { recursive: true, mode: 0o700 })
      await runGit(aside, ['init', '--quiet', '--bare', '--template=', gitDir])
      await this.#following(known, (remote, access) =>
        runRemoteGit(
          [
            'fetch',
            '--quiet',
            '--no-tags',
            '--no-write-fetch-head',
            '--depth=1',
            '--filter=tree:0',
            '--',
            remote.url,
            oid,
          ],
          { gitDir, remote, access, timeoutMs, maxOutputBytes: Math.min(maxBytes, 65_536), signal },
        ),
      )
      return true
    } catch (error) {
      if (isIssue(error, remoteIssues.REMOTE_FAILED)) return false
      throw error
    } finally {
      await rm(gitDir, { recursive: true, force: true })
    }
  }

  /** Returns the commit of an object, tag or ref. */
  async #commit(name: string): Promise<string | undefined> {
    const known = isOid(name) ? await this.#commits.fetch(name) : undefined
    // The cached result that an object is missing may be older than the last fetch.
    return known ?? this.#read(name)
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
      return (await runGit(this.#options.place, words)).toString().trim()
    } catch (error) {
      if (isIssue(error, gitIssues.GIT_FAILED)) return undefined
      throw error
    }
  }

  /** Returns `master` if it exists, as in r10k; otherwise the last known HEAD of the remote. */
  async #head(known: Known, signal: AbortSignal | undefined): Promise<string | undefined> {
    const refs = await this.#refs(known)
    const master = refs.get('heads/master')
    if (master !== undefined) return this.#commit(master)
    const noted = `${modulesPrefix}heads/${computeUrlDigest(known.remote.url)}`
    try {
      const printed = await this.#talk(known, ['ls-remote', '--symref', '--', known.remote.url, 'HEAD'], signal)
      const [, name = ''] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(printed) ?? []
      const oid = refs.get(`heads/${name}`)
      if (oid !== undefined) await moveRefs(this.#options.place, [{ ref: noted, to: oid }])
      return oid && this.#commit(oid)
    } catch (error) {
      const commit = await this.#commit(noted)
      if (commit === undefined) throw error
      return commit
    }
  }

  async #refs(known: Known): Promise<ReadonlyMap<string, string>> {
    known.refs ??= await listRefsBelow(this.#options.place, known.prefix)
    return known.refs
  }

  #known(url: string): Known {
    const before = this.#remotes.get(url)
    if (before) return before
    const remote = parseRemoteAddress(url)
    const prefix = `${modulesPrefix}git/${computeUrlDigest(remote.url)}/`
    const known: Known = { remote, prefix, refs: undefined, running: undefined, freshAt: -1, failed: undefined }
    this.#remotes.set(url, known)
    return known
  }

  /** Fetches a remote, unless it was fetched since the requested time; concurrent callers share one fetch. */
  async #fetch(
    known: Known,
    commits: readonly string[],
    { freshSince = performance.now(), signal }: FetchRequest,
  ): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const lacks = commits.some((commit) => !known.refs?.has(`commits/${commit}`))
      if (known.freshAt >= freshSince && !lacks) return
      if (known.failed && known.failed.at >= freshSince) throw known.failed.error
      const { running } = known
      if (!running) break
      if (running.startedAt >= freshSince && commits.length === 0) return running.join(signal)
      await running.settled(signal)
    }
    const work = new SharedOperation<void>(async (all) => {
      const at = performance.now()
      try {
        await this.#options.slots.run(() => this.#mirror(known, commits, all))
        Object.assign(known, { freshAt: at, failed: undefined })
      } catch (error) {
        known.failed = { at, error }
        throw error
      } finally {
        known.running = undefined
      }
    })
    known.running = work
    await work.join(signal)
  }

  async #mirror(known: Known, commits: readonly string[], signal: AbortSignal): Promise<void> {
    const { place, timeoutMs, maxBytes } = this.#options
    const folder = join(place.gitDir, 'plumb-incoming')
    await this.#sweep(folder)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const before = await listRefsBelow(place, known.prefix)
    const kept = [...before.keys()]
      .filter((ref) => ref.startsWith('commits/'))
      .map((ref) => ref.slice('commits/'.length))
    await this.#following(known, async (remote, access) => {
      await mirrorRemote({
        ...{ store: place, prefix: known.prefix, remote, access, tags: true, timeoutMs, maxBytes, signal },
        incoming: join(folder, `${computeUrlDigest(known.remote.url)}-${process.pid}`),
        commits: [...new Set([...kept, ...commits])],
      })
    })
    known.refs = await listRefsBelow(place, known.prefix)
  }

  #talk(known: Known, words: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    const { place, timeoutMs } = this.#options
    return this.#following(known, (remote, access) => {
      const args = words.map((word) => (word === known.remote.url ? remote.url : word))
      return runRemoteGit(args, { gitDir: place.gitDir, remote, access, timeoutMs, maxOutputBytes: 65_536, signal })
    })
  }

  /** Runs an operation on a remote; follows a redirect if its target is allowed. */
  async #following<Result>(
    { remote }: Known,
    talk: (remote: Remote, access: Awaited<ReturnType<typeof createGitAccess>>['access']) => Promise<Result>,
  ): Promise<Result> {
    const first = await createGitAccess(remote, this.#options)
    try {
      return await talk(first.remote, first.access)
    } catch (error) {
      if (!isRedirectError(error) || !/^https?$/.test(remote.protocol)) throw error
      const signal = AbortSignal.timeout(this.#options.timeoutMs)
      const asked = new URL(`${remote.url}/info/refs?service=git-upload-pack`)
      const there = await this.#options.web.destination(asked, signal)
      const url = `${there.origin}${there.pathname}`.replace(/\/info\/refs$/, '')
      if (url === remote.url) throw error
      const next = await createGitAccess(parseRemoteAddress(url), this.#options)
      return talk(next.remote, next.access)
    }
  }

  /** Removes leftovers of killed fetches that are older than a day; runs once. */
  async #sweep(folder: string): Promise<void> {
    if (this.#swept) return
    this.#swept = true
    for (const name of (await ignoreMissingFile(readdir(folder))) ?? []) {
      const found = await ignoreMissingFile(stat(join(folder, name)))
      if (found && Date.now() - found.mtimeMs > abandonedMs)
        await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

const abandonedMs = 24 * 3_600_000

/** Returns true for curl's error about a redirect. */
function isRedirectError(error: unknown): boolean {
  return isIssue(error, remoteIssues.REMOTE_FAILED) && /returned error: 30[1278]|redirect/.test(error.message)
}

function isPinnedRef(
  wanted: WantedCommit,
): wanted is Exclude<WantedCommit, { readonly kind: 'control_branch' | 'head' }> {
  return wanted.kind === 'tag' || wanted.kind === 'commit' || wanted.kind === 'ref'
}

function computeUrlDigest(url: string): string {
  return hash('sha256', url, 'hex').slice(0, 40)
}
