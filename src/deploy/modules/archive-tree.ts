import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { throwIssue } from '../../base/issue.ts'
import { type GitPlace, runGit, spawnGit } from '../../code/git/git-command.ts'
import { gitIssues } from '../../code/git/issues.ts'
import {
  type ArchiveBounds,
  type ArchiveFile,
  type ArchiveKind,
  listArchive,
  type OpenArchive,
  readArchive,
  toArchiveFile,
} from '../../machine/archive/archive.ts'
import { resolveLink } from '../../machine/archive/archive-paths.ts'
import { archiveIssues as issues } from '../../machine/archive/issues.ts'
import { findModuleFolder } from './module-folder.ts'

/** An archive to import into a repository. */
export interface ArchiveImport {
  readonly open: OpenArchive
  readonly kind: ArchiveKind
  readonly bounds: ArchiveBounds
  /** The ref that protects the tree from pruning. Later deployments find the tree by this ref. */
  readonly ref: string
  /** Message of the ref's commit. */
  readonly message: string
}

/** Constant author and time, so that the same archive gives the same ids. */
const committer = 'Plumbline <plumbline@localhost> 0 +0000'

/**
 * Writes the files of an archive as a tree. The same archive gives the same tree, with normalized
 * modes and without times. The archive is read twice: first to validate it, so that nothing of an
 * invalid archive is written, then into `git fast-import`, a single process for blobs, folders and
 * the ref. Throws ARCHIVE_…, GIT_….
 */
export async function importModuleArchive(place: GitPlace, order: ArchiveImport): Promise<string> {
  const { open, kind, bounds, ref, message } = order
  const all = await listArchive(open, kind, bounds)
  const folder = findModuleFolder(all, kind)
  const files = all.filter(({ path }) => path.startsWith(folder)).map((file) => removeFolderPrefix(file, folder))
  const wanted = new Map(files.map((file, index) => [`${folder}${file.path}`, index + 1]))
  const words = ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--force', '--done', '--date-format=raw']
  const stream = new FastImport(spawnGit(place, words))
  try {
    await readArchive(open, bounds, async (header, content) => {
      const file = toArchiveFile(header, kind)
      const mark = typeof file === 'object' ? wanted.get(file.path) : undefined
      if (typeof file !== 'object' || mark === undefined) return void content.resume()
      await stream.write(`blob\nmark :${mark}\ndata ${file.size}\n`)
      if (file.target !== undefined) {
        content.resume()
        await stream.write(file.target)
      } else for await (const chunk of content as AsyncIterable<Buffer>) await stream.write(chunk)
      await stream.write('\n')
    })
    const text = Buffer.from(message)
    await stream.write(`commit ${ref}\ncommitter ${committer}\ndata ${text.length}\n${message}\n`)
    for (const [index, { path, mode }] of files.entries())
      await stream.write(`M ${mode} :${index + 1} ${quotePath(path)}\n`)
    await stream.end('\ndone\n')
  } finally {
    stream.close()
  }
  return resolveTree(place, ref)
}

/** Returns the tree of a ref or commit. Throws GIT_FAILED. */
export async function resolveTree(place: GitPlace, commit: string): Promise<string> {
  return (await runGit(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`]))
    .toString()
    .trim()
}

function removeFolderPrefix(file: ArchiveFile, folder: string): ArchiveFile {
  const path = file.path.slice(folder.length)
  if (file.target !== undefined && resolveLink(path, file.target) === undefined)
    throwIssue(issues.ARCHIVE_REFUSED, { path: file.path, why: 'the symbolic link points outside the module' })
  return { ...file, path }
}

/** Quotes a path for fast-import, in C syntax. Control characters were rejected before. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}

/** The process `git fast-import`, with flow control for writes. */
class FastImport {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #ended: Promise<number | null>
  #complaints = ''
  #broken: Error | undefined

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    this.#ended = new Promise((done) => {
      child.once('close', done)
      child.once('error', ({ message }) => {
        this.#complaints = message
        done(null)
      })
    })
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      this.#complaints = (this.#complaints + chunk).slice(-4096)
    })
    child.stdin.on('error', (error) => {
      this.#broken = error
    })
  }

  async write(content: string | Uint8Array): Promise<void> {
    if (this.#broken) await this.#mustEndWell()
    if (this.#child.stdin.write(content)) return
    await Promise.race([once(this.#child.stdin, 'drain').catch(() => undefined), this.#ended])
  }

  async end(content: string): Promise<void> {
    this.#child.stdin.end(content)
    await this.#mustEndWell()
  }

  close(): void {
    this.#child.kill('SIGTERM')
  }

  async #mustEndWell(): Promise<void> {
    const status = await this.#ended
    const said = this.#complaints.trim().split('\n')
    const why = said.find((line) => line.startsWith('fatal: ')) || said.at(-1) || `it exited with status ${status}`
    if (status !== 0) throwIssue(gitIssues.GIT_FAILED, { command: 'fast-import', why })
  }
}
