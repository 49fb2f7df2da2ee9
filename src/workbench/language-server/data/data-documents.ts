import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
} from 'vscode-languageserver'
import { budgets } from '../../../base/budgets/budgets.ts'
import { parseDataFile } from '../../code-checks/code/data-file.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { type DataKey, isDataFile, listDataKeys } from '../../code-index/data-keys.ts'
import { type DocumentedParameter, describeDefinition } from '../../code-index/documentation.ts'
import { findDefinitionOf, type PointedPlace } from '../navigation.ts'
import { toOffset, toPosition, toRange } from '../positions.ts'

/** Completes keys of Hiera data at the start of a line; undefined at another place. */
export function completeDataKeys(
  workspace: CodeWorkspace,
  { path, position }: PointedPlace,
): readonly CompletionItem[] | undefined {
  if (!isDataFile(path)) return undefined
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const [, quote = '', written] = /^(["']?)([\w:]*)$/.exec(line) ?? []
  if (written === undefined) return []
  const given = new Set(listDataKeys({ file: path, text }).map(({ name }) => name))
  const { line: at, character } = position
  const range = { start: { line: at, character: quote.length }, end: { line: at, character } }
  const items: CompletionItem[] = []
  for (const { name: owner, folder } of workspace.autoloadNames) {
    if (folder !== 'manifests' || !isRelated(owner, written)) continue
    for (const { name, type, comment } of listParameters(workspace, owner)) {
      const label = `${owner}::${name}`
      if (given.has(label) || !label.startsWith(written)) continue
      if (items.length >= budgets.workbench.completions.bound) return items
      items.push({
        ...{ label, kind: CompletionItemKind.Property, documentation: comment, detail: type ?? 'Any' },
        // An editor's word may end at a colon.
        textEdit: { range, newText: quote === '' ? `${label}: ` : label },
        filterText: label,
      })
    }
  }
  return items
}

function isRelated(owner: string, written: string): boolean {
  return owner.startsWith(written) || written.startsWith(owner)
}

function listParameters(workspace: CodeWorkspace, owner: string): readonly DocumentedParameter[] {
  const found = findDefinitionOf(workspace, { kind: 'class', name: owner }, '')
  return (found && describeDefinition(workspace, found)?.parameters) ?? []
}

/** The key of Hiera data at a place. */
export function findDataKeyAt(workspace: CodeWorkspace, { path, position }: PointedPlace): DataKey | undefined {
  const text = isDataFile(path) ? workspace.text(path) : undefined
  if (text === undefined) return undefined
  const offset = toOffset(text, position)
  return listDataKeys({ file: path, text }).find(({ span }) => span.start <= offset && offset <= span.end)
}

/** Type, documentation and default value of the parameter that the key of Hiera data at a place sets. */
export function describeDataKey(workspace: CodeWorkspace, place: PointedPlace): Hover | undefined {
  const key = findDataKeyAt(workspace, place)
  const [, owner, parameter] = /^(.+)::(\w+)$/.exec(key?.name ?? '') ?? []
  const found = owner && listParameters(workspace, owner).find(({ name }) => name === parameter)
  if (!key || !found) return undefined
  const { type, name, value, comment } = found
  const code = `${type === undefined ? '' : `${type} `}$${name}${value === undefined ? '' : ` = ${value}`}`
  const text = comment || `Parameter of class \`${owner}\`.`
  return { contents: { kind: 'markdown', value: `\`\`\`puppet\n${code}\n\`\`\`\n\n${text}` }, range: toRange(key.span) }
}

/** Source of the diagnostics of data. */
const sourceName = 'plumb'

/** The syntax error of a file of Hiera data. */
export function listDataDiagnostics(workspace: CodeWorkspace, path: string): readonly Diagnostic[] {
  const text = workspace.text(path)
  if (text === undefined || text.length > budgets.workbench.dataFileCharacters.bound) return []
  const file = parseDataFile(text)
  if (!('error' in file)) return []
  const { message, offset = 0 } = file.error
  const start = toPosition({ file: path, text }, Math.min(offset, text.length))
  const range = { start, end: { line: start.line, character: start.character + 1 } }
  return [{ source: sourceName, severity: DiagnosticSeverity.Error, message, range }]
}
