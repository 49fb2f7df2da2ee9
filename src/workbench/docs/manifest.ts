import { getLineAndColumn, getStartLine, type Source } from '../../base/source.ts'
import { parseSource } from '../../language/syntax/parser/parser.ts'
import { getChildren } from '../../language/syntax/tree/children.ts'
import type { AnyNode, Definition, Expression, Parameter, TypeAlias } from '../../language/syntax/tree/nodes.ts'
import { addTags, findTag, mapTags, parseDocstring } from './docstring/docstring.ts'
import { formatSignature } from './function-signature.ts'
import type {
  Docstring,
  DocTag,
  FunctionItem,
  ItemPlace,
  ManifestItem,
  ParameterPlace,
  TypeAliasItem,
} from './model.ts'
import { countIndent, strip } from './ruby-text.ts'

/** An item that is defined in a manifest. */
export type ManifestDefinition = ManifestItem | FunctionItem | TypeAliasItem

/**
 * Reads the documented definitions of a manifest, including nested ones, in the order in which they end. Throws the
 * first syntax error.
 */
export function readManifest(source: Source, file: string): ManifestDefinition[] {
  const { program } = parseSource(source, { tasks: true })
  const lines = source.text.split('\n')
  return program.definitions.flatMap((definition) => {
    const { line } = getLineAndColumn(source, definition.span.start)
    return toItem(definition, { file, line }, parseDocstring(readCommentAbove(lines, line)))
  })
}

function toItem(definition: Definition, place: ItemPlace, docstring: Docstring): ManifestDefinition[] {
  switch (definition.kind) {
    case 'HostClassDefinition':
      return [toManifestItem('class', definition, place, docstring, definition.parentClass)]
    case 'ResourceTypeDefinition':
      return [toManifestItem('defined type', definition, place, docstring)]
    case 'PlanDefinition':
      return [toManifestItem('plan', definition, place, docstring)]
    case 'FunctionDefinition':
      return [toFunction(definition, place, docstring)]
    case 'TypeAlias': {
      const { name } = definition
      return [{ kind: 'type alias', name, ...place, docstring: keep(docstring), aliasOf: formatAlias(definition) }]
    }
    default:
      return []
  }
}

/** A docstring without its directives, which have no effect in manifests. */
function keep({ text, tags }: Docstring): Docstring {
  return { text, tags }
}

type Parameterized = Extract<Definition, { readonly parameters: readonly Parameter[] }>

function toManifestItem(
  kind: ManifestItem['kind'],
  definition: Parameterized,
  place: ItemPlace,
  docstring: Docstring,
  parent?: string,
): ManifestItem {
  const { name, parameters } = definition
  return {
    kind,
    name,
    ...place,
    docstring: addParameterTypes(docstring, parameters),
    parent,
    parameters: listPlaces(parameters),
    defaults: listDefaults(parameters),
    source: getTreeText(definition),
  }
}

function toFunction(
  definition: Extract<Definition, { readonly kind: 'FunctionDefinition' }>,
  place: ItemPlace,
  comment: Docstring,
): FunctionItem {
  const { name, parameters, returnType } = definition
  const type = returnType && getTreeText(returnType).replaceAll('>> ', '')
  const docstring = addReturnType(addParameterTypes(comment, parameters), type)
  const defaults = listDefaults(parameters)
  const signature = formatSignature(
    name,
    parameters.map((each) => [each.name, defaults.get(each.name)] as const),
    docstring,
  )
  return {
    kind: 'function',
    api: 'puppet',
    name,
    ...place,
    docstring,
    parameters: listPlaces(parameters),
    signatures: [{ signature, docstring, defaults }],
    defaults,
    source: getTreeText(definition),
  }
}

/** Gives each `@param` the type of its parameter, and adds a tag for each undocumented parameter. */
function addParameterTypes({ text, tags }: Docstring, parameters: readonly Parameter[]): Docstring {
  const documented = mapTags({ text, tags }, 'param')
  const typed = new Map<DocTag, DocTag>()
  const added: DocTag[] = []
  for (const { name, type: node } of parameters) {
    const type = node && getTreeText(node)
    const tag = documented.get(name)
    if (tag === undefined) added.push({ tag: 'param', text: '', types: [type ?? 'Any'], name })
    else typed.set(tag, { ...tag, types: type === undefined ? (tag.types ?? ['Any']) : [type] })
  }
  return { text, tags: [...tags.map((tag) => typed.get(tag) ?? tag), ...added] }
}

function addReturnType(docstring: Docstring, type: string | undefined): Docstring {
  const tag = findTag(docstring, 'return')
  if (tag === undefined) return addTags(docstring, { tag: 'return', text: '', types: [type ?? 'Any'] })
  const types = type === undefined ? (tag.types ?? ['Any']) : [type]
  return { text: docstring.text, tags: docstring.tags.map((each) => (each === tag ? { ...each, types } : each)) }
}

function listPlaces(parameters: readonly Parameter[]): readonly ParameterPlace[] {
  return parameters.map(({ name, span }) => ({ name, line: getStartLine(span) }))
}

function listDefaults(parameters: readonly Parameter[]): Map<string, string> {
  const defaults = new Map<string, string>()
  for (const { name, value } of parameters) if (value !== undefined) defaults.set(name, getTreeText(value))
  return defaults
}

function formatAlias({ type }: TypeAlias): string {
  if (type.kind !== 'Access') return getTreeText(type)
  return `${getTreeText(type.left)}[${type.keys.map(getTreeText).join(', ')}]`
}

/**
 * The code of a node, from the start of its first part to the end of its last. Puppet: pops/parser/locator.rb. Selectors
 * and expressions in parentheses have no end of their own there, so that a default value can lack its last brace.
 */
function getTreeText(node: Expression | Parameter): string {
  let [start, end] = [node.span.start, node.span.start + 1]
  const pending: AnyNode[] = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    start = Math.min(start, next.span.start)
    if (next.kind !== 'Selector' && next.kind !== 'Parenthesized') end = Math.max(end, next.span.end)
    pending.push(...getChildren(next))
  }
  return node.span.source.text.slice(start, end)
}

/** The lines of comments directly above a line (from 1), without `#` and the blank after it. */
function readCommentAbove(lines: readonly string[], line: number): string {
  const comment: string[] = []
  for (let index = line - 2; index >= 0; index--) {
    const text = strip(lines[index]!)
    if (!text.startsWith('#')) break
    const content = text.replace(/^#+/, '')
    comment.push(countIndent(content) > 0 ? content.slice(1) : content)
  }
  return comment.reverse().join('\n')
}
