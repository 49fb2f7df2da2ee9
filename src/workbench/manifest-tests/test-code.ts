import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { openEnvironmentDirectory } from '../../code/environments/environment-opener.ts'
import { createSnapshotOpener, type TreeSnapshot } from '../../code/environments/environment-snapshot.ts'
import { parseModuleDescription } from '../../code/environments/module-dependencies.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'
import { parseModuleMetadata } from '../code-index/module-description.ts'
import { readSupportedSystems, type SupportedSystem } from '../systems/supported-systems.ts'
import { manifestTestIssues } from './issues.ts'

/** The code that tests of a module or of a control repository use. */
export interface TestCode {
  /** The folder of the module or of the control repository. */
  readonly root: string
  /** Systems in the module's metadata.json; undefined for a control repository. */
  readonly supported: readonly SupportedSystem[] | undefined
  /** Opens the environment with a main manifest, a file or text; `dataFolder` contains a global hiera.yaml. */
  open(manifest: TestManifest, dataFolder?: string): CompileEnvironment
  /** The path of a file as the author knows it. */
  getAuthorPath(file: string): string
  close(): void
}

/** The main manifest of a test: the test manifest, or text. */
export type TestManifest = { readonly file: string } | { readonly text: string }

const environmentName = 'production'

/** Finds the module or the control repository that contains a test manifest. Throws TEST_ROOT_ABSENT. */
export function findTestRoot(file: string): string {
  return findRootAbove(dirname(resolve(file))) ?? throwIssue(manifestTestIssues.TEST_ROOT_ABSENT, { file })
}

/** The nearest folder, from `folder` upwards, that is a module or a control repository. */
export function findRootAbove(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (['metadata.json', 'environment.conf'].some((name) => existsSync(join(at, name)))) return at
    if (at === dirname(at)) return undefined
  }
}

/**
 * Opens the code around test manifests. A module is found under its own name whatever its folder is called; the modules
 * that it needs are in `modulepath` and in `spec/fixtures/modules`. Throws TEST_METADATA.
 */
export async function openTestCode(root: string, modulepath: readonly string[], settings: Settings): Promise<TestCode> {
  return existsSync(join(root, 'metadata.json'))
    ? openModule(root, modulepath)
    : openControlRepository(root, modulepath, settings)
}

function openModule(root: string, modulepath: readonly string[]): TestCode {
  const metadata = readMetadata(join(root, 'metadata.json'))
  const name = parseModuleDescription(metadata).forgeName?.split('/')[1]
  if (name === undefined || !/^[a-z]\w*$/.test(name))
    return throwIssue(manifestTestIssues.TEST_METADATA, {
      file: join(root, 'metadata.json'),
      why: 'it names no module',
    })
  const link = mkdtempSync(join(tmpdir(), 'plumb-test-'))
  symlinkSync(root, join(link, name))
  const folders = [link, join(root, 'spec/fixtures/modules'), ...modulepath].filter(isFolder)
  const opener = createSnapshotOpener()
  return {
    root,
    supported: readSupportedSystems(metadata),
    open(manifest, dataFolder) {
      const file = 'file' in manifest ? manifest.file : undefined
      const own = file === undefined ? describeFolder(root, []) : describeFolder(dirname(file), [basename(file)])
      const trees: TreeSnapshot[] = [own]
      for (const folder of folders) trees.push({ ...describeFolder(folder), ofModules: true })
      if (dataFolder !== undefined) trees.push(describeFolder(dataFolder))
      return opener.open({
        name: environmentName,
        trees,
        modulepath: folders.map((_, at) => ({ tree: at + 1, path: '' })),
        manifest: 'file' in manifest ? { path: basename(manifest.file) } : manifest,
        version: 0,
        globalHiera: dataFolder === undefined ? undefined : { tree: trees.length - 1, path: 'hiera.yaml' },
      })
    },
    getAuthorPath: (file) =>
      file.startsWith(`${link}/${name}/`) ? join(root, relative(join(link, name), file)) : file,
    close: () => rmSync(link, { recursive: true, force: true }),
  }
}

async function openControlRepository(
  root: string,
  modulepath: readonly string[],
  settings: Settings,
): Promise<TestCode> {
  const { environment } = await openEnvironmentDirectory({ directory: root, name: environmentName }, settings)
  const opener = createSnapshotOpener()
  const added = modulepath.filter(isFolder).map((folder) => ({
    tree: opener.openTree({ ...describeFolder(folder), ofModules: true }),
    path: '',
  }))
  const { name, tree } = environment
  return {
    root,
    supported: undefined,
    open: (manifest, dataFolder) => ({
      ...{ name, tree, version: 0, modulepath: [...environment.modulepath, ...added] },
      manifest: 'file' in manifest ? { path: relative(root, manifest.file) } : manifest,
      globalHiera: dataFolder === undefined ? undefined : openGlobalHiera(opener.openTree(describeFolder(dataFolder))),
    }),
    getAuthorPath: (file) => file,
    close: () => {},
  }
}

function openGlobalHiera(tree: CompileEnvironment['tree']): CompileEnvironment['globalHiera'] {
  return { tree, path: 'hiera.yaml' }
}

function describeFolder(directory: string, only?: readonly string[]): Extract<TreeSnapshot, { kind: 'folder' }> {
  const path = resolve(directory)
  return { kind: 'folder', directory: path, root: path, ofModules: false, ...(only && { only }) }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function readMetadata(file: string): Readonly<Record<string, unknown>> {
  try {
    return parseModuleMetadata(readBoundedFileSync(file, budgets.push.codeFile.bound).toString('utf8'))
  } catch (error) {
    return throwIssue(manifestTestIssues.TEST_METADATA, { file, why: formatErrorReason(error) })
  }
}
