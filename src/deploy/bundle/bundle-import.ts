import { throwIssue } from '../../base/issue.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { ServeGitOptions } from '../../code/git/git-service.ts'
import { hideOwnRefs } from '../../code/git/hidden-refs.ts'
import { checkCommitObjects, findPresentObjects, moveRef } from '../../code/git/object-writer.ts'
import { indexPack } from '../../code/git/packs/git-bundle.ts'
import { pushPack } from '../../code/git/packs/pack-push.ts'
import { formatDeployedRef } from '../../code/git/ref-names.ts'
import type { InstalledGem } from '../../node/gems/gem-directory.ts'
import type { GemInstaller } from '../../node/gems/gem-installation.ts'
import { noForceVariable } from '../forced-pushes.ts'
import {
  findDeployment,
  findLastDeployment,
  isDeploymentOfCommit,
  recordHookDeployment,
} from '../synthesis/stored-deployments.ts'
import { bundleIssues } from './issues.ts'
import type { BundledEnvironment } from './manifest.ts'
import { listGemFiles, openBundledPack, type UnpackedBundle } from './unpacked-bundle.ts'

/** The repository and the gem directory of a server, and the rules of the import. */
export interface ImportParts {
  readonly source: GitObjectSource
  /** Git settings and variables with which the repository runs its hooks. */
  readonly hooks: Pick<ServeGitOptions, 'config' | 'env'>
  readonly installer: GemInstaller
  /** True to allow older commits, and branches that lose commits. */
  readonly force: boolean
  /** Called with each line of the hooks. */
  say(line: string): void
}

/** The result for an environment. */
export interface ImportedEnvironment extends BundledEnvironment {
  /** The commit of the branch before the import; `undefined` for a new branch. */
  readonly before: string | undefined
  readonly change: 'created' | 'updated' | 'modules updated' | 'unchanged'
}

/** The result of an import. */
export interface ImportResult {
  readonly environments: readonly ImportedEnvironment[]
  /** Gems that were not installed before. */
  readonly gems: readonly InstalledGem[]
}

/**
 * Imports a bundle into a repository, like a push of all its branches: the hooks check the commits in quarantine, and the
 * branches change together or not at all. The gems are checked before the push and installed after it. Modules are not
 * fetched, since the served commits contain them. Throws BUNDLE_….
 */
export async function importBundle(bundle: UnpackedBundle, parts: ImportParts): Promise<ImportResult> {
  const environments = await compareWithRepository(bundle, parts)
  const push = () => moveBranches(bundle, environments, parts)
  const files = listGemFiles(bundle)
  if (files.length === 0) {
    await push()
    return { environments, gems: [] }
  }
  return { environments, gems: await parts.installer.installFiles(files, push) }
}

/** Compares the branches with the bundle, before anything is changed. */
async function compareWithRepository(
  { manifest }: UnpackedBundle,
  { source, force }: ImportParts,
): Promise<readonly ImportedEnvironment[]> {
  const { objectFormat, since, environments } = manifest
  if (objectFormat !== source.objectFormat)
    throwIssue(bundleIssues.BUNDLE_OBJECT_FORMAT, { bundle: objectFormat, here: source.objectFormat })
  const place = { gitDir: source.path, quarantine: false }
  const present = await findPresentObjects(place, [...since, ...environments.map(({ commit }) => commit)])
  const missing = since.find((commit) => !present.has(commit))
  if (missing !== undefined) throwIssue(bundleIssues.BUNDLE_BASE_MISSING, { commit: missing })
  const compared: ImportedEnvironment[] = []
  for (const each of environments) {
    const { name, ref, commit, codeId } = each
    const before = await source.resolveRef(ref)
    const isKnown = before !== undefined && before !== commit && present.has(commit)
    if (isKnown && !force && (await source.mergeBase(before, commit)) === commit)
      throwIssue(bundleIssues.BUNDLE_OLDER, { environment: name, given: commit, current: before })
    const deployed = before === commit ? await findDeployment({ source, place }, { environment: name, commit }) : commit
    const sameModules = commit === codeId || deployed === codeId
    const change =
      before === undefined ? 'created' : before !== commit ? 'updated' : sameModules ? 'unchanged' : 'modules updated'
    compared.push({ ...each, before, change })
  }
  return compared
}

async function moveBranches(
  bundle: UnpackedBundle,
  environments: readonly ImportedEnvironment[],
  { source, hooks, force, say }: ImportParts,
): Promise<void> {
  const place = { gitDir: source.path, quarantine: false }
  const withModules = environments.filter(({ commit, codeId }) => commit !== codeId)
  await hideOwnRefs(place)
  // The hooks and the server find the served commit here, and fetch no modules.
  for (const { name, commit, codeId } of withModules)
    await recordHookDeployment(place, { environment: name, commit }, codeId)
  const moved = environments.filter(({ before, commit }) => before !== commit)
  if (moved.length > 0) await pushBranches(bundle, moved, { source, hooks, force, say })
  else if (environments.some(({ change }) => change !== 'unchanged')) await indexPack(place, openBundledPack(bundle))
  // Also for unchanged environments, since an earlier import may have been interrupted here.
  for (const each of withModules) await keepDeployedCommit(each, source)
}

async function pushBranches(
  bundle: UnpackedBundle,
  moved: readonly ImportedEnvironment[],
  { source, hooks, force, say }: Omit<ImportParts, 'installer'>,
): Promise<void> {
  const rejected = await pushPack({
    gitDir: source.path,
    objectFormat: source.objectFormat,
    commands: moved.map(({ ref, before, commit }) => ({
      ref,
      before: before ?? '0'.repeat(commit.length),
      after: commit,
    })),
    pack: openBundledPack(bundle),
    options: force
      ? hooks
      : {
          config: [...(hooks.config ?? []), ['receive.denyNonFastForwards', 'true']],
          env: { ...hooks.env, [noForceVariable]: 'true' },
        },
    say,
  })
  const [[ref, why] = []] = rejected
  if (ref !== undefined) throwIssue(bundleIssues.BUNDLE_PUSH_REJECTED, { ref: ref || 'the commits', why: why ?? '' })
}

/** Protects a commit with modules from pruning, and makes it the served commit of an unchanged branch. */
async function keepDeployedCommit(
  { name, commit, codeId, change }: ImportedEnvironment,
  source: GitObjectSource,
): Promise<void> {
  const place = { gitDir: source.path, quarantine: false }
  if (!(await findPresentObjects(place, [codeId])).has(codeId))
    throwIssue(bundleIssues.BUNDLE_COMMIT_MISSING, { commit: codeId })
  // Otherwise a served commit could have other code than the branch that the hooks accepted.
  if (!(await isDeploymentOfCommit(place, codeId, commit)))
    throwIssue(bundleIssues.BUNDLE_COMMIT_FOREIGN, { environment: name, commit: codeId, branch: commit })
  await checkCommitObjects(place, codeId, [commit])
  await source.pin(codeId)
  if (change !== 'modules updated') return
  const from = await findLastDeployment({ source, place }, name)
  await moveRef(place, formatDeployedRef(name), { from, to: codeId })
}
