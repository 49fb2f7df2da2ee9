import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { fail } from '../../base/issue.ts'
import { forbiddenIn } from './forbidden.ts'
import { findRepository, hasGit } from './git-command.ts'
import type { GitObjectSource } from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { nativeRepository } from './native.ts'

/** Options of an open repository. */
export interface OpenRepositoryOptions {
  /** With what is pushed: true inside a pre-receive hook; elsewhere the path of its quarantine (`quarantineOf`). */
  readonly quarantine?: boolean | string
  /** The folder of large files while they are read; the system's folder of temporary files by default. */
  readonly spoolFolder?: string
}

/**
 * Opens a repository, bare or with a working tree: through the git program where there is one, else in JavaScript,
 * which refuses what it could misread.
 */
export async function openRepository(
  path: string,
  { quarantine = false, spoolFolder = tmpdir() }: OpenRepositoryOptions = {},
): Promise<GitObjectSource> {
  const directory = resolve(path)
  try {
    return await open(directory, quarantine, spoolFolder)
  } catch (error) {
    // Git takes what it may not read for what is not there.
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
    // Only here: to import it takes longer than to start git.
    const { openIsomorphicRepository } = await import('./isomorphic.ts')
    return openIsomorphicRepository(directory)
  }
  return nativeRepository(found, { quarantine, spoolFolder })
}
