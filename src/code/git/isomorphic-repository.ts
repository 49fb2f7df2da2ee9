import fs, { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import isomorphic, { type TreeObject } from 'isomorphic-git'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { type DigestRecipe, digestBytes } from '../../base/bytes/digest.ts'
import { isIssue, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { checkHistoryLength } from './first-parent-history.ts'
import type {
  CommitSummary,
  GitObjectSource,
  GitTreeEntry,
  HistoryCommit,
  ListTreeOptions,
  Refs,
} from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { checkOid, formatLastServedRef, formatPinRef, isOid, parseRevision } from './ref-names.ts'
import { normalizeMode } from './trees/tree-entries.ts'
import { TreeMeter, usualLimits } from './trees/tree-limits.ts'

/** Size in bytes of the largest accepted pack; isomorphic-git loads whole packs into memory. */
const largestPack = 500 * 1024 * 1024

/**
 * Number of attempts to read an object: a repack may delete a pack after its index was read and
 * before its data is read.
 */
const attempts = 6
/** Largest number of symbolic refs that are followed to reach a commit, as in git; also the limit of nested tags. */
const maxSymbolicRefs = 5
const maxTags = 100

/**
 * Opens a repository in JavaScript, without a git program. Throws GIT_UNUSABLE for features that it
 * would misread.
 */
export async function openIsomorphicRepository(path: string): Promise<GitObjectSource> {
  const gitDir = await findGitDir(path)
  await checkSupportedFormat(gitDir)
  return new IsomorphicRepository(gitDir)
}

class IsomorphicRepository implements GitObjectSource {
  readonly path: string
  readonly objectFormat = 'sha1'
  /** The cache of isomorphic-git, which never evicts entries; it is replaced for each tree. */
  #cache: object = {}

  constructor(gitDir: string) {
    this.path = gitDir
  }

  async resolveRef(ref: string): Promise<string | undefined> {
    const revision = parseRevision(ref)
    if (!revision) return undefined
    const oid = await readUntilStable(() => this.#resolveOid(revision.ref))
    let commit = oid === undefined ? undefined : await this.#peel(oid)
    for (const number of revision.parents) commit = commit && (await this.#parent(commit, number))
    return commit
  }

  async listRefs(prefix: string): Promise<Refs> {
    const folder = prefix.replace(/\/$/, '')
    const list = () => isomorphic.listRefs({ fs: calmFs, gitdir: this.path, filepath: folder })
    // Listed twice for the reason given at `readUntilStable`; a name that was deleted meanwhile is skipped.
    const names = [...new Set([...(await list()), ...(await list())])].sort()
    const commits = new Map<string, string>()
    const broken = new Map<string, string>()
    for (const name of names.slice(0, budgets.environment.refs.bound)) {
      const ref = `${folder}/${name}`
      const commit = await this.resolveRef(ref).catch(
        (error: unknown) => broken.set(ref, formatError(error)) && undefined,
      )
      if (commit !== undefined) commits.set(ref, commit)
      else if (!broken.has(ref) && existsSync(join(this.path, ref))) broken.set(ref, 'it does not resolve to a commit')
    }
    return { commits, broken, isWhole: names.length <= budgets.environment.refs.bound }
  }

  async listTree(commit: string, { limits = usualLimits, signal }: ListTreeOptions = {}) {
    this.#cache = {}
    const meter = new TreeMeter(commit, limits)
    const entries: GitTreeEntry[] = []
    const folders = [{ oid: checkOid(commit), prefix: '' }]
    // Recently read trees are cached, since a tree bomb repeats the same few trees many times.
    const read = new LRUCache<string, TreeObject>({ max: 1000 })
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      signal?.throwIfAborted()
      const children = read.get(folder.oid) ?? (await this.#readTree(folder.oid))
      read.set(folder.oid, children)
      for (const { path, mode, oid } of children) {
        const full = `${folder.prefix}${path}`
        meter.count(full)
        const plain = normalizeMode(mode)
        if (plain === '040000') folders.push({ oid, prefix: `${full}/` })
        else entries.push({ path: full, mode: plain, oid, size: undefined })
      }
    }
    return entries.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  }

  async findChild(folder: string, name: string) {
    const found = (await this.#readTree(checkOid(folder))).find(({ path }) => path === name)
    return { child: found && { mode: normalizeMode(found.mode), oid: found.oid }, size: 0 }
  }

  async commitTime(commit: string): Promise<number> {
    const read = (cache: object) =>
      isomorphic.readCommit({ fs: calmFs, gitdir: this.path, oid: checkOid(commit), cache })
    return (await this.#retry(commit, read)).commit.committer.timestamp
  }

  async commitWords(commit: string): Promise<CommitSummary> {
    const read = (cache: object) =>
      isomorphic.readCommit({ fs: calmFs, gitdir: this.path, oid: checkOid(commit), cache })
    const { message, author } = (await this.#retry(commit, read)).commit
    return { subject: message.split('\n', 1)[0]!, author: author.name }
  }

  async firstParents(from: string, until: string): Promise<readonly HistoryCommit[] | undefined> {
    const commits: HistoryCommit[] = []
    for (let commit: string | undefined = checkOid(from); commit !== undefined; ) {
      const { tree, parents } = await this.#links(commit)
      commits.push({ commit, tree })
      if (commit === until) return commits
      checkHistoryLength(commits.length)
      commit = parents[0]
    }
    return undefined
  }

  async mergeBase(one: string, other: string): Promise<string | undefined> {
    const find = (cache: object) =>
      isomorphic.findMergeBase({ fs: calmFs, gitdir: this.path, oids: [checkOid(one), checkOid(other)], cache })
    return (await this.#retry(one, find))[0]
  }

  async readBlob(oid: string, { maxBytes = Number.POSITIVE_INFINITY } = {}): Promise<Buffer> {
    const { type, object } = await this.#read(oid)
    if (type !== 'blob') throwIssue(gitIssues.GIT_NOT_A_BLOB, { oid, type })
    if (object.length > maxBytes) throwIssue(gitIssues.GIT_OBJECT_TOO_LARGE, { oid, size: object.length, maxBytes })
    return object
  }

  async openBlob(oid: string): Promise<{ size: number; content: Buffer }> {
    const content = await this.readBlob(oid)
    return { size: content.length, content }
  }

  async digestBlob(oid: string, recipe: DigestRecipe): Promise<string> {
    return digestBytes(await this.readBlob(oid), recipe)
  }

  async pin(commit: string): Promise<void> {
    await isomorphic.writeRef({ fs, gitdir: this.path, ref: formatPinRef(commit), value: commit, force: true })
  }

  async unpin(commit: string): Promise<void> {
    await isomorphic.deleteRef({ fs, gitdir: this.path, ref: formatPinRef(commit) })
  }

  async noteServed(environment: string, commit: string | undefined): Promise<void> {
    const to = { fs, gitdir: this.path, ref: formatLastServedRef(environment) }
    if (commit === undefined) await isomorphic.deleteRef(to)
    else await isomorphic.writeRef({ ...to, value: checkOid(commit), force: true })
  }

  async close(): Promise<void> {
    this.#cache = {}
  }

  async #resolveOid(ref: string): Promise<string | undefined> {
    const { path: gitdir } = this
    const found = isOid(ref)
      ? ref
      : await ignoreMissing(isomorphic.resolveRef({ fs: calmFs, gitdir, ref, depth: maxSymbolicRefs }))
    const known = found !== undefined && isOid(found) ? found : undefined
    if (known !== undefined || !/^[0-9a-f]{4,40}$/.test(ref)) return known
    return ignoreMissing(isomorphic.expandOid({ fs: calmFs, gitdir, oid: ref, cache: this.#cache }))
  }

  /** Returns the commit to which a tag points, directly or through other tags. */
  async #peel(oid: string, left = maxTags): Promise<string | undefined> {
    const found = await ignoreMissing(this.#read(oid))
    if (found?.type === 'commit') return oid
    const tagged = found?.type === 'tag' ? /^object ([0-9a-f]+)$/m.exec(found.object.toString())?.[1] : undefined
    return tagged === undefined || left === 0 ? undefined : this.#peel(tagged, left - 1)
  }

  async #parent(commit: string, number: number): Promise<string | undefined> {
    return (await this.#links(commit)).parents[number - 1]
  }

  /** Returns a commit's tree and parents. */
  async #links(commit: string): Promise<{ readonly tree: string; readonly parents: readonly string[] }> {
    const read = (cache: object) => isomorphic.readCommit({ fs: calmFs, gitdir: this.path, oid: commit, cache })
    const { tree, parent } = (await this.#retry(commit, read)).commit
    return { tree, parents: parent }
  }

  async #readTree(oid: string) {
    const read = (cache: object) => isomorphic.readTree({ fs: calmFs, gitdir: this.path, oid, cache })
    return (await this.#retry(oid, read)).tree
  }

  async #read(oid: string): Promise<{ type: string; object: Buffer }> {
    const { type, object } = await this.#retry(oid, (cache) =>
      isomorphic.readObject({ fs: calmFs, gitdir: this.path, oid: checkOid(oid), format: 'content', cache }),
    )
    return { type, object: Buffer.from(object as Uint8Array) }
  }

  /** Each attempt uses a new cache, since the old cache may refer to deleted packs. */
  async #retry<Answer>(oid: string, work: (cache: object) => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const cache = this.#cache
      try {
        return await work(cache)
      } catch (error) {
        const missing = getSystemErrorCode(error) === 'NotFoundError'
        if (missing && attempt >= 3) throwIssue(gitIssues.GIT_OBJECT_MISSING, { oid, path: this.path })
        if (
          attempt >= attempts ||
          !(missing || getSystemErrorCode(error) === 'InternalError' || error instanceof TypeError)
        )
          throw error
        if (this.#cache === cache) this.#cache = {}
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
      }
    }
  }
}

/** Hides files that git is still writing: isomorphic-git would treat a partial pack as complete. */
const calmFs = {
  ...fs,
  promises: {
    ...fs.promises,
    readdir: async (path: string) => (await readdir(path)).filter((name) => !/^\.?tmp[-_]/.test(name)),
  },
}

/**
 * Repeats the read of a ref until two results are equal. Since isomorphic-git reads the packed refs
 * before the loose ref, a concurrent `git pack-refs` would make it return an old commit or no
 * commit.
 */
async function readUntilStable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let last = await ask(); ; ) {
    const next = await ask()
    if (next === last) return next
    last = next
  }
}

async function ignoreMissing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    const isAbsent = ['NotFoundError', 'AmbiguousError'].includes(getSystemErrorCode(error) ?? '')
    if (isAbsent || isIssue(error, gitIssues.GIT_OBJECT_MISSING)) return undefined
    throw error
  }
}

async function findGitDir(path: string): Promise<string> {
  for (const candidate of [join(path, '.git'), path]) {
    const [objects, head] = await Promise.all([
      readFileKind(join(candidate, 'objects')),
      readFileKind(join(candidate, 'HEAD')),
    ])
    if (objects === 'directory' && head !== undefined) return candidate
    if (candidate !== path && (await readFileKind(candidate)) === 'file')
      throwIssue(gitIssues.GIT_UNUSABLE, { path, why: 'it is a linked worktree or a submodule' })
  }
  return throwIssue(gitIssues.GIT_NO_REPOSITORY, { path })
}

async function checkSupportedFormat(gitDir: string): Promise<void> {
  const failUnusable = (why: string) => throwIssue(gitIssues.GIT_UNUSABLE, { path: gitDir, why })
  const config = await readFile(join(gitDir, 'config'), 'utf8').catch(() => '')
  const formats = /^[ \t]*objectformat[ \t]*=(.*)/im.exec(config)?.[1]
  if (formats !== undefined && formats.trim().toLowerCase() !== 'sha1') failUnusable('it uses SHA-256')
  const refs = /^[ \t]*refstorage[ \t]*=(.*)/im.exec(config)?.[1]
  if (refs !== undefined && refs.trim().toLowerCase() !== 'files') failUnusable('it stores its refs in a reftable')
  if ((await readFileKind(join(gitDir, 'objects/info/alternates'))) !== undefined)
    failUnusable('it uses objects of another repository (alternates)')
  const packs = join(gitDir, 'objects/pack')
  for (const name of await readdir(packs).catch(() => []))
    if (name.endsWith('.pack') && (await stat(join(packs, name))).size > largestPack)
      failUnusable(`${name} exceeds ${largestPack} bytes`)
}

async function readFileKind(path: string): Promise<'file' | 'directory' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file'
  } catch {
    return undefined
  }
}
