import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import { openRepository } from '../git/repository-opener.ts'
import type { CompileEnvironment } from './compile-environment.ts'
import type { EnvironmentSettings } from './environment-conf.ts'
import { describeEnvironment } from './environment-description.ts'
import { toEnvironmentName } from './environment-name.ts'
import { createSnapshotOpener, type EnvironmentSnapshot, type TreeSnapshot } from './environment-snapshot.ts'
import { type ResolveDeployedCommit, useBranchCommit } from './git/branch-deployer.ts'
import { resolveCommit } from './git/commit-resolution.ts'
import { GitLoader } from './git/git-loader.ts'
import { getLoadLimits } from './git/load-limits.ts'
import { formatRevision } from './git/revision.ts'
import { listGlobalDataFolders } from './global-hiera-file.ts'

const issues = defineIssues({
  NO_SUCH_DIRECTORY: { text: (a: { path: string }) => `Could not find directory ${a.path}` },
  NO_SUCH_FILE: { text: (a: { path: string }) => `Could not find file ${a.path}` },
})

/**
 * An environment for a process that compiles by itself (`plumb catalog compile`, `plumb apply`);
 * all files are loaded.
 */
export interface OpenedEnvironment {
  readonly environment: CompileEnvironment
  /** Snapshot of the environment, for other threads. */
  readonly snapshot: EnvironmentSnapshot
  readonly settings: EnvironmentSettings
  readonly warnings: readonly string[]
}

/**
 * Opens the deployer of a repository, which returns the commit to use for a branch's commit, such as a commit with
 * the modules of a Puppetfile.
 */
export type OpenDeployer = (source: GitObjectSource) => {
  readonly deployed: ResolveDeployedCommit
  close(): Promise<void>
}

/**
 * Opens the code of a commit (a branch, tag or id); by default, the environment has the name of the
 * branch.
 */
export async function openCommit(
  { repository, ref, name }: { readonly repository: string; readonly ref: string; readonly name?: string },
  settings: Settings,
  openDeployer: OpenDeployer = () => ({ deployed: useBranchCommit, close: async () => {} }),
): Promise<OpenedEnvironment> {
  const source = await openRepository(repository)
  const deployer = openDeployer(source)
  try {
    const commit = await resolveCommit(source, ref)
    const environment = name ?? toEnvironmentName(ref.replace(/^refs\/heads\/|[~^].*$/gs, ''))
    return await createRevisionOpener(source, settings, deployer.deployed)({ commit, ref, name: environment })
  } finally {
    await deployer.close()
    await source.close()
  }
}

/**
 * Opens commits one after another; the cost of each depends only on its differences from the
 * previous one. For a branch with a Puppetfile, opens the deployed commit.
 */
export function createRevisionOpener(
  source: GitObjectSource,
  settings: Settings,
  deployed: ResolveDeployedCommit = useBranchCommit,
): (which: { readonly commit: string; readonly ref: string; readonly name: string }) => Promise<OpenedEnvironment> {
  const loader = new GitLoader(source, { everything: true, limits: getLoadLimits(settings) })
  const opener = createSnapshotOpener()
  return async ({ commit: given, ref, name }) => {
    const commit = await deployed({ environment: name, ref, commit: given })
    const { submodules: _, ...tree } = await loader.load(commit)
    loader.keepOnly([commit])
    const root = `${settings.environmentpath[0] ?? settings.codedir}/${name}`
    return openTreeEnvironment(name, { ...tree, root, revision: formatRevision(ref, commit) }, settings, opener)
  }
}

/** Opens a folder with the layout of an environment. */
export async function openEnvironmentDirectory(
  { directory, name }: { readonly directory: string; readonly name: string },
  settings: Settings,
): Promise<OpenedEnvironment> {
  const path = resolve(directory)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throwIssue(issues.NO_SUCH_DIRECTORY, { path })
  return openTreeEnvironment(name, { kind: 'folder', directory: path, root: path, ofModules: false }, settings)
}

/** Opens code from the command line: `--modulepath A:B --manifest F`, or `-e CODE`. */
export function openCommandLineCode(parts: {
  readonly name: string
  readonly modulepath: readonly string[]
  /** A manifest, a folder of manifests, or inline text. */
  readonly manifest: { readonly file: string } | { readonly text: string } | undefined
  /** Path of a global hiera.yaml. */
  readonly hiera?: string | undefined
}): CompileEnvironment {
  const opener = createSnapshotOpener()
  const trees: TreeSnapshot[] = []
  const addFolder = (directory: string, ofModules: boolean, only?: readonly string[]): number =>
    trees.push({ kind: 'folder', directory: resolve(directory), root: resolve(directory), ofModules, only }) - 1
  const { manifest, hiera } = parts
  const file = manifest && 'file' in manifest ? resolve(manifest.file) : undefined
  for (const path of [file, hiera])
    if (path !== undefined && !statSync(path, { throwIfNoEntry: false })) throwIssue(issues.NO_SUCH_FILE, { path })
  const isFolder = file !== undefined && statSync(file).isDirectory()
  // Other files in the folder of a single manifest do not belong to the code.
  if (isFolder) addFolder(file, false)
  else addFolder(file === undefined ? '.' : dirname(file), false, file === undefined ? [] : [basename(file)])
  const modulepath = parts.modulepath
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
    .map((path) => ({ tree: addFolder(path, true), path: '' }))
  const globalHiera =
    hiera === undefined
      ? undefined
      : {
          tree: addFolder(dirname(resolve(hiera)), false),
          path: basename(hiera),
          data: listGlobalDataFolders(hiera).map((folder) => addFolder(folder, false)),
        }
  const place = file === undefined ? manifest : { path: isFolder ? '' : basename(file) }
  return opener.open({
    name: parts.name,
    trees,
    modulepath,
    manifest: place as { readonly path: string } | { readonly text: string } | undefined,
    version: undefined,
    globalHiera,
  })
}

async function openTreeEnvironment(
  name: string,
  tree: TreeSnapshot,
  settings: Settings,
  opener = createSnapshotOpener(),
): Promise<OpenedEnvironment> {
  const described = await describeEnvironment(name, tree, settings, opener)
  return { ...described, environment: opener.open(described.snapshot) }
}
