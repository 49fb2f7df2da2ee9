import { posix } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import type { Source } from '../../base/source.ts'
import { parseDocstring } from './docstring/docstring.ts'
import type { TaskItem, TaskParameter } from './model.ts'

const issues = defineIssues({
  TASK_JSON: { text: (a: { file: string; reason: string }) => `Could not parse ${a.file}: ${a.reason}` },
})

/** Reads the metadata of a task; undefined if it is empty. Throws TASK_JSON. */
export function readTask({ text }: Source, file: string): TaskItem | undefined {
  const json = parseMetadata(text, file)
  if ([...getEntries(json)].length === 0) return undefined
  const description = getMember(json, 'description')
  const parameters = getMember(json, 'parameters') ?? {}
  const { text: comment } = parseDocstring(typeof description === 'string' ? description : '')
  return {
    kind: 'task',
    name: posix.basename(file).replace('.json', ''),
    file,
    line: 0,
    docstring: { text: comment, tags: [] },
    parameters: isExactObject(parameters) ? [...getEntries(parameters)].map(toParameter) : [],
    source: text,
    supportsNoop: getMember(json, 'supports_noop') ?? false,
    inputMethod: getMember(json, 'input_method') ?? null,
  }
}

function parseMetadata(text: string, file: string) {
  const bounds = { characters: budgets.documentation.file.bound, items: budgets.documentation.metadata.bound }
  let json: ExactJson
  try {
    json = parseBoundedJson(text, bounds)
  } catch (error) {
    return throwIssue(issues.TASK_JSON, { file, reason: error instanceof Error ? error.message : String(error) })
  }
  return isExactObject(json) ? json : throwIssue(issues.TASK_JSON, { file, reason: 'it is not an object' })
}

function toParameter([name, field]: readonly [string, ExactJson | undefined]): TaskParameter {
  const [description, type] = [getMember(field, 'description'), getMember(field, 'type')]
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    type: typeof type === 'string' ? type : undefined,
  }
}
