import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { findRepository, hasGit } from './git-command.ts'
import type { GitObjectSource } from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { openNativeRepository } from './native-repository.ts'
import { findUnreadableRepositoryPart } from './unreadable-paths.ts'

/** Options for opening a repository. */
export interface OpenRepositoryOptions {
  /**
   * Makes the objects of a running push visible: true inside a pre-receive hook, otherwise the path
   * of the push's quarantine (`resolveQuarantine`).
   */
  readonly quarantine?: boolean | string
  /** Folder for temporary files with large blobs; by default the system's temporary folder. */
  readonly spoolFolder?: string
}

/**
 * Opens a repository, bare or with a working tree: through the git program if it is installed,
 * otherwise in JavaScript, which rejects repositories that it could misread.
 */
export async function openRepository(
  path: string,
  { quarantine = false, spoolFolder = tmpdir() }: OpenRepositoryOptions = {},
): Promise<GitObjectSource> {
  const directory = resolve(path)
  try {
    return await openDirectoryRepository(directory, quarantine, spoolFolder)
  } catch (error) {
    // Git treats unreadable files as missing.
    throw (await findUnreadableRepositoryPart(directory)) ?? error
  }
}

async function openDirectoryRepository(
  directory: string,
  quarantine: boolean | string,
  spoolFolder: string,
): Promise<GitObjectSource> {
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false)
  if (!isDirectory) throwIssue(gitIssues.GIT_NO_REPOSITORY, { path: directory })
  const found = await findRepository(directory).catch(async (error) => {
    if (await hasGit()) throw error
    return undefined
  })
  if (!found || found.isOldGit) {
    // Imported only when needed, since the import takes longer than starting git.
    const { openIsomorphicRepository } = await import('./isomorphic-repository.ts')
    return openIsomorphicRepository(directory)
  }
  return openNativeRepository(found, { quarantine, spoolFolder })
}
