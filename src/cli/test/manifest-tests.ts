import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { listFilesBelow } from '../../machine/system/folder-walk.ts'
import { findTestRoot, openTestCode } from '../../workbench/manifest-tests/test-code.ts'
import { runTestFile, type TestResult } from '../../workbench/manifest-tests/test-suite.ts'
import { type FacterDb, openFacterDb } from '../../workbench/systems/facterdb.ts'
import { getFacterDbFolder } from '../facts/facts-db.ts'
import { createTestRequest } from './test-request.ts'

const issues = defineIssues({
  GOLDEN_LINK: { text: (a: { folder: string }) => `The folder of golden catalogs ${a.folder} is a symbolic link` },
  GOLDEN_TWICE: {
    text: (a: { path: string }) => `Two tests with different catalogs write the golden catalog ${a.path}`,
    hint: () => 'Give expect_catalog() another name in one of them.',
  },
  TEST_PATH_ABSENT: { text: (a: { path: string }) => `Could not find ${a.path}` },
})

/** Ending of the names of test manifests. */
const ending = '_test.pp'
/** Folders without tests of the author. */
const skippedFolders: ReadonlySet<string> = new Set(['node_modules', 'fixtures', 'vendor', 'pkg'])

/** Lists the test manifests in files and folders, by name. Throws TEST_PATH_ABSENT. */
export function listTestManifests(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false }) ?? throwIssue(issues.TEST_PATH_ABSENT, { path })
    return stat.isDirectory() ? listInFolder(resolve(path)) : path.endsWith(ending) ? [resolve(path)] : []
  })
  return [...new Set(found)].sort()
}

function listInFolder(folder: string): readonly string[] {
  const isSkipped = (name: string) => skippedFolders.has(name) || name.startsWith('.')
  const files = listFilesBelow(folder, budgets.workbench.folderEntries.bound, isSkipped)
  // The modules of fixtures are links, also to the module itself.
  return files.filter((path) => path.endsWith(ending) && lstatSync(path).isFile())
}

/** Options of a run of test manifests. */
export interface ManifestTestOptions {
  /** Only tests whose name contains one of these texts; all tests if empty. */
  readonly only: readonly string[]
  /** True to write the golden catalogs. */
  readonly isUpdated: boolean
  /** Folders of gems, in which FacterDB is searched. */
  readonly gemFolders: readonly string[]
  /** Stops the run after the current test, with an exception, when aborted; no golden catalog is written then. */
  readonly signal: AbortSignal
}

/** Runs the tests of manifests, and passes each result to `take` when it is known. Paths in results are relative. */
export async function runManifestTests(
  files: readonly string[],
  { only, isUpdated, gemFolders, signal }: ManifestTestOptions,
  settings: Settings,
  take: (result: TestResult) => void,
): Promise<void> {
  let facts: FacterDb | undefined
  const openFacts = () => (facts ??= openFacterDb(gemFolders))
  const written = new Map<string, string>()
  const golden = {
    isUpdated,
    read: (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    write(path: string, text: string) {
      if ((written.get(path) ?? text) !== text) throwIssue(issues.GOLDEN_TWICE, { path })
      written.set(path, text)
    },
  }
  const roots = files.map(findTestRoot)
  for (const root of new Set(roots)) {
    const code = await openTestCode(root, settings.modulepath, settings)
    try {
      for (const file of files.filter((_, at) => roots[at] === root))
        for (const result of runTestFile(file, {
          ...{ code, only, openFacts, golden, createRequest: createTestRequest(settings) },
        })) {
          take(toRelativePaths(result))
          // Lets handlers of signals run. Leaving the loop removes the data of the test.
          await setImmediate()
          signal.throwIfAborted()
        }
    } finally {
      code.close()
    }
  }
  for (const [path, text] of written) {
    const folder = dirname(path)
    mkdirSync(folder, { recursive: true })
    if (lstatSync(folder).isSymbolicLink()) throwIssue(issues.GOLDEN_LINK, { folder })
    await localFiles.write(path, text, fileMode)
  }
}

/** Permissions of golden catalogs, which belong to the code. */
const fileMode = 0o644

function toRelativePaths(result: TestResult): TestResult {
  const shorten = (file: string) => relative('.', file)
  const failures = result.failures.map((each) => ({ ...each, file: each.file && shorten(each.file) }))
  return { ...result, file: shorten(result.file), failures }
}

/** Folders in which gems are installed: those of Plumb, of the variables of Bundler and Ruby, and of Debian's Ruby. */
export function listGemFolders({ vardir }: Settings, given: readonly string[] = []): readonly string[] {
  const { GEM_PATH = '', GEM_HOME = '' } = process.env
  const named = [
    ...given,
    join(vardir, 'gems'),
    getFacterDbFolder({ vardir }),
    ...GEM_PATH.split(':'),
    GEM_HOME,
    '/usr/share/rubygems-integration/all',
  ]
  const roots = [join(homedir(), '.gem/ruby'), '/var/lib/gems', '/usr/local/bundle/ruby', 'vendor/bundle/ruby']
  const versions = roots.flatMap((root) => (existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : []))
  return [...named.filter((folder) => folder !== ''), '/usr/local/bundle', ...versions].map((folder) =>
    join(folder, 'gems'),
  )
}
