import { throwIssue } from '../../../base/issue.ts'
import { sopsIssues } from './issues.ts'
import type { SopsNode } from './sops-tree.ts'

/**
 * Returns the metadata of a format without nesting, from values with paths such as `age__list_0__map_enc`. Throws
 * SOPS_METADATA.
 */
export function unflattenMetadata(values: readonly (readonly [path: string, value: SopsNode])[]): SopsNode {
  const root: Folder = new Map()
  for (const [path, value] of values) placeValue(root, path, value)
  return unflatten(root)
}

/** Entries of a map, or items of a list by their numbers. */
type Folder = Map<string, Folder | SopsNode>

/** Puts a value at a path such as `age__list_0__map_enc`. SOPS: stores/flatten.go. */
function placeValue(root: Folder, path: string, value: SopsNode): void {
  const names = path.split(/__(?=(?:map|list)_)/)
  if (names.length > 10) failFlat('a key of the metadata has too many parts')
  const last = names.pop() ?? ''
  let folder = root
  for (const name of names) {
    const inner = folder.get(name) ?? new Map()
    folder.set(name, inner)
    folder = inner instanceof Map ? inner : failFlat('a key of the metadata occurs twice')
  }
  if (folder.has(last)) failFlat('a key of the metadata occurs twice')
  folder.set(last, value)
}

function unflatten(folder: Folder): SopsNode {
  const children = Array.from(
    folder,
    ([name, child]) => [name, child instanceof Map ? unflatten(child) : child] as const,
  )
  const isList = children.every(([name]) => /^list_\d+$/.test(name))
  if (!isList) return { kind: 'map', entries: children.map(([name, child]) => [name.replace(/^map_/, ''), child]) }
  const byNumber = children.map(([name, child]) => [Number(name.slice(5)), child] as const).sort(([a], [b]) => a - b)
  return { kind: 'list', items: byNumber.map(([, child]) => child) }
}

function failFlat(why: string): never {
  return throwIssue(sopsIssues.SOPS_METADATA, { why })
}
