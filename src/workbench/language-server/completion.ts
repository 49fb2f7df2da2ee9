import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver'
import { builtinFunctions } from '../../language/functions/table.ts'
import { metaparameterAttributes } from '../../node/resources/metaparameters.ts'
import type { ResourceAttributes } from '../../node/resources/type.ts'
import { types } from '../../node/resources/types.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { describeDefinition } from '../code-index/documentation.ts'
import type { AutoloadName } from '../code-index/module-layout.ts'
import { getPlainVariableName } from '../code-index/occurrence.ts'
import { completeAttributeValues } from './attribute-values.ts'
import { type OpenResource, readContext } from './completion-context.ts'
import { findDefinitionOf, type PointedPlace } from './navigation.ts'
import { toOffset } from './positions.ts'

/** Largest number of characters before the position that are read. */
const readCharacters = 20_000

/** Completions at a place. The file may have syntax errors, so only the tokens before the place are read. */
export function completeAt(workspace: CodeWorkspace, { path, position }: PointedPlace): readonly CompletionItem[] {
  const text = workspace.text(path) ?? ''
  const end = toOffset(text, position)
  const start = Math.max(0, end - readCharacters)
  // The first, cut line may end inside a string.
  const before = text.slice(start === 0 ? 0 : text.indexOf('\n', start) + 1, end)
  const variable = /\$\{?([\w:]*)$/.exec(before)
  if (variable) return completeVariables(workspace, path, variable[1]!)
  const context = readContext(before)
  if (context.expectsClass) return listNames(workspace, 'manifests', CompletionItemKind.Class)
  if (context.resource) return completeAttributes(workspace, path, context.resource)
  if (context.value) {
    const values = completeAttributeValues(workspace, path, context.value)
    if (values.length > 0) return values
  }
  if (context.startsType) return completeTypeReferences(workspace)
  return context.isInString ? [] : [...completeStatements(workspace)]
}

function completeAttributes(
  workspace: CodeWorkspace,
  path: string,
  { type, title, given }: OpenResource,
): readonly CompletionItem[] {
  const own =
    type === 'class' ? { kind: 'class' as const, name: title ?? '' } : { kind: 'resource type' as const, name: type }
  const found = findDefinitionOf(workspace, own, path)
  const parameters = (found && describeDefinition(workspace, found)?.parameters) ?? []
  const builtin = type === 'class' ? undefined : types.get(type)
  const items = [
    ...parameters.map(({ name, type: detail, comment }) => ({ name, detail, doc: comment })),
    ...Object.entries((builtin?.attributes ?? {}) as ResourceAttributes).map(([name, { doc }]) => ({
      name,
      detail: type,
      doc,
    })),
    ...Object.entries(metaparameterAttributes).map(([name, { doc }]) => ({ name, detail: 'metaparameter', doc })),
  ]
  return items
    .filter(({ name }) => !given.has(name))
    .map(({ name, detail, doc }, at) => ({
      ...{ label: name, kind: CompletionItemKind.Property, insertText: `${name} => `, documentation: doc },
      ...{ sortText: String(at).padStart(4, '0'), ...(detail !== undefined && { detail }) },
    }))
}

/** Variables of the file and, after `a::`, of the class `a`. */
function completeVariables(workspace: CodeWorkspace, path: string, written: string): readonly CompletionItem[] {
  const owner = written.replace(/^::/, '').split('::').slice(0, -1).join('::')
  const names = new Set<string>()
  if (owner !== '') {
    const found = workspace.findDefinition('class', owner, path)
    for (const { kind, name, isDefinition } of (found && workspace.file(found.path)?.occurrences) ?? [])
      if (kind === 'variable' && isDefinition && name.startsWith(`${owner}::`)) names.add(name.slice(owner.length + 2))
  } else {
    for (const { kind, name } of workspace.file(path)?.occurrences ?? [])
      if (kind === 'variable') names.add(getPlainVariableName(name))
    // While the text has a syntax error, its variables are read from the text.
    for (const [, name] of (workspace.text(path) ?? '').matchAll(/\$([a-z_]\w*)/g)) names.add(name!)
    for (const name of ['facts', 'trusted', 'server_facts', 'environment', 'title', 'name']) names.add(name)
  }
  return [...names].sort().map((label) => ({ label, kind: CompletionItemKind.Variable }))
}

function completeTypeReferences(workspace: CodeWorkspace): readonly CompletionItem[] {
  const capitalize = (name: string) => name.replace(/(^|::)[a-z]/g, (each) => each.toUpperCase())
  const own = listNames(workspace, 'types', CompletionItemKind.Interface)
  const builtin = [...types.keys(), 'class', ...dataTypes].map((label) => ({
    label,
    kind: CompletionItemKind.Interface,
  }))
  const defined = listNames(workspace, 'manifests', CompletionItemKind.Struct)
  return [...own, ...builtin, ...defined].map((each) => ({ ...each, label: capitalize(each.label) }))
}

const dataTypes = [
  ...['any', 'array', 'boolean', 'callable', 'collection', 'data', 'default', 'deferred', 'enum', 'float', 'hash'],
  ...['integer', 'notUndef', 'numeric', 'optional', 'pattern', 'regexp', 'scalar', 'semVer', 'sensitive', 'string'],
  ...['struct', 'timespan', 'timestamp', 'tuple', 'type', 'undef', 'variant'],
]

/** Resource types, defined types, functions and keywords. */
function* completeStatements(workspace: CodeWorkspace): Generator<CompletionItem> {
  for (const [label, { doc }] of types) yield { label, kind: CompletionItemKind.Struct, documentation: doc }
  yield* listNames(workspace, 'manifests', CompletionItemKind.Struct)
  yield* listNames(workspace, 'functions', CompletionItemKind.Function)
  for (const label of builtinFunctions.keys()) yield { label, kind: CompletionItemKind.Function }
  for (const label of [
    'case',
    'class',
    'default',
    'define',
    'else',
    'elsif',
    'false',
    'function',
    'if',
    'include',
    'inherits',
    'node',
    'true',
    'type',
    'undef',
    'unless',
  ])
    yield { label, kind: CompletionItemKind.Keyword }
}

/** Names that the files of a kind define, by their paths. */
function listNames(
  workspace: CodeWorkspace,
  folder: AutoloadName['folder'],
  kind: CompletionItemKind,
): readonly CompletionItem[] {
  return workspace.autoloadNames.filter((each) => each.folder === folder).map(({ name }) => ({ label: name, kind }))
}
