import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { GitObjectSource } from '../git/git-object-source.ts'
import { openRepository } from '../git/open-repository.ts'
import type { CompileEnvironment } from './compile-environment.ts'
import { describeEnvironment } from './describe-environment.ts'
import type { EnvironmentSettings } from './environment-conf.ts'
import { environmentOfBranch } from './environment-name.ts'
import { type EnvironmentSnapshot, snapshotOpener, type TreeSnapshot } from './environment-snapshot.ts'
import { asItIs, type DeployedCommit } from './git/branch-deployer.ts'
import { commitOf } from './git/commit-of.ts'
import { GitLoader } from './git/git-loader.ts'
import { limitsFrom } from './git/load-limits.ts'
import { revisionOf } from './git/revision.ts'

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
  /** The environment for other threads. */
  readonly snapshot: EnvironmentSnapshot
  readonly settings: EnvironmentSettings
  readonly warnings: readonly string[]
}

/** Opens a deployer of commits (such as commits with a Puppetfile) while a repository is read. */
export type OpenDeployer = (source: GitObjectSource) => { readonly deployed: DeployedCommit; close(): Promise<void> }

/**
 * Opens the code of a commit (a branch, tag or id); by default, the environment has the name of the
 * branch.
 */
export async function openCommit(
  { repository, ref, name }: { readonly repository: string; readonly ref: string; readonly name?: string },
  settings: Settings,
  openDeployer: OpenDeployer = () => ({ deployed: asItIs, close: async () => {} }),
): Promise<OpenedEnvironment> {
  const source = await openRepository(repository)
  const deployer = openDeployer(source)
  try {
    const commit = await commitOf(source, ref)
    const environment = name ?? environmentOfBranch(ref.replace(/^refs\/heads\/|[~^].*$/gs, ''))
    return await commitOpener(source, settings, deployer.deployed)({ commit, ref, name: environment })
  } finally {
    await deployer.close()
    await source.close()
  }
}

/**
 * Opens commits one after another; the cost of each depends only on its differences from the
 * previous one. For a branch with a Puppetfile, opens the deployed commit.
 */
export function commitOpener(
  source: GitObjectSource,
  settings: Settings,
  deployed: DeployedCommit = asItIs,
): (which: { readonly commit: string; readonly ref: string; readonly name: string }) => Promise<OpenedEnvironment> {
  const loader = new GitLoader(source, { everything: true, limits: limitsFrom(settings) })
  const opener = snapshotOpener()
  return async ({ commit: given, ref, name }) => {
    const commit = await deployed({ environment: name, ref, commit: given })
    const { submodules: _, ...tree } = await loader.load(commit)
    loader.keepOnly([commit])
    const root = `${settings.environmentpath[0] ?? settings.codedir}/${name}`
    return open(name, { ...tree, root, revision: revisionOf(ref, commit) }, settings, opener)
  }
}

/** Opens a folder with the layout of an environment. */
export async function openDirectory(
  { directory, name }: { readonly directory: string; readonly name: string },
  settings: Settings,
): Promise<OpenedEnvironment> {
  const path = resolve(directory)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) fail(issues.NO_SUCH_DIRECTORY, { path })
  return open(name, { kind: 'folder', directory: path, root: path, ofModules: false }, settings)
}

/** Opens code from the command line: `--modulepath A:B --manifest F`, or `-e CODE`. */
export function openParts(parts: {
  readonly name: string
  readonly modulepath: readonly string[]
  /** A manifest, a folder of manifests, or inline text. */
  readonly manifest: { readonly file: string } | { readonly text: string } | undefined
  /** Path of a hiera.yaml. */
  readonly hiera?: string
}): CompileEnvironment {
  const opener = snapshotOpener()
  const trees: TreeSnapshot[] = []
  const folder = (directory: string, ofModules: boolean, only?: readonly string[]): number =>
    trees.push({ kind: 'folder', directory: resolve(directory), root: resolve(directory), ofModules, only }) - 1
  const { manifest, hiera } = parts
  const file = manifest && 'file' in manifest ? resolve(manifest.file) : undefined
  for (const path of [file, hiera])
    if (path !== undefined && !statSync(path, { throwIfNoEntry: false })) fail(issues.NO_SUCH_FILE, { path })
  const isFolder = file !== undefined && statSync(file).isDirectory()
  // Other files in the folder of a single manifest do not belong to the code.
  if (isFolder) folder(file, false)
  else folder(file === undefined ? '.' : dirname(file), false, file === undefined ? [] : [basename(file)])
  const modulepath = parts.modulepath
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
    .map((path) => ({ tree: folder(path, true), path: '' }))
  const globalHiera =
    hiera === undefined ? undefined : { tree: folder(dirname(resolve(hiera)), false), path: basename(hiera) }
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

async function open(
  name: string,
  tree: TreeSnapshot,
  settings: Settings,
  opener = snapshotOpener(),
): Promise<OpenedEnvironment> {
  const described = await describeEnvironment(name, tree, settings, opener)
  return { ...described, environment: opener.open(described.snapshot) }
}
