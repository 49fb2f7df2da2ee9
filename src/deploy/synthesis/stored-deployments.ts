import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { findBlob } from '../../code/git/blob-path.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import { deployedPrefix, formatDeployedRef, formatLastServedRef, isOid, pinPrefix } from '../../code/git/ref-names.ts'
import { removeOldestFiles } from '../../machine/system/file-pruning.ts'
import type { DeployParts, KnownResolution } from './commit-deployment.ts'
import { getSourceCommit } from './deployed-commit.ts'
import { lockName, parseLock } from './puppetfile-lock.ts'

/** A branch's commit in an environment. */
export interface BranchCommit {
  readonly environment: string
  readonly commit: string
}

type Repository = Pick<DeployParts, 'source' | 'place'>

/**
 * Returns the last deployed commit of an environment, even if the branch has moved; `undefined` if
 * there is none.
 */
export async function findLastDeployment({ source }: Repository, environment: string): Promise<string | undefined> {
  return source.resolveRef(formatDeployedRef(environment))
}

/**
 * Returns the deployed commit of a branch's commit, made by a server for this environment or by the
 * hook that accepted the push. Without a name, searches all environments. `undefined` if it was
 * never deployed.
 */
export async function findDeployment(
  { source, place }: Repository,
  { environment, commit }: BranchCommit,
): Promise<string | undefined> {
  const candidates = [
    await source.resolveRef(formatDeployedRef(environment)),
    await readHookDeployment(place, { environment, commit }),
    await source.resolveRef(formatLastServedRef(environment)),
  ]
  for (const candidate of candidates)
    if (candidate !== undefined && (await isDeploymentOfCommit(place, candidate, commit))) return candidate
  return undefined
}

/** Returns the deployed commit of a branch's commit in any environment. Searches all stored deployments. */
export async function findAnyDeployment(
  { place }: Pick<Repository, 'place'>,
  commit: string,
): Promise<string | undefined> {
  const format = '--format=%(objectname) %(parent)'
  const output = await runGit(place, ['for-each-ref', format, '--', deployedPrefix, pinPrefix])
  for (const line of output.toString().split('\n')) {
    const [candidate = '', parent] = line.split(' ')
    if (parent === commit && (await isDeploymentOfCommit(place, candidate, commit))) return candidate
  }
  return undefined
}

/** True if a deployed commit consists of the branch's commit and modules. */
export async function isDeploymentOfCommit(place: GitPlace, deployed: string, commit: string): Promise<boolean> {
  try {
    return (await getSourceCommit(place, deployed)) === commit
  } catch (error) {
    if (error instanceof PuppetError) return false
    throw error
  }
}

/** Returns the resolved modules of a deployed commit; `undefined` for other commits. */
export async function readResolution(
  { source, place }: Repository,
  deployed: string,
): Promise<KnownResolution | undefined> {
  const made = await getSourceCommit(place, deployed)
  if (made === undefined) return undefined
  const oid = await findBlob(source, deployed, lockName)
  const { bound: maxBytes } = budgets.module.puppetfile
  const lock = oid === undefined ? undefined : parseLock((await source.readBlob(oid, { maxBytes })).toString('utf8'))
  return lock && { source: made, lock }
}

/** Folder for deployments made by a hook, which cannot write refs before the push is accepted. */
function getHookDeploymentsFolder({ gitDir }: GitPlace): string {
  return join(gitDir, 'plumb-deployed')
}

/** Records a deployment for the server that will serve it. */
export async function recordHookDeployment(
  place: GitPlace,
  { environment, commit }: BranchCommit,
  deployed: string,
): Promise<void> {
  const folder = getHookDeploymentsFolder(place)
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${environment}.${commit}`)
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${deployed}\n`, { flush: true })
  await rename(fresh, path)
  await removeOldestFiles(folder, budgets.push.notedDeployments.bound)
}

/** Environment names are words and commit IDs are hexadecimal, so the path stays in the folder. */
async function readHookDeployment(place: GitPlace, { environment, commit }: BranchCommit): Promise<string | undefined> {
  const text = await readFile(join(getHookDeploymentsFolder(place), `${environment}.${commit}`), 'utf8').catch(() => '')
  return isOid(text.trim()) ? text.trim() : undefined
}
