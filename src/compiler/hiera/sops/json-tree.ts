import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { parseBoundedJson } from '../../../base/json/bounded-json.ts'
import { type ExactJson, getEntries, isExactObject } from '../../../base/json/exact-json.ts'
import { createBoolean, createFloat, createInteger } from './go-scalars.ts'
import { sopsIssues } from './issues.ts'
import { createTextLeaf, type SopsMap, type SopsNode, sopsNull } from './sops-tree.ts'

/** Reads JSON that SOPS has written. Throws SOPS_SYNTAX, JSON_…. */
export function parseJsonTree(text: string): SopsMap {
  const { sopsFile, sopsValues, sopsDepth } = budgets.secret
  const bounds = { characters: sopsFile.bound, items: sopsValues.bound, depth: sopsDepth.bound }
  try {
    const tree = convertJson(parseBoundedJson(text, bounds))
    return tree.kind === 'map' ? tree : failJson('it is not an object')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return failJson(error.message)
  }
}

function convertJson(json: ExactJson | undefined): SopsNode {
  if (json === null || json === undefined) return sopsNull
  if (typeof json === 'string') return createTextLeaf(json)
  if (typeof json === 'boolean') return createBoolean(json)
  if (typeof json === 'bigint') return createInteger(json)
  if (typeof json === 'number') return Number.isInteger(json) ? createInteger(json) : createFloat(json)
  if (json instanceof Number) return createFloat(json.valueOf())
  if (isExactObject(json))
    return { kind: 'map', entries: Array.from(getEntries(json), ([key, value]) => [key, convertJson(value)] as const) }
  return { kind: 'list', items: (json as readonly ExactJson[]).map(convertJson) }
}

function failJson(why: string): never {
  return throwIssue(sopsIssues.SOPS_SYNTAX, { what: 'JSON', why })
}
