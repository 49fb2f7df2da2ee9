import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
} from 'vscode-languageserver'
import { budgets } from '../../../base/budgets/budgets.ts'
import { PuppetError } from '../../../base/issue.ts'
import { type ExactJson, isExactObject } from '../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../base/own-property.ts'
import type { Source } from '../../../base/source.ts'
import { convertYamlToJson } from '../../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { parseType } from '../../../language/types/from-code/type-parser.ts'
import { describeMismatch } from '../../../language/types/mismatch/mismatch.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { type DataKey, findDataKeys, isDataFile, listDataKeys } from '../../code-index/data-keys.ts'
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

/** Syntax errors, unknown parameters of known classes, and values of a wrong type in a file of Hiera data. */
export function listDataDiagnostics(workspace: CodeWorkspace, path: string): readonly Diagnostic[] {
  const text = workspace.text(path)
  if (text === undefined || text.length > budgets.workbench.dataFileCharacters.bound) return []
  const source: Source = { file: path, text }
  try {
    const data = convertYamlToJson(text, {})
    if (!isExactObject(data)) return []
    const values = data as Readonly<Record<string, ExactJson>>
    const converted = listConvertedKeys(workspace, values)
    return listDataKeys(source).flatMap((key) => {
      const message = checkKey(workspace, key.name, values, converted)
      if (message === undefined) return []
      return [{ source: sourceName, severity: DiagnosticSeverity.Warning, message, range: toRange(key.span) }]
    })
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const start = toPosition(source, Math.min(error.offset ?? 0, text.length))
    const range = { start, end: { line: start.line, character: start.character + 1 } }
    return [{ source: sourceName, severity: DiagnosticSeverity.Error, message: error.message, range }]
  }
}

function checkKey(
  workspace: CodeWorkspace,
  key: string,
  values: Readonly<Record<string, ExactJson>>,
  converted: ReadonlySet<string>,
): string | undefined {
  const [, owner, name] = /^(.+)::(\w+)$/.exec(key) ?? []
  if (!owner || !findDefinitionOf(workspace, { kind: 'class', name: owner }, '')) return undefined
  const parameter = listParameters(workspace, owner).find((each) => each.name === name)
  if (!parameter) return `Class '${owner}' has no parameter '${name}'`
  const value = getOwnValue(values, key)
  const { type } = parameter
  if (value === undefined || type === undefined || type.includes('Sensitive') || isOpen(value)) return undefined
  // A key with a pattern in lookup_options may mean this key.
  if (converted.has(key) || [...converted].some((each) => each.startsWith('^'))) return undefined
  try {
    return describeMismatch(`'${key}'`, parseType(type), convertJsonToValue(value)) || undefined
  } catch (error) {
    // Types of modules are checked by the compiler only.
    if (error instanceof PuppetError) return undefined
    throw error
  }
}

/** True for a value that a lookup changes: with interpolation, or encrypted. */
function isOpen(value: ExactJson): boolean {
  return /%\{|ENC\[/.test(JSON.stringify(value))
}

/** Keys whose values are merged or converted: a single file need not contain a value of the parameter's type. */
function listConvertedKeys(workspace: CodeWorkspace, own: Readonly<Record<string, ExactJson>>): ReadonlySet<string> {
  const files = [...new Set(findDataKeys(workspace, 'lookup_options').map(({ path }) => path))]
  const others = files.map((path) => readData(workspace.text(path) ?? ''))
  return new Set(
    [own, ...others].flatMap((data) => {
      const options = getOwnValue(data, 'lookup_options') ?? null
      return isExactObject(options) ? Object.keys(options) : []
    }),
  )
}

function readData(text: string): Readonly<Record<string, ExactJson>> {
  if (text.length > budgets.workbench.dataFileCharacters.bound) return {}
  try {
    const data = convertYamlToJson(text, {})
    return isExactObject(data) ? (data as Readonly<Record<string, ExactJson>>) : {}
  } catch (error) {
    if (error instanceof YamlError) return {}
    throw error
  }
}
