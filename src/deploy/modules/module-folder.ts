import { throwIssue } from '../../base/issue.ts'
import type { ArchiveFile, ArchiveKind } from '../../machine/archive/archive.ts'
import { moduleIssues as issues } from './issues.ts'

/**
 * Returns the module's folder in an archive. In a Forge archive, it contains the metadata.json with
 * the shortest path (puppet_forge: unpacker.rb); in another archive, it is the single top folder,
 * or the root. Throws ARCHIVE_NO_MODULE.
 */
export function findModuleFolder(files: readonly ArchiveFile[], kind: ArchiveKind): string {
  if (kind === 'forge') {
    const found = files
      .map(({ path }) => path)
      .filter((path) => /(?:^|\/)metadata\.json$/.test(path))
      .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
    const [path] = found
    return path === undefined ? throwIssue(issues.ARCHIVE_NO_MODULE, {}) : path.slice(0, -'metadata.json'.length)
  }
  const [top = ''] = files[0]?.path.split('/') ?? []
  return files.every(({ path }) => path.startsWith(`${top}/`)) && files.length > 0 ? `${top}/` : ''
}
