import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { findBlob } from '../../code/git/find-blob.ts'
import { type GitPlace, git } from '../../code/git/git-command.ts'
import { deployedPrefix, deployedRef, isOid, lastServedRef, pinPrefix } from '../../code/git/names.ts'
import { removeOldest } from '../../machine/system/remove-oldest.ts'
import type { DeployParts, KnownResolution } from './deploy-commit.ts'
import { lockName, readLock } from './lock.ts'
import { sourceOf } from './synthesize.ts'

/** A branch's commit as an environment. */
export interface BranchCommit {
  readonly environment: string
  readonly commit: string
}

type Repository = Pick<DeployParts, 'source' | 'place'>

/** The commit that an environment was deployed as last, whatever its branch has now; `undefined` where there is none. */
export async function lastDeployed({ source }: Repository, environment: string): Promise<string | undefined> {
  return source.resolveRef(deployedRef(environment))
}

/**
 * The commit that a branch's commit was deployed as: by a server, in this environment, or by the hook that took it. Without
 * a name, in any environment. `undefined` where it never was.
 */
export async function knownDeployment(
  { source, place }: Repository,
  { environment, commit }: BranchCommit,
): Promise<string | undefined> {
  const candidates = [
    await source.resolveRef(deployedRef(environment)),
    await noted(place, { environment, commit }),
    await source.resolveRef(lastServedRef(environment)),
  ]
  for (const candidate of candidates)
    if (candidate !== undefined && (await isMadeOf(place, candidate, commit))) return candidate
  return undefined
}

/** The commit that a branch's commit was deployed as in any environment; looked for among all that are kept. */
export async function anyDeployment({ place }: Pick<Repository, 'place'>, commit: string): Promise<string | undefined> {
  const format = '--format=%(objectname) %(parent)'
  const output = await git(place, ['for-each-ref', format, '--', deployedPrefix, pinPrefix])
  for (const line of output.toString().split('\n')) {
    const [candidate = '', parent] = line.split(' ')
    if (parent === commit && (await isMadeOf(place, candidate, commit))) return candidate
  }
  return undefined
}

async function isMadeOf(place: GitPlace, deployed: string, commit: string): Promise<boolean> {
  try {
    return (await sourceOf(place, deployed)) === commit
  } catch (error) {
    if (error instanceof PuppetError) return false
    throw error
  }
}

/** The meaning of the Puppetfile's words in a deployed commit; `undefined` of any other commit. */
export async function resolutionOf(
  { source, place }: Repository,
  deployed: string,
): Promise<KnownResolution | undefined> {
  const made = await sourceOf(place, deployed)
  if (made === undefined) return undefined
  const oid = await findBlob(source, deployed, lockName)
  const { bound: maxBytes } = budgets.module.puppetfile
  const lock = oid === undefined ? undefined : readLock((await source.readBlob(oid, { maxBytes })).toString('utf8'))
  return lock && { source: made, lock }
}

/** The folder in a git directory for what a hook deployed: refs cannot be written before a push is taken. */
function notesIn({ gitDir }: GitPlace): string {
  return join(gitDir, 'plumb-deployed')
}

/** Notes what a branch's commit was deployed as, for the server that will see it. */
export async function noteDeployment(
  place: GitPlace,
  { environment, commit }: BranchCommit,
  deployed: string,
): Promise<void> {
  const folder = notesIn(place)
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${environment}.${commit}`)
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${deployed}\n`, { flush: true })
  await rename(fresh, path)
  await removeOldest(folder, budgets.push.notedDeployments.bound)
}

/** Environments are words and commits hexadecimal: no name leads elsewhere. */
async function noted(place: GitPlace, { environment, commit }: BranchCommit): Promise<string | undefined> {
  const text = await readFile(join(notesIn(place), `${environment}.${commit}`), 'utf8').catch(() => '')
  return isOid(text.trim()) ? text.trim() : undefined
}
