import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { fail } from '../../base/issue.ts'
import { forbiddenIn } from './forbidden.ts'
import { findRepository, hasGit } from './git-command.ts'
import type { GitObjectSource } from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { nativeRepository } from './native.ts'

/** Options for opening a repository. */
export interface OpenRepositoryOptions {
  /**
   * Makes the objects of a running push visible: true inside a pre-receive hook, otherwise the path
   * of the push's quarantine (`quarantineOf`).
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
    return await open(directory, quarantine, spoolFolder)
  } catch (error) {
    // Git treats unreadable files as missing.
    throw (await forbiddenIn(directory)) ?? error
  }
}

async function open(directory: string, quarantine: boolean | string, spoolFolder: string): Promise<GitObjectSource> {
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false)
  if (!isDirectory) fail(gitIssues.GIT_NO_REPOSITORY, { path: directory })
  const found = await findRepository(directory).catch(async (error) => {
    if (await hasGit()) throw error
    return undefined
  })
  if (!found || found.isOldGit) {
    // Imported only when needed, since the import takes longer than starting git.
    const { openIsomorphicRepository } = await import('./isomorphic.ts')
    return openIsomorphicRepository(directory)
  }
  return nativeRepository(found, { quarantine, spoolFolder })
}
