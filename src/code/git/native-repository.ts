import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Content } from '../../base/bytes/content.ts'
import { type DigestRecipe, digestBytes, largeFile } from '../../base/bytes/digest.ts'
import { createPuppetError, throwIssue } from '../../base/issue.ts'
import { readBlame } from './blame.ts'
import { Spool } from './blob-spool.ts'
import { CachedRefs } from './cached-refs.ts'
import { CatFile, type CatFileAnswer, writeBlob } from './cat-file.ts'
import { getCommitSummary, getCommitTime } from './commit-object.ts'
import { Digester } from './digests/digester.ts'
import { listFirstParents } from './first-parent-history.ts'
import type { FoundRepository, GitPlace } from './git-command.ts'
import type {
  BlamedLine,
  CommitSummary,
  GitObjectSource,
  GitTreeEntry,
  HistoryCommit,
  ListTreeOptions,
  Refs,
} from './git-object-source.ts'
import { hideOwnRefs } from './hidden-refs.ts'
import { gitIssues } from './issues.ts'
import { findMergeBase } from './merge-base.ts'
import { listRefs } from './ref-listing.ts'
import { checkOid, formatLastServedRef, formatPinRef, parseRevision } from './ref-names.ts'
import { RefUpdates } from './ref-updates.ts'
import { SmallBlobCache } from './small-blob-cache.ts'
import { FolderCache } from './trees/folder-cache.ts'
import { listKnownTree } from './trees/known-tree.ts'
import { findTreeEntry } from './trees/tree-entries.ts'
import { listTree } from './trees/tree-listing.ts'
import { findUnreadableObjectFile } from './unreadable-paths.ts'

/** Opens a repository through the git program. Large blobs are written to temporary files in `spoolFolder`. */
export function openNativeRepository(
  { gitDir, objectFormat }: Omit<FoundRepository, 'isOldGit'>,
  { quarantine, spoolFolder }: Pick<GitPlace, 'quarantine'> & { readonly spoolFolder: string },
): GitObjectSource {
  return new NativeRepository({ gitDir, quarantine }, objectFormat, new Spool(spoolFolder))
}

class NativeRepository implements GitObjectSource {
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly #place: GitPlace
  readonly #objects: CatFile
  readonly #sizes: CatFile
  readonly #large: CatFile
  readonly #refs: CachedRefs
  readonly #spool: Spool
  readonly #small = new SmallBlobCache()
  readonly #folders = new FolderCache()
  readonly #digester = new Digester()
  readonly #pins: RefUpdates
  readonly #lastServed: RefUpdates
  #pinsHidden = false

  constructor(place: GitPlace, objectFormat: 'sha1' | 'sha256', spool: Spool) {
    this.path = place.gitDir
    this.objectFormat = objectFormat
    this.#place = place
    this.#refs = new CachedRefs(place.gitDir)
    this.#objects = new CatFile(place, '--batch')
    this.#sizes = new CatFile(place, '--batch-check')
    this.#large = new CatFile(place, '--batch')
    this.#spool = spool
    this.#pins = new RefUpdates(place)
    this.#lastServed = new RefUpdates(place, ['--create-reflog'])
  }

