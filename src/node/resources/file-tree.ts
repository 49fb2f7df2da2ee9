import { formatInvalidUtf8Name } from '../../base/text/byte-text.ts'
import { compileNameGlob } from '../../base/text/glob.ts'
import type { FileStat, Files } from '../../machine/system/system.ts'
import { appendPath, resolveLinkTarget } from '../../machine/windows/machine-path.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import { computeFileChecksum, formatRubyTime, isContentChecksum } from './checksum.ts'
import { failWithMessage } from './issues.ts'
import type { SearchOptions, SourceOptions } from './provider.ts'

/** The target of a chain of symbolic links; the path itself if it is not a link. */
export async function followLinks(files: Files, path: string): Promise<string> {
  let at = path
  for (let step = 0; step < 40; step++) {
    const target = await files.readLink(at)
    if (target === undefined) return at
    at = resolveLinkTarget(at, target)
  }
  return path
}

/** Status of the managed object: the link itself, or its final target with `follow`. */
export async function statManagedFile(
  files: Files,
  path: string,
  links: 'manage' | 'follow',
): Promise<FileStat | undefined> {
  return files.stat(links === 'follow' ? await followLinks(files, path) : path)
}

/** Metadata of a local file in the format of a file server. */
export async function describeLocalFile(
  files: Files,
  path: string,
  options: SourceOptions,
  relativePath?: string,
): Promise<FileMetadata | undefined> {
  const full = relativePath === undefined || relativePath === '.' ? path : appendPath(path, relativePath)
  const stat = await statManagedFile(files, full, options.links)
  if (!stat) return undefined
  const type = stat.kind === 'directory' ? 'directory' : stat.kind === 'link' ? 'link' : 'file'
  return {
    path,
    relativePath,
    links: options.links,
    owner: stat.uid,
    group: stat.gid,
    mode: stat.mode,
    checksum: await describeChecksum(files, full, options.checksumType, stat),
    type,
    destination: type === 'link' ? await files.readLink(full) : undefined,
    contentUri: undefined,
    source: undefined,
  }
}

async function describeChecksum(files: Files, path: string, type: string, stat: FileStat) {
  if (stat.kind !== 'file' && isContentChecksum(type))
    return { type: 'ctime', value: `{ctime}${formatRubyTime(stat.changed)}` }
  return { type, value: await computeFileChecksum(files, path, type, stat) }
}

/**
 * Metadata of a directory and all its entries, the directory first as `.`, each level sorted;
 * undefined if the directory is missing.
 */
export async function describeLocalTree(
  files: Files,
  root: string,
  options: SourceOptions & SearchOptions,
): Promise<FileMetadata[] | undefined> {
  const top = await describeLocalFile(files, root, options, '.')
  if (!top) return undefined
  const found = [top]
  const ignored = (options.ignore ?? []).map(compileNameGlob)
  const limit = options.recurse ? (options.recurselimit ?? Number.POSITIVE_INFINITY) : 0
  let level = top.type === 'directory' ? ['.'] : []
  for (let depth = 1; depth <= limit && level.length > 0; depth++) {
    const next: string[] = []
    for (const directory of level) {
      for (const name of (await files.list(appendPath(root, directory))) ?? []) {
        if (ignored.some((glob) => glob.matches(name))) continue
        if (!name.isWellFormed()) failWithMessage(formatInvalidUtf8Name(appendPath(root, directory, name)))
        const relative = directory === '.' ? name : `${directory}/${name}`
        const entry = await describeLocalFile(files, root, options, relative)
        if (!entry) continue
        found.push(entry)
        if (entry.type === 'directory') next.push(relative)
      }
    }
    level = next
  }
  // The directory itself does not count as an entry.
  checkEntryLimit(root, found.length - 1, options.maxFiles)
  return found
}

/** Throws if a directory has more entries than `max_files`; 0 means no limit. */
export function checkEntryLimit(directory: string, entries: number, limit: number | undefined): void {
  if (limit === undefined || limit <= 0 || entries <= limit) return
  failWithMessage(
    `The directory '${directory}' contains ${entries} entries, which exceeds the limit of ${limit} specified by the max_files parameter for this resource. The limit may be increased, but be aware that large number of file resources can result in excessive resource consumption and degraded performance. Consider using an alternate method to manage large directory trees`,
  )
}
