import { statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { listFilesBelow } from '../../machine/system/folder-walk.ts'
import type { Io } from '../command/command.ts'
import { readReadRecord, selectAffectedSpecs } from './read-record.ts'
import { suiteFolders } from './rspec-arguments.ts'

/** The tests of a run. */
export interface TestSelection {
  /** True to run the suite of rspec-puppet. */
  readonly isSuite: boolean
  /** Paths of the suite, possibly with lines; the whole suite if empty. */
  readonly specs: readonly string[]
  /** Paths of test manifests. */
  readonly manifests: readonly string[]
}

/** Selects the tests that changed files may affect, and prints the reason. `changed` is undefined if all may have changed. */
export function selectChangedTests(
  selection: TestSelection,
  changed: readonly string[] | undefined,
  settings: Settings,
  io: Io,
): TestSelection {
  if (!changed) return selection
  const root = process.cwd()
  const manifests = selectManifests(selection.manifests, changed, root)
  if (!selection.isSuite || changed.length === 0) return { ...selection, isSuite: false, manifests }
  const listed = listSpecFiles(selection.specs, root)
  const record = readReadRecord(root, settings)
  const affected = selectAffectedSpecs(root, changed, record, [...new Set(listed.map(removeLines))])
  if (affected.kind === 'all') {
    io.err(`Running all tests: ${affected.reason}\n`)
    return { ...selection, manifests }
  }
  const specs = listed.filter((path) => affected.specs.includes(removeLines(path)))
  io.err(`Running ${specs.length} of ${listed.length} spec files\n`)
  return { isSuite: specs.length > 0, specs, manifests }
}

/** Test manifests have no record: a change of other files affects all of them. */
function selectManifests(manifests: readonly string[], changed: readonly string[], root: string): readonly string[] {
  const others = changed.filter((path) => !/_spec\.rb$|_test\.pp$/.test(path))
  if (others.length > 0) return manifests
  const paths = new Set(changed.map((path) => resolve(root, path)))
  return manifests.filter((path) => paths.has(path))
}

/** Spec files relative to the module, with the lines of the given paths. */
function listSpecFiles(given: readonly string[], root: string): readonly string[] {
  const paths = given.length > 0 ? given : suiteFolders.map((name) => `spec/${name}`)
  return paths.flatMap((path) => {
    const full = resolve(root, path)
    if (!statSync(full, { throwIfNoEntry: false })?.isDirectory()) return given.length > 0 ? [relative(root, full)] : []
    const files = listFilesBelow(full, budgets.workbench.folderEntries.bound)
    return files.filter((file) => file.endsWith('_spec.rb')).map((file) => relative(root, join(file)))
  })
}

function removeLines(path: string): string {
  return path.split(/[:[]/, 1)[0]!
}
