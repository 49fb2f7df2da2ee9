import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type BranchNaming, ownNames } from '../../code/environments/environment-name.ts'
import { environmentsOfRef } from './choose-environments.ts'
import type { CodeSource } from './code-source.ts'

/**
 * Returns the naming of environments for a local repository: as its sources define, or by branch
 * name if no source fetches from it.
 */
export async function branchNames(gitDir: string, sources: readonly CodeSource[]): Promise<BranchNaming> {
  const own: CodeSource[] = []
  for (const source of sources) if (await isRemoteOf(source, gitDir)) own.push(source)
  if (own.length === 0) return ownNames
  return (branch) => [...new Set(own.flatMap((source) => environmentsOfRef(source, `heads/${branch}`)))]
}

/** Returns true for a source with this local repository, given as its git directory or working tree. */
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
