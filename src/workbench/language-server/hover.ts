import type { Hover } from 'vscode-languageserver'
import { DefinedFunction } from '../../language/functions/definition/define-function.ts'
import { builtinFunctions } from '../../language/functions/table.ts'
import { printType } from '../../language/types/printing/print.ts'
import { metaparameterAttributes } from '../../node/resources/metaparameters.ts'
import type { ResourceAttributes } from '../../node/resources/type.ts'
import { types } from '../../node/resources/types.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { type DocumentedDefinition, describeDefinition } from '../code-index/documentation.ts'
import type { Occurrence } from '../code-index/occurrence.ts'
import { getPlainVariableName } from '../code-index/occurrence.ts'
import { findDefinitionOf, findName, type PointedPlace } from './navigation.ts'
import { toRange } from './positions.ts'

/** The documentation of the name at a place. */
export function buildHover(workspace: CodeWorkspace, place: PointedPlace): Hover | undefined {
  const name = findName(workspace, place)
  const value = name && describeName(workspace, name, place.path)
  return value ? { contents: { kind: 'markdown', value }, range: toRange(name.span) } : undefined
}

/** The documentation of a name as Markdown: of its definition in code, of a built-in type or function, or of an attribute. */
export function describeName(workspace: CodeWorkspace, name: Occurrence, path: string): string | undefined {
  if (name.kind === 'attribute') return describeAttribute(workspace, name, path)
  const found = findDefinitionOf(workspace, name, path)
  const definition = found && describeDefinition(workspace, found)
  if (name.kind === 'variable') return found && definition && describeVariable(name, definition)
  if (definition) return formatDefinition(definition)
  return name.kind === 'function' ? describeBuiltinFunction(name.name) : describeBuiltinType(name.name)
}

/** A code block and a text. */
function formatSection(code: string, text: string): string {
  return [`\`\`\`puppet\n${code}\n\`\`\``, text].filter((each) => each !== '').join('\n\n')
}

/** A definition with its parameters, and the comment above it. */
function formatDefinition({ kind, name, parameters, comment, type }: DocumentedDefinition): string {
  if (kind === 'type') return formatSection(`type ${name} = ${type}`, comment)
  const list = parameters.map((each) => `  ${formatParameter(each)},`)
  const inner = list.length === 0 ? '' : `(\n${list.join('\n')}\n)`
  return formatSection(`${kind} ${name}${inner}${type === undefined ? '' : ` >> ${type}`}`, comment)
}

function formatParameter({ name, type, value }: DocumentedDefinition['parameters'][number]): string {
  return `${type === undefined ? '' : `${type} `}$${name}${value === undefined ? '' : ` = ${value}`}`
}

function describeVariable({ name }: Occurrence, { parameters, kind, name: owner }: DocumentedDefinition): string {
  const own = getPlainVariableName(name)
  const parameter = parameters.find((each) => each.name === own)
  if (!parameter) return formatSection(`$${own}`, `Variable of ${kind} \`${owner}\`.`)
  return formatSection(formatParameter(parameter), parameter.comment || `Parameter of ${kind} \`${owner}\`.`)
}

function describeAttribute(workspace: CodeWorkspace, { name }: Occurrence, path: string): string | undefined {
  const [owner = '', attribute = ''] = name.split('#')
  const isClass = owner.startsWith('class:')
  const own = { kind: isClass ? ('class' as const) : ('resource type' as const), name: owner.replace(/^class:/, '') }
  const found = findDefinitionOf(workspace, own, path)
  const parameter = found && describeDefinition(workspace, found)?.parameters.find((each) => each.name === attribute)
  if (parameter) return formatSection(formatParameter(parameter), parameter.comment)
  const definition = types.get(owner)?.attributes[attribute]
  if (definition) return formatSection(`${owner} { … ${attribute} => … }`, definition.doc)
  const meta = Object.hasOwn(metaparameterAttributes, attribute)
    ? metaparameterAttributes[attribute as keyof typeof metaparameterAttributes]
    : undefined
  return meta && formatSection(attribute, meta.doc)
}

function describeBuiltinFunction(name: string): string | undefined {
  const found = builtinFunctions.get(name)
  if (!found) return undefined
  const signatures = found.signatures.map((each) => `${name}: ${printType(each)}`)
  return formatSection(signatures.join('\n'), found instanceof DefinedFunction ? found.doc : '')
}

function describeBuiltinType(name: string): string | undefined {
  const found = types.get(name)
  if (!found) return undefined
  const attributes = Object.entries(found.attributes as ResourceAttributes).map(
    ([attribute, { doc }]) => `- \`${attribute}\`: ${doc}`,
  )
  return formatSection(name, `${found.doc}\n\n${attributes.join('\n')}`)
}
