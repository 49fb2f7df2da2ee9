import { Readable } from 'node:stream'
import { mapInTurns } from '../base/in-turns.ts'
import { fail } from '../base/issue.ts'
import { CatFile, type CatFileAnswer } from './cat-file.ts'
import { type GitPlace, git, spawnGit } from './git-command.ts'
import type { GitChild, GitObjectSource, GitTreeEntry } from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { childrenOf, treeLine } from './listings.ts'
import { checkedOid, pinPrefix, pinRef, revisionOf } from './names.ts'
import { type Refs, RememberedRefs } from './remembered-refs.ts'

/** Above this a blob comes by a process of its own, so that small ones need not wait behind it. */
const largeBlob = 1024 * 1024

/** Reads a repository through the git program. */
export async function openNativeRepository(place: GitPlace): Promise<GitObjectSource> {
  const format = (await git(place, ['rev-parse', '--show-object-format'])).toString().trim()
  return new NativeRepository(place, format === 'sha256' ? 'sha256' : 'sha1')
}

class NativeRepository implements GitObjectSource {
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly #place: GitPlace
  readonly #objects: CatFile
  readonly #sizes: CatFile
  readonly #refs: RememberedRefs
  #pinsHidden = false

  constructor(place: GitPlace, objectFormat: 'sha1' | 'sha256') {
    this.path = place.gitDir
    this.objectFormat = objectFormat
    this.#place = place
    this.#refs = new RememberedRefs(place.gitDir)
    this.#objects = new CatFile(place, '--batch')
    this.#sizes = new CatFile(place, '--batch-check')
  }

  async resolveRef(ref: string): Promise<string | undefined> {
    if (!revisionOf(ref)) return undefined
    return (await this.#sizes.ask(`${ref}^{commit}`))?.oid
  }

  listRefs(prefix: string): Promise<Refs> {
    return this.#refs.list(prefix, () => this.#askForRefs(prefix))
  }

  async #askForRefs(prefix: string): Promise<Refs> {
    const format = '--format=%(objecttype) %(objectname) %(refname)'
    const lines = (await git(this.#place, ['for-each-ref', format, '--', prefix])).toString().split('\n')
    const refs = new Map<string, string>()
    for (const line of lines) {
      const [, type, oid = '', name = ''] = /^(\w+) (\w+) (.+)$/.exec(line) ?? []
      const commit = type === 'tag' ? await this.resolveRef(name) : type === 'commit' ? oid : undefined
      if (commit !== undefined) refs.set(name, commit)
    }
    return refs
  }

  async listTree(commit: string): Promise<readonly GitTreeEntry[]> {
    await this.#mustKnow(this.#sizes, commit)
    const listing = await git(this.#place, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit])
    const lines = await mapInTurns(listing.toString().split('\0').filter(Boolean), treeLine)
    return lines.flatMap(({ entry }) => entry ?? [])
  }

  async readTree(oid: string): Promise<readonly GitChild[]> {
    const { content } = await this.#mustKnow(this.#objects, oid, '^{tree}')
    return [...childrenOf(content, oid.length / 2)]
  }

  async commitTime(commit: string): Promise<number> {
    const { content } = await this.#mustKnow(this.#objects, commit)
    return Number(/^committer .* (\d+) [+-]\d+$/m.exec(content.toString())?.[1] ?? 0)
  }

  async readBlob(oid: string, options: { maxBytes?: number; size?: number } = {}): Promise<Buffer> {
    const { maxBytes = Number.POSITIVE_INFINITY, size = await this.#sizeOfBlob(oid) } = options
    if (size > maxBytes) fail(gitIssues.GIT_OBJECT_TOO_LARGE, { oid, size, maxBytes })
    if (size <= largeBlob) return (await this.#mustKnow(this.#objects, oid)).content
    const chunks: Buffer[] = []
    for await (const chunk of this.#streamBlob(oid)) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }

  async openBlob(oid: string): Promise<{ size: number; stream: Readable }> {
    const size = await this.#sizeOfBlob(oid)
    if (size > largeBlob) return { size, stream: this.#streamBlob(oid) }
    return { size, stream: Readable.from([(await this.#mustKnow(this.#objects, oid)).content]) }
  }

  async pin(commit: string): Promise<void> {
    await this.#hidePins()
    await git(this.#place, ['update-ref', pinRef(commit), commit])
  }

  async unpin(commit: string): Promise<void> {
    await git(this.#place, ['update-ref', '-d', pinRef(commit)])
  }

  async close(): Promise<void> {
    this.#objects.close()
    this.#sizes.close()
  }

  async #sizeOfBlob(oid: string): Promise<number> {
    const { type, size } = await this.#mustKnow(this.#sizes, oid)
    return type === 'blob' ? size : fail(gitIssues.GIT_NOT_A_BLOB, { oid, type })
  }

  /** A child may not see packs that came after it was born, so a new one is asked once. */
  async #mustKnow(catFile: CatFile, oid: string, peeled = ''): Promise<CatFileAnswer> {
    const name = `${checkedOid(oid)}${peeled}`
    const answer = await catFile.ask(name)
    if (answer) return answer
    catFile.renew()
    return (await catFile.ask(name)) ?? fail(gitIssues.GIT_OBJECT_MISSING, { oid, path: this.path })
  }

  /** The bytes of a blob. Fails when git did, although all that it printed has come: it may be half of the blob. */
  #streamBlob(oid: string): Readable {
    const child = spawnGit(this.#place, ['cat-file', 'blob', checkedOid(oid)])
    child.stdin.on('error', () => {})
    child.stdin.end()
    child.stderr.resume()
    const ended = new Promise<number | null>((done, failed) => child.once('close', done).once('error', failed))
    ended.catch(() => {}) // nobody may read on
    async function* bytes() {
      yield* child.stdout
      const status = await ended
      if (status !== 0) throw new Error(`git cat-file blob ${oid} ended with status ${status}`)
    }
    return Readable.from(bytes(), { objectMode: false }).once('close', () => {
      child.stdout.destroy()
      child.kill()
    })
  }

  /** Clients neither see the pins nor fetch by them. */
  async #hidePins(): Promise<void> {
    if (this.#pinsHidden) return
    const hidden = pinPrefix.split('/').slice(0, 2).join('/')
    const pattern = `^${hidden}$`
    const known = await git(this.#place, ['config', '--default', '', '--get', 'transfer.hideRefs', pattern])
    // Written once only: who writes must have the lock of the file, and another server may.
    if (known.toString().trim() === '')
      await git(this.#place, ['config', '--replace-all', 'transfer.hideRefs', hidden, pattern])
    this.#pinsHidden = true
  }
}
