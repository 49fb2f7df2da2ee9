import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { compareVersions } from '../../language/values/compare-versions.ts'
import { systemIssues } from './issues.ts'

/** Facts of operating systems, collected by the project FacterDB. */
export interface FacterDb {
  /** Names of systems, such as `debian-12-x86_64`. */
  readonly names: readonly string[]
  /** The facts of a system, by the newest Facter that has them. Throws FACTERDB_UNREADABLE. */
  readFacts(name: string): Readonly<Record<string, ExactJson>>
}

/**
 * Opens the gem `facterdb`, which contains facts in `facts/FACTER_VERSION/SYSTEM.facts`. Throws FACTERDB_ABSENT if none of
 * the folders contains the gem; the highest version wins.
 */
export function openFacterDb(gemFolders: readonly string[]): FacterDb {
  const found = gemFolders.flatMap(listFacterDbGems).sort((a, b) => compareVersions(b.version, a.version))[0]
  if (!found) return throwIssue(systemIssues.FACTERDB_ABSENT, { folders: gemFolders })
  const files = new Map<string, string>()
  const folder = join(found.path, 'facts')
  for (const version of readdirSync(folder).filter(isVersion).sort(compareVersions))
    for (const file of readdirSync(join(folder, version)))
      if (file.endsWith('.facts')) files.set(file.slice(0, -'.facts'.length).toLowerCase(), join(folder, version, file))
  const known = new Map<string, Readonly<Record<string, ExactJson>>>()
  return {
    names: [...files.keys()].sort(),
    readFacts(name) {
      const facts = known.get(name) ?? readFactsFile(files.get(name)!)
      known.set(name, facts)
      return facts
    },
  }
}

function listFacterDbGems(folder: string): { readonly path: string; readonly version: string }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const version = /^facterdb-(\d[\d.]*)$/.exec(name)?.[1]
    const path = join(folder, name)
    return version !== undefined && existsSync(join(path, 'facts')) ? [{ path, version }] : []
  })
}

function isVersion(name: string): boolean {
  return /^\d+\.\d+$/.test(name)
}

function readFactsFile(file: string): Readonly<Record<string, ExactJson>> {
  const { factsBytes, factsValues } = budgets.workbench
  try {
    const json = parseBoundedJson(readFileSync(file, 'utf8'), {
      characters: factsBytes.bound,
      items: factsValues.bound,
    })
    if (isExactObject(json)) return json as Readonly<Record<string, ExactJson>>
    return throwIssue(systemIssues.FACTERDB_UNREADABLE, { file, why: 'it contains no JSON object' })
  } catch (error) {
    return throwIssue(systemIssues.FACTERDB_UNREADABLE, { file, why: formatErrorReason(error) })
  }
}
