import { type CompletionItem, CompletionItemKind, type Location } from 'vscode-languageserver'
import { findErbVariables } from '../code-checks/code/erb-variables.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { getPlainVariableName } from '../code-index/occurrence.ts'
import type { PointedPlace } from './navigation.ts'
import { toLocation, toOffset } from './positions.ts'

/** Completes `@variable` in an ERB template: the variables of manifests that name the template; undefined elsewhere. */
export function completeEmbedded(
  workspace: CodeWorkspace,
  { path, position }: PointedPlace,
): readonly CompletionItem[] | undefined {
  if (!path.endsWith('.erb')) return undefined
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  if (!/@\w*$/.test(text.slice(Math.max(0, offset - lineCharacters), offset))) return []
  const names = new Set(['facts', 'trusted', 'environment', 'title', 'name'])
  for (const { name } of listVariables(workspace, path)) names.add(name)
  return [...names].sort().map((label) => ({ label, kind: CompletionItemKind.Variable }))
}

/** The definition of `@variable` in an ERB template; undefined elsewhere. */
export function findEmbeddedDefinition(
  workspace: CodeWorkspace,
  { path, position }: PointedPlace,
): Location[] | undefined {
  if (!path.endsWith('.erb')) return undefined
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  const wanted = findErbVariables(text).find(({ name, start }) => start <= offset && offset <= start + name.length + 1)
  return listVariables(workspace, path)
    .filter(({ name }) => name === wanted?.name)
    .map(({ location }) => location)
}

/** Largest number of characters of a line that are read. */
const lineCharacters = 200

interface TemplateVariable {
  readonly name: string
  readonly location: Location
}

/** The variables of the manifests that contain the name of a template. */
function listVariables(workspace: CodeWorkspace, path: string): readonly TemplateVariable[] {
  const template = workspace.getTemplateName(path)
  const files = template === undefined ? [] : workspace.index.findFilesWithString(template)
  return files.flatMap((each) =>
    (workspace.file(each)?.occurrences ?? [])
      .filter(({ kind, isDefinition }) => kind === 'variable' && isDefinition)
      .map((variable) => ({
        name: getPlainVariableName(variable.name),
        location: toLocation({ ...variable, path: each }),
      })),
  )
}
