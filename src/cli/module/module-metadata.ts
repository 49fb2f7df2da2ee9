import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { formatErrorReason } from '../../language/ruby-semantics/errno.ts'
import { SemVer } from '../../language/values/semver.ts'
import { readBoundedFileSync } from '../../machine/system/bounded-file.ts'

/** A valid metadata.json. */
export interface ModuleMetadata {
  readonly owner: string
  readonly name: string
  readonly version: string
  /** The whole content. */
  readonly content: Readonly<Record<string, unknown>>
}

const issues = defineIssues({
  METADATA_INVALID: {
    text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}`,
    hint: () => "Run the command in the directory of a module; 'plumb module new OWNER-NAME' creates one.",
  },
})

/** Reads the metadata.json of a module. Throws METADATA_INVALID. */
export function readModuleMetadata(folder: string): ModuleMetadata {
  const file = join(folder, 'metadata.json')
  const fail = (why: string): never => throwIssue(issues.METADATA_INVALID, { file, why })
  const content = readContent(file, fail)
  const [, owner, name] = /^([a-zA-Z0-9]+)[-/]([a-z][a-z0-9_]*)$/.exec(String(content['name'])) ?? []
  if (owner === undefined || name === undefined) return fail(`'name' is not OWNER-NAME`)
  const version = SemVer.parse(String(content['version']))
  return version ? { owner, name, version: String(version), content } : fail(`'version' is not a semantic version`)
}

function readContent(file: string, fail: (why: string) => never): Readonly<Record<string, unknown>> {
  const { factsBytes, factsValues } = budgets.workbench
  try {
    const text = readBoundedFileSync(file, factsBytes.bound).toString('utf8')
    return checkJsonObject(parseBoundedJson(text, { characters: factsBytes.bound, items: factsValues.bound }), 'it')
  } catch (error) {
    if (error instanceof PuppetError || error instanceof Error) return fail(formatErrorReason(error))
    throw error
  }
}
