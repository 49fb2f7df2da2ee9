import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract, type Header } from 'tar-stream'
import { budgets } from '../../base/budgets/budgets.ts'
import { limitBytes } from '../../base/bytes/byte-limit.ts'
import { createPuppetError, PuppetError, throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { isGitFolder, normalizeArchivePath, resolveLink } from './archive-paths.ts'
import { archiveIssues as issues } from './issues.ts'

/** Limits for an archive's content. */
export interface ArchiveBounds {
  /** Size of the archive itself in bytes. */
  readonly packed: number
  readonly bytes: number
  /** Setting that increases `bytes`; undefined for a fixed limit. */
  readonly setting?: string
}

/** A file or link in an archive. */
export interface ArchiveFile {
  /** Normalized path from the archive's root. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly size: number
  /** Target of a link, as written in the archive. */
  readonly target: string | undefined
}

/** Kind of an archive. Links in Forge archives are skipped, as in r10k. */
export type ArchiveKind = 'forge' | 'tarball'

/** Opens the bytes of an archive for another read. */
export type OpenArchive = () => Readable

const { files: mostFiles, ratio } = budgets.module
/** Size in bytes that the content of any archive may have, even if the archive is very small. */
const free = 1024 * 1024

/**
 * Returns the files of an archive in its order, without writing anything. Archives with paths
 * outside the root, excessive size, or conflicting entries are rejected. Throws ARCHIVE_….
 */
export async function listArchive(
  open: OpenArchive,
  kind: ArchiveKind,
  bounds: ArchiveBounds,
): Promise<readonly ArchiveFile[]> {
  const files: ArchiveFile[] = []
  const seen = new SeenPaths()
  let entries = 0
  await readArchive(open, bounds, async (header, content) => {
    if (++entries > mostFiles.bound) throwIssue(issues.ARCHIVE_TOO_MANY_FILES, { bound: mostFiles.bound })
    const file = toArchiveFile(header, kind)
    if (file === 'folder') seen.add(normalizePath(header.name), 'folder')
    else if (file) {
      seen.add(file.path, 'file')
      files.push(file)
    }
    content.resume()
  })
  checkLinks(files)
  return files
}

/**
 * Reads an archive; `visit` must read the content of each entry to its end. Throws
 * ARCHIVE_UNREADABLE, ARCHIVE_BOMB, and errors of `visit`.
 */
export async function readArchive(
  open: OpenArchive,
  { packed, bytes, setting }: ArchiveBounds,
  visit: (header: Header, content: Readable) => Promise<void>,
): Promise<void> {
  const most = Math.min(bytes, Math.max(free, packed * ratio.bound))
  const limit = (source: AsyncIterable<Uint8Array>) =>
    limitBytes(most, source, () => throwIssue(issues.ARCHIVE_BOMB, { bytes: most, setting }))
  const tar: Extract = extract()
  tar.on('entry', (header, source, next) => {
    const content = source as unknown as Readable
    const ended = new Promise((done) => content.once('end', done))
    content.on('error', () => {}) // the stream of the whole archive reports the error
    // The next entry is read after `visit` of this entry has finished.
    Promise.all([visit(header, content), ended]).then(
      () => next(),
      (error: Error) => tar.destroy(error),
    )
  })
  try {
    await pipeline(open(), createGunzip(), limit, tar as unknown as Transform)
  } catch (error) {
    throw error instanceof PuppetError
      ? error
      : createPuppetError(issues.ARCHIVE_UNREADABLE, { why: formatError(error) })
  }
}

function normalizePath(name: string): string {
  const plain = normalizeArchivePath(name)
  return 'path' in plain ? plain.path : throwIssue(issues.ARCHIVE_REFUSED, { path: name, why: plain.why })
}

/** Converts the header of an archive entry to a file, link or folder; `undefined` for a skipped entry. */
export function toArchiveFile(header: Header, kind: ArchiveKind): ArchiveFile | 'folder' | undefined {
  const { name, type = 'file', linkname, size = 0, mode = 0 } = header
  const path = normalizePath(name)
  const rejectEntry = (why: string): never => throwIssue(issues.ARCHIVE_REFUSED, { path: name, why })
  if (type === 'directory') return 'folder'
  if (path === '') return rejectEntry('the entry has no name')
  if (type === 'symlink') {
    if (kind === 'forge') return undefined
    const target = linkname ?? ''
    if (Buffer.byteLength(target) > budgets.module.path.bound)
      return rejectEntry('the target of the symbolic link is too long')
    if (resolveLink(path, target) === undefined) return rejectEntry('the symbolic link points outside the archive')
    if (target.split('/').some(isGitFolder))
      return rejectEntry('the symbolic link points to a directory that Git reserves')
    return { path, mode: '120000', size: Buffer.byteLength(target), target }
  }
  if (type !== 'file' && type !== 'contiguous-file') return rejectEntry(`the entry type ${type} is not supported`)
  return { path, mode: (mode & 0o100) === 0 ? '100644' : '100755', size, target: undefined }
}

/** The paths of an archive that were already read, each with its type. */
class SeenPaths {
  readonly #kinds = new Map<string, 'file' | 'folder'>()

  /**
   * Throws ARCHIVE_REFUSED for a path that had another type before, also with another Unicode
   * normalization.
   */
  add(path: string, kind: 'file' | 'folder'): void {
    const name = path.normalize('NFC')
    const before = this.#kinds.get(name)
    if (before !== undefined && (before === 'file' || kind === 'file'))
      throwIssue(issues.ARCHIVE_REFUSED, { path, why: 'the path occurs twice' })
    this.#kinds.set(name, kind)
    for (let cut = name.lastIndexOf('/'); cut > 0; cut = name.lastIndexOf('/', cut - 1)) {
      const folder = name.slice(0, cut)
      const kindOfFolder = this.#kinds.get(folder)
      if (kindOfFolder === 'file') throwIssue(issues.ARCHIVE_REFUSED, { path, why: `its parent ${folder} is a file` })
      if (kindOfFolder === 'folder') break
      this.#kinds.set(folder, 'folder')
    }
  }
}

/**
 * Throws for a link through another link, which could lead outside, and for a link to something
 * other than a file or folder in the archive.
 */
function checkLinks(files: readonly ArchiveFile[]): void {
  const links = new Set(files.filter(({ target }) => target !== undefined).map(({ path }) => path))
  for (const { path, target } of files) {
    if (target === undefined) continue
    const parts = (resolveLink(path, target) ?? '').split('/')
    const through = parts.map((_, at) => parts.slice(0, at + 1).join('/')).find((each) => links.has(each))
    if (through !== undefined)
      throwIssue(issues.ARCHIVE_REFUSED, { path, why: `the symbolic link points through the symbolic link ${through}` })
  }
}
