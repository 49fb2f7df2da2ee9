import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type BranchNaming, ownNames } from '../../code/environments/environment-name.ts'
import { environmentsOfRef } from './choose-environments.ts'
import type { CodeSource } from './code-source.ts'

/**
 * Names of the environments of a repository on this machine: as the sources name them that are fetched from it; by the branches
 * themselves where there is none.
 */
export async function branchNames(gitDir: string, sources: readonly CodeSource[]): Promise<BranchNaming> {
  const own: CodeSource[] = []
  for (const source of sources) if (await isRemoteOf(source, gitDir)) own.push(source)
  if (own.length === 0) return ownNames
  return (branch) => [...new Set(own.flatMap((source) => environmentsOfRef(source, `heads/${branch}`)))]
}

/** True of a source that is fetched from this very repository: a git directory, or the one of a working tree. */
async function isRemoteOf({ remote }: CodeSource, gitDir: string): Promise<boolean> {
  if (remote.protocol !== 'file') return false
  const here = await realPath(gitDir)
  const places = [remote.url, join(remote.url, '.git'), `${remote.url}.git`]
  for (const place of places) if (here !== undefined && (await realPath(place)) === here) return true
  return false
}

function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}
