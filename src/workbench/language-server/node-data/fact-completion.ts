import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver'
import { budgets } from '../../../base/budgets/budgets.ts'
import { type ExactJson, isExactObject } from '../../../base/json/exact-json.ts'
import { printValue } from '../../../language/types/printing/print.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import type { PointedPlace } from '../navigation.ts'
import { toOffset } from '../positions.ts'
import { readFact, readOpenFactKey } from './fact-expressions.ts'
import { type NodeValues, shorten } from './node-values.ts'

/** Keys of facts after `$facts[`, with their values on the chosen node; undefined at another place. */
export function completeFacts(
  workspace: CodeWorkspace,
  { path, position }: PointedPlace,
  { node }: NodeValues,
): readonly CompletionItem[] | undefined {
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  const open = readOpenFactKey(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))
  if (!open) return undefined
  const parent = readFact(node, open)
  if (parent === undefined || !isExactObject(parent)) return []
  const entries = Object.entries(parent as Readonly<Record<string, ExactJson>>)
  return entries.slice(0, budgets.workbench.completions.bound).map(([label, value]) => ({
    ...{ label, kind: CompletionItemKind.Field, detail: shorten(printValue(convertJsonToValue(value))) },
    ...(open.quote === '' && { insertText: `'${label}'` }),
  }))
}
