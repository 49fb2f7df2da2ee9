import type { DocumentHighlight, Location, Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver'
import type { CodeWorkspace, LocatedOccurrence } from '../code-index/code-workspace.ts'
import { getPlaceName, type NamePlace } from '../code-index/name-places.ts'
import type { Occurrence } from '../code-index/occurrence.ts'
import { isPermittedName, keepsMeaning, type RenamedPart } from './new-names.ts'
import { findOccurrenceAt, toLocation, toOffset, toRange, toUri } from './positions.ts'

/** A place in a file that a person points at. */
export interface PointedPlace {
  readonly path: string
  readonly position: Position
}

/** The name at a place. */
export function findName(workspace: CodeWorkspace, { path, position }: PointedPlace): Occurrence | undefined {
  const file = workspace.file(path)
  const found = file && findOccurrenceAt(file.occurrences, toOffset(file.source.text, position))
  return found && { ...found, name: workspace.resolveName(found, path) }
}

/** Finds the definition of a name; a reference such as `Ntp::Server` may name a data type or a defined type. */
export function findDefinitionOf(
  workspace: CodeWorkspace,
  { kind, name }: Pick<Occurrence, 'kind' | 'name'>,
  path: string,
): LocatedOccurrence | undefined {
  const found = workspace.findDefinition(kind, name, path)
  if (found) return found
  if (kind === 'data type') return workspace.findDefinition('resource type', name, path)
  return kind === 'resource type' ? workspace.findDefinition('data type', name, path) : undefined
}

/** Places of the definition: in Puppet code, or a file in Ruby. */
export function findDefinitions(workspace: CodeWorkspace, place: PointedPlace): readonly Location[] {
  const name = findName(workspace, place)
  if (!name) return []
  const found = findDefinitionOf(workspace, name, place.path)
  if (found) return [toLocation(found)]
  const ruby = workspace.findRubyFile(name.kind === 'data type' ? 'resource type' : name.kind, name.name)
  return ruby === undefined ? [] : [{ uri: toUri(ruby), range: fileStart }]
}

const fileStart: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** All places that use a name, with or without its definition. */
export function findReferences(
  workspace: CodeWorkspace,
  place: PointedPlace,
  includesDefinition: boolean,
): readonly Location[] {
  const name = findName(workspace, place)
  if (!name) return []
  if (name.kind === 'variable' && name.name.includes('@'))
    return workspace
      .findOccurrences(name.kind, name.name, place.path)
      .filter(({ isDefinition }) => includesDefinition || !isDefinition)
      .map(toLocation)
  const key = getDataKey(name)
  const found = workspace.findPlaces(name.kind, name.name, place.path)
  const inData = key === undefined ? [] : workspace.index.findPlaces(getPlaceName('data key', key))
  return [...found.filter(({ isDefinition }) => includesDefinition || !isDefinition), ...inData].map(toPlaceLocation)
}

function toPlaceLocation({ path, line, start, end }: NamePlace): Location {
  return { uri: toUri(path), range: { start: { line, character: start }, end: { line, character: end } } }
}

/** The key of Hiera data that sets a parameter of a class; undefined for another name. */
export function getDataKey({ kind, name }: Occurrence): string | undefined {
  const [, owner, parameter] = /^class:(.+)#(\w+)$/.exec(name) ?? []
  if (kind === 'attribute' && owner !== undefined) return `${owner}::${parameter}`
  return kind === 'variable' && name.includes('::') ? name : undefined
}

/** The places in the same file that use a name. */
export function listHighlights(workspace: CodeWorkspace, place: PointedPlace): readonly DocumentHighlight[] {
  const name = findName(workspace, place)
  const all = workspace.file(place.path)?.occurrences ?? []
  return all
    .filter((each) => each.kind === name?.kind && workspace.resolveName(each, place.path) === name.name)
    .map(({ span, isDefinition }) => ({ range: toRange(span), kind: isDefinition ? 3 : 2 }))
}

/** The range of a name that can be renamed: a variable or an attribute, whose definition is not bound to a file name. */
export function findRenamable(workspace: CodeWorkspace, place: PointedPlace): Range | undefined {
  const name = findName(workspace, place)
  if (name?.kind !== 'variable' && name?.kind !== 'attribute') return undefined
  if (!findDefinitionOf(workspace, name, place.path)) return undefined
  const own = name.span.source.text.slice(name.span.start, name.span.end)
  const from = name.span.start + own.lastIndexOf('::') + (own.includes('::') ? 2 : 0)
  return toRange({ ...name.span, start: from })
}

/**
 * The edits that rename a variable or a parameter of a class, everywhere; undefined if the new name is invalid, or if
 * the code already uses it in the same scope.
 */
export function renameName(workspace: CodeWorkspace, place: PointedPlace, newName: string): WorkspaceEdit | undefined {
  const name = findName(workspace, place)
  if (!name || !findRenamable(workspace, place) || !isPermittedName(newName)) return undefined
  const parts = new Map<string, RenamedPart[]>()
  for (const { kind, name: full } of listRenamed(name, workspace, place.path))
    for (const { path, span } of workspace.findOccurrences(kind, full, place.path)) {
      const text = span.source.text.slice(span.start, span.end)
      const start = span.start + (text.includes('::') ? text.lastIndexOf('::') + 2 : 0)
      const list = parts.get(path) ?? []
      parts.set(path, list)
      if (!list.some((each) => each.start === start)) list.push({ start, end: span.end })
    }
  const changes: Record<string, TextEdit[]> = {}
  for (const [path, list] of parts) {
    const file = workspace.file(path)
    if (!file || !keepsMeaning(file, list, newName)) return undefined
    const { source } = file
    changes[toUri(path)] = list.map((each) => ({ range: toRange({ source, ...each }), newText: newName }))
  }
  return { changes }
}

/** A parameter is both a variable of its class or defined type and an attribute; both are renamed. */
function listRenamed(
  { kind, name }: Occurrence,
  workspace: CodeWorkspace,
  path: string,
): readonly Pick<Occurrence, 'kind' | 'name'>[] {
  const own = { kind, name }
  const definition = findDefinitionOf(workspace, own, path)
  if (!definition) return [own]
  const twin = workspace
    .file(definition.path)
    ?.occurrences.find((each) => each.isDefinition && each.kind !== kind && each.span.start === definition.span.start)
  return twin ? [own, { kind: twin.kind, name: twin.name }] : [own]
}
