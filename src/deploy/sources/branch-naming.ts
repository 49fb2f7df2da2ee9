import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type BranchNaming, nameAfterBranch } from '../../code/environments/environment-name.ts'
import type { CodeSource } from './code-source.ts'
import { listRefEnvironments } from './environment-choice.ts'

/**
 * Returns the naming of environments for a local repository: as its sources define, or by branch
 * name if no source fetches from it.
 */
export async function getBranchNaming(gitDir: string, sources: readonly CodeSource[]): Promise<BranchNaming> {
  const own: CodeSource[] = []
  for (const source of sources) if (await isRepositoryRemote(source, gitDir)) own.push(source)
  if (own.length === 0) return nameAfterBranch
  return (branch) => [...new Set(own.flatMap((source) => listRefEnvironments(source, `heads/${branch}`)))]
}

/** Returns true for a source with this local repository, given as its git directory or working tree. */
async function isRepositoryRemote({ remote }: CodeSource, gitDir: string): Promise<boolean> {
  if (remote.protocol !== 'file') return false
  const here = await resolveRealPath(gitDir)
  const places = [remote.url, join(remote.url, '.git'), `${remote.url}.git`]
  for (const place of places) if (here !== undefined && (await resolveRealPath(place)) === here) return true
  return false
}

function resolveRealPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}
