import { existsSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { isOid } from '../../code/git/ref-names.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'
import { localFiles } from '../../machine/system/files.ts'

/** The exact version of a fixture. */
export interface LockedFixture {
  readonly name: string
  /** The declaration in .fixtures.yml; the entry is valid as long as it is unchanged. */
  readonly source: string
  /** Commit, or version on the Forge. */
  readonly resolved: string
  /** Id of the Git tree with the module's files. */
  readonly tree: string
  /** SHA-256 of the archive, for a module from the Forge. */
  readonly sha256?: string | undefined
}

const issues = defineIssues({
  FIXTURES_LOCK: {
    text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}`,
    hint: () => "Restore the file, or run 'plumb test --update-fixtures' to write it again.",
  },
})

/** Values in one entry of the lock file. */
const valuesOfEntry = 8

/** Reads the lock file of fixtures; empty if it does not exist. Throws FIXTURES_LOCK. */
export function readFixturesLock(file: string): ReadonlyMap<string, LockedFixture> {
  if (!existsSync(file)) return new Map()
  const { fixturesFile, fixtures } = budgets.spec
  try {
    const text = readBoundedFileSync(file, fixturesFile.bound).toString('utf8')
    const bounds = { characters: fixturesFile.bound, items: fixtures.bound * valuesOfEntry }
    const entries = checkJsonArray(checkJsonObject(parseBoundedJson(text, bounds), 'the file')['modules'], 'modules')
    return new Map(
      entries.map((entry) => parseEntry(checkJsonObject(entry, 'a module'))).map((each) => [each.name, each]),
    )
  } catch (error) {
    return throwIssue(issues.FIXTURES_LOCK, { file, why: formatErrorReason(error) })
  }
}

function parseEntry(entry: Readonly<Record<string, unknown>>): LockedFixture {
  const tree = checkJsonString(entry['tree'], 'tree')
  // The id is the name of a folder.
  if (!isOid(tree)) checkJsonString(undefined, 'tree')
  const sha256 = checkOptionalString(entry['sha256'], 'sha256')
  return {
    name: checkJsonString(entry['name'], 'name'),
    source: checkJsonString(entry['source'], 'source'),
    resolved: checkJsonString(entry['resolved'], 'resolved'),
    tree,
    ...(sha256 !== undefined && { sha256 }),
  }
}

/** Permissions of the lock file, which belongs to the code. */
const lockMode = 0o644

/** Writes the lock file of fixtures. */
export async function writeFixturesLock(file: string, fixtures: readonly LockedFixture[]): Promise<void> {
  const modules = fixtures.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  await localFiles.write(file, `${JSON.stringify({ modules }, null, 2)}\n`, lockMode)
}
