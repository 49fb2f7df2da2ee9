import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { localFiles } from '../../machine/system/files.ts'
import { moduleToolIssues as issues } from './issues.ts'

/** Reads the object in the metadata.json of a module. Throws MODULE_METADATA_INVALID. */
export async function readMetadataFile(root: string): Promise<Record<string, unknown>> {
  const file = join(root, 'metadata.json')
  const { answer, answerItems } = budgets.module
  try {
    const text = Buffer.from((await localFiles.readWithin(file, answer.bound)) ?? '').toString('utf8')
    const parsed = parseBoundedJson(text, { characters: answer.bound, items: answerItems.bound })
    return checkJsonObject(parsed, 'metadata.json')
  } catch (error) {
    return throwIssue(issues.MODULE_METADATA_INVALID, { file, why: formatError(error) })
  }
}
