import { relative } from 'node:path'
import type { Hover } from 'vscode-languageserver'
import { printValue } from '../../../language/types/printing/print.ts'
import { convertJsonToValue } from '../../../language/values/json-values.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { describeDefinition } from '../../code-index/documentation.ts'
import { findDefinitionOf, findName, getDataKey, type PointedPlace } from '../navigation.ts'
import { toOffset } from '../positions.ts'
import { findFactAt, readFact } from './fact-expressions.ts'
import { type NodeValue, type NodeValues, shorten } from './node-values.ts'

/** The value of the fact at a place, such as `$facts['os']['family']`, on the chosen node. */
export function describeFact(
  workspace: CodeWorkspace,
  { path, position }: PointedPlace,
  { node }: NodeValues,
): Hover | undefined {
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const fact = findFactAt(text.slice(start, end === -1 ? undefined : end), offset - start)
  if (!fact) return undefined
  const value = readFact(node, fact)
  const shown = value === undefined ? 'no value' : `\`${shorten(printValue(convertJsonToValue(value)))}\``
  const { line } = position
  return {
    contents: { kind: 'markdown', value: `\`${fact.keys.join('.')}\` on \`${node.name}\`: ${shown}` },
    range: { start: { line, character: fact.start }, end: { line, character: fact.end } },
  }
}

/** The data for the parameter at a place on the chosen node, as Markdown. */
export function describeParameterData(
  workspace: CodeWorkspace,
  place: PointedPlace,
  values: NodeValues,
): string | undefined {
  const name = findName(workspace, place)
  const key = name && getDataKey(name)
  const [, owner, parameter] = /^(.+)::(\w+)$/.exec(key ?? '') ?? []
  if (key === undefined || !owner || !parameter) return undefined
  const found = findParameterValue(workspace, owner, parameter, values)
  return found && `On \`${values.node.name}\`: ${formatNodeValue(found, workspace.root)}`
}

/** The data for a parameter of a class; the data of a parameter with a sensitive type is redacted. */
export function findParameterValue(
  workspace: CodeWorkspace,
  owner: string,
  parameter: string,
  values: NodeValues,
): NodeValue | undefined {
  const definition = findDefinitionOf(workspace, { kind: 'class', name: owner }, '')
  const described = definition && describeDefinition(workspace, definition)
  const own = described?.parameters.find(({ name }) => name === parameter)
  const found = own && values.find(`${owner}::${parameter}`)
  return found && (own.type?.includes('Sensitive') ? { ...found, text: 'Sensitive [value redacted]' } : found)
}

function formatNodeValue({ text, files }: NodeValue, root: string): string {
  const from = files.map((path) => `\`${relative(root, path)}\``).join(', ')
  return `\`${text}\`${from === '' ? '' : ` from ${from}`}`
}
