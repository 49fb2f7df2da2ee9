import { type CompletionItem, CompletionItemKind, type Location } from 'vscode-languageserver'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { getPlainVariableName } from '../code-index/occurrence.ts'
import type { PointedPlace } from './navigation.ts'
import { toLocation, toOffset } from './positions.ts'

/** Completes `@variable` in an ERB template: the variables of manifests that name the template; undefined elsewhere. */
export async function completeEmbedded(
  workspace: CodeWorkspace,
  place: PointedPlace,
): Promise<readonly CompletionItem[] | undefined> {
  if (!place.path.endsWith('.erb')) return undefined
  if (!/@\w*$/.test(readLine(workspace, place, false))) return []
  const names = new Set(['facts', 'trusted', 'environment', 'title', 'name'])
  for (const { name } of await listVariables(workspace, place.path)) names.add(name)
  return [...names].sort().map((label) => ({ label, kind: CompletionItemKind.Variable }))
}

/** The definition of `@variable` in an ERB template; undefined elsewhere. */
export async function findEmbeddedDefinition(
  workspace: CodeWorkspace,
  place: PointedPlace,
): Promise<Location[] | undefined> {
  if (!place.path.endsWith('.erb')) return undefined
  const before = /@(\w*)$/.exec(readLine(workspace, place, false))?.[1]
  const after = /^@?(\w*)/.exec(readLine(workspace, place, true))?.[1] ?? ''
  const wanted = before === undefined ? after : `${before}${after}`
  return (await listVariables(workspace, place.path))
    .filter(({ name }) => name === wanted)
    .map(({ location }) => location)
}

/** Largest number of characters of a line that are read. */
const lineCharacters = 200

/** The text of a line before or after a place. */
function readLine(workspace: CodeWorkspace, { path, position }: PointedPlace, isAfter: boolean): string {
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  const start = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - lineCharacters)
  return isAfter ? text.slice(offset, offset + lineCharacters).split('\n', 1)[0]! : text.slice(start, offset)
}

interface TemplateVariable {
  readonly name: string
  readonly location: Location
}

/** The variables that manifests with the name of a template define. */
async function listVariables(workspace: CodeWorkspace, path: string): Promise<readonly TemplateVariable[]> {
  const module = workspace.moduleOf(path)
  const [, rest] = module ? (/^\/templates\/(.+)$/.exec(path.slice(module.folder.length)) ?? []) : []
  if (!module || rest === undefined) return []
  const name = `${module.name}/${rest}`
  const found: TemplateVariable[] = []
  const add = (file: CodeFile) => {
    for (const { kind, name: full, isDefinition, span } of file.occurrences) {
      if (kind !== 'variable' || !isDefinition) continue
      const location = toLocation({ kind, name: full, isDefinition, span, path: file.path })
      found.push({ name: getPlainVariableName(full), location })
    }
  }
  // Only the template's own module is searched, as other modules seldom render its templates.
  const own = workspace.manifests.filter((each) => each.startsWith(`${module.folder}/`))
  await mapCooperatively(own, (manifest) => {
    const file = workspace.file(manifest)
    if (file?.source.text.includes(name)) add(file)
  })
  return found
}
