import { type DocumentSymbol, type FoldingRange, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver'
import { getChildren } from '../../language/syntax/tree/children.ts'
import type { AnyNode } from '../../language/syntax/tree/nodes.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { toRange, toUri } from './positions.ts'

/** The definitions and resources of a file, nested. */
export function buildOutline({ program }: CodeFile): readonly DocumentSymbol[] {
  return program ? listSymbols(program) : []
}

function listSymbols(node: AnyNode): DocumentSymbol[] {
  const symbol = toSymbol(node)
  const children = getChildren(node).flatMap(listSymbols)
  if (!symbol) return children
  const range = toRange(node.span)
  return [{ ...symbol, range, selectionRange: { start: range.start, end: range.start }, children }]
}

function toSymbol(node: AnyNode): Pick<DocumentSymbol, 'name' | 'kind' | 'detail'> | undefined {
  switch (node.kind) {
    case 'HostClassDefinition':
      return { name: node.name, kind: SymbolKind.Class, detail: 'class' }
    case 'ResourceTypeDefinition':
      return { name: node.name, kind: SymbolKind.Struct, detail: 'define' }
    case 'FunctionDefinition':
      return { name: node.name, kind: SymbolKind.Function, detail: 'function' }
    case 'PlanDefinition':
      return { name: node.name, kind: SymbolKind.Function, detail: 'plan' }
    case 'TypeAlias':
      return { name: node.name, kind: SymbolKind.Interface, detail: 'type' }
    case 'NodeDefinition':
      return { name: node.hostMatches.map(getText).join(', '), kind: SymbolKind.Namespace, detail: 'node' }
    case 'Parameter':
      return { name: `$${node.name}`, kind: SymbolKind.Property, detail: node.type ? getText(node.type) : '' }
    case 'ResourceBody':
      return { name: getText(node.title), kind: SymbolKind.Object, detail: '' }
    case 'Assignment':
      return { name: getText(node.left), kind: SymbolKind.Variable, detail: '' }
    default:
      return undefined
  }
}

/** Largest number of characters of a title or type in the outline. */
const shownCharacters = 80

function getText({ span: { source, start, end } }: AnyNode): string {
  const text = source.text.slice(start, Math.min(end, start + shownCharacters))
  return text.replace(/\s+/g, ' ') || '…'
}

/** Nodes of several lines, and comments of several lines. */
export function listFoldingRanges({ program, source }: CodeFile): readonly FoldingRange[] {
  const ranges = new Map<number, FoldingRange>()
  const visit = (node: AnyNode) => {
    const { start, end } = toRange(node.span)
    if (end.line > start.line && foldedKinds.has(node.kind) && (ranges.get(start.line)?.endLine ?? 0) < end.line)
      ranges.set(start.line, { startLine: start.line, endLine: end.line })
    for (const child of getChildren(node)) visit(child)
  }
  if (program) visit(program)
  return [...ranges.values(), ...listComments(source.text)].sort((a, b) => a.startLine - b.startLine)
}

const foldedKinds: ReadonlySet<AnyNode['kind']> = new Set([
  ...([
    'HostClassDefinition',
    'ResourceTypeDefinition',
    'FunctionDefinition',
    'NodeDefinition',
    'PlanDefinition',
  ] as const),
  ...(['Resource', 'ResourceBody', 'If', 'Unless', 'Case', 'CaseOption', 'Selector', 'Lambda', 'LiteralHash'] as const),
  ...(['LiteralList', 'Heredoc', 'CallNamedFunction', 'CallMethod'] as const),
])

function listComments(text: string): FoldingRange[] {
  const ranges: FoldingRange[] = []
  let start = -1
  for (const [at, line] of [...text.split('\n'), ''].entries()) {
    const isComment = line.trimStart().startsWith('#')
    if (isComment && start === -1) start = at
    if (isComment || start === -1) continue
    if (at - start > 1) ranges.push({ startLine: start, endLine: at - 1, kind: 'comment' })
    start = -1
  }
  return ranges
}

/** Largest number of symbols in one result. */
const maxSymbols = 500

/** Definitions of the workspace whose names contain the characters of a query in their order. By file names: no file is parsed. */
export function searchSymbols(workspace: CodeWorkspace, query: string): readonly WorkspaceSymbol[] {
  const wanted = query.toLowerCase()
  const named = workspace.autoloadNames.filter(({ name }) => isSubsequence(wanted, name))
  // Names that contain the query come first.
  const rank = (name: string) => (name.includes(wanted) ? 0 : 1)
  return named
    .sort((a, b) => rank(a.name) - rank(b.name))
    .slice(0, maxSymbols)
    .map(({ name, path, folder }) => ({ name, kind: symbolKinds[folder], location: { uri: toUri(path) } }))
}

const symbolKinds = {
  manifests: SymbolKind.Class,
  functions: SymbolKind.Function,
  types: SymbolKind.Interface,
} as const

function isSubsequence(part: string, text: string): boolean {
  let at = -1
  for (const character of part) {
    at = text.indexOf(character, at + 1)
    if (at === -1) return false
  }
  return true
}