  async resolveRef(ref: string): Promise<string | undefined> {
    if (!parseRevision(ref)) return undefined
    return (await this.#sizes.ask(`${ref}^{commit}`))?.oid
  }

  listRefs(prefix: string): Promise<Refs> {
    return this.#refs.list(prefix, () => listRefs(this.#place, prefix, this.#sizes))
  }

  async listTree(commit: string, options: ListTreeOptions = {}): Promise<readonly GitTreeEntry[]> {
    await this.#mustKnow(this.#sizes, commit)
    const readers = { objects: this.#objects, sizes: this.#sizes }
    // The first listing needs all folders.
    const known = this.#folders.isEmpty ? undefined : await listKnownTree(commit, this.#folders, readers, options)
    return known ?? listTree(this.#place, commit, options, this.#folders)
  }

  async findChild(oid: string, name: string, { maxBytes }: { maxBytes: number }) {
    const { size } = await this.#notLarger(oid, maxBytes, '^{tree}')
    const { content } = await this.#mustKnow(this.#objects, oid, '^{tree}')
    return { child: findTreeEntry(content, name, oid.length / 2), size }
  }

  async commitTime(commit: string): Promise<number> {
    await this.#notLarger(commit, budgets.push.commit.bound)
    const { content } = await this.#mustKnow(this.#objects, commit)
    return getCommitTime(content.toString())
  }

  async commitWords(commit: string): Promise<CommitSummary> {
    await this.#notLarger(commit, budgets.push.commit.bound)
    const { content } = await this.#mustKnow(this.#objects, commit)
    return getCommitSummary(content.toString())
  }

  async firstParents(from: string, until: string): Promise<readonly HistoryCommit[] | undefined> {
    for (const commit of [from, until]) await this.#mustKnow(this.#sizes, commit)
    return listFirstParents(this.#place, from, until)
  }

  async mergeBase(one: string, other: string): Promise<string | undefined> {
    for (const commit of [one, other]) await this.#mustKnow(this.#sizes, commit)
    return findMergeBase(this.#place, one, other)
  }

  blame(commit: string, path: string, lines: readonly number[]): Promise<ReadonlyMap<number, BlamedLine>> {
    return readBlame(this.#place, commit, path, lines)
  }

  async readBlob(oid: string, options: { maxBytes?: number; size?: number } = {}): Promise<Buffer> {
    const { maxBytes = Number.POSITIVE_INFINITY, size = await this.#sizeOfBlob(oid) } = options
    if (size > maxBytes) throwIssue(gitIssues.GIT_OBJECT_TOO_LARGE, { oid, size, maxBytes })
    return (await this.#mustKnow(size > largeFile ? this.#large : this.#objects, oid)).content
  }

  async openBlob(oid: string): Promise<{ size: number; content: Content }> {
    const known = this.#small.get(oid)
    if (known) return { size: known.length, content: known }
    const size = await this.#sizeOfBlob(oid)
    if (size > largeFile)
      return {
        size,
        content: await this.#spool.open(oid, size, (file) => writeBlob(this.#place, checkOid(oid), file)),
      }
    return { size, content: this.#small.keep(oid, (await this.#mustKnow(this.#objects, oid)).content) }
  }

  async digestBlob(oid: string, recipe: DigestRecipe): Promise<string> {
    const known = this.#small.get(oid)
    if (known) return digestBytes(known, recipe)
    if ((await this.#sizeOfBlob(oid)) > largeFile)
      return this.#digester.digest({ kind: 'blob', place: this.#place, oid: checkOid(oid) }, recipe)
    return digestBytes(this.#small.keep(oid, (await this.#mustKnow(this.#objects, oid)).content), recipe)
  }

  async pin(commit: string): Promise<void> {
    await this.#hidePins()
    await this.#pins.set(formatPinRef(commit), checkOid(commit))
  }

  async unpin(commit: string): Promise<void> {
    await this.#pins.delete(formatPinRef(commit))
  }

  async noteServed(environment: string, commit: string | undefined): Promise<void> {
    const ref = formatLastServedRef(environment)
    if (commit === undefined) await this.#lastServed.delete(ref)
    else await this.#lastServed.set(ref, checkOid(commit))
  }

  /** Parses the last line of the ref's log: `OLD NEW NAME <MAIL> SECONDS ZONE\tMESSAGE`. */
  async servedSince(environment: string): Promise<number | undefined> {
    const log = await readFile(join(this.path, 'logs', formatLastServedRef(environment)), 'utf8').catch(() => '')
    const seconds = / (\d{1,12}) [-+]\d{4}(?:\t|$)/.exec(log.trimEnd().split('\n').at(-1) ?? '')?.[1]
    return seconds === undefined ? undefined : Number(seconds) * 1000
  }

  async close(): Promise<void> {
    this.#objects.close()
    this.#sizes.close()
    this.#large.close()
    this.#spool.close()
    await this.#digester.close()
  }

  async #sizeOfBlob(oid: string): Promise<number> {
    const { type, size } = await this.#mustKnow(this.#sizes, oid)
    return type === 'blob' ? size : throwIssue(gitIssues.GIT_NOT_A_BLOB, { oid, type })
  }

  /**
   * Requests an object that should exist. The child process may not see packs created after its
   * start, so if the object is missing, a new child process is asked once.
   */
  async #mustKnow(catFile: CatFile, oid: string, peeled = ''): Promise<CatFileAnswer> {
    const name = `${checkOid(oid)}${peeled}`
    const answer = await catFile.ask(name)
    if (answer) return answer
    await catFile.renew()
    const later = await catFile.ask(name)
    if (later) return later
    throw (
      (await findUnreadableObjectFile(this.path, oid)) ??
      createPuppetError(gitIssues.GIT_OBJECT_MISSING, { oid, path: this.path })
    )
  }

  async #notLarger(oid: string, maxBytes: number, peeled = ''): Promise<CatFileAnswer> {
    const answer = await this.#mustKnow(this.#sizes, oid, peeled)
    const { size } = answer
    return size <= maxBytes ? answer : throwIssue(gitIssues.GIT_OBJECT_TOO_LARGE, { oid, size, maxBytes })
  }

  async #hidePins(): Promise<void> {
    if (!this.#pinsHidden) await hideOwnRefs(this.#place)
    this.#pinsHidden = true
  }
}
