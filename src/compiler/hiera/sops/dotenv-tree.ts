import { throwIssue } from '../../../base/issue.ts'
import { sopsIssues } from './issues.ts'
import { createTextLeaf, type SopsMap, SopsMeter, type SopsNode } from './sops-tree.ts'

const prefix = 'sops_'

/**
 * Reads a dotenv file that SOPS has written: lines `KEY=value` with `\n` for line breaks, and its metadata in keys such
 * as `sops_age__list_0__map_enc`, which become the entry `sops`. Throws SOPS_SYNTAX, SOPS_LIMIT.
 */
export function parseDotenvTree(text: string): SopsMap {
  const meter = new SopsMeter()
  const entries: (readonly [string, SopsNode])[] = []
  const metadata: Folder = new Map()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const end = line.indexOf('=')
    if (end === -1) failDotenv('a line has no equals sign')
    const key = line.slice(0, end)
    const value = meter.within(() => createTextLeaf(line.slice(end + 1).replaceAll('\\n', '\n')))
    if (key.startsWith(prefix)) placeValue(metadata, key.slice(prefix.length), value)
    else entries.push([key, value])
  }
  return { kind: 'map', entries: metadata.size === 0 ? entries : [...entries, ['sops', unflatten(metadata)]] }
}

/** Entries of a map, or items of a list by their numbers. */
type Folder = Map<string, Folder | SopsNode>

/** Puts a value at a path such as `age__list_0__map_enc`. SOPS: stores/flatten.go. */
function placeValue(root: Folder, path: string, value: SopsNode): void {
  const names = path.split(/__(?=(?:map|list)_)/)
  if (names.length > 10) failDotenv('a key of the metadata has too many parts')
  const last = names.pop() ?? ''
  let folder = root
  for (const name of names) {
    const inner = folder.get(name) ?? new Map()
    folder.set(name, inner)
    folder = inner instanceof Map ? inner : failDotenv('a key of the metadata occurs twice')
  }
  if (folder.has(last)) failDotenv('a key of the metadata occurs twice')
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

function failDotenv(why: string): never {
  return throwIssue(sopsIssues.SOPS_SYNTAX, { what: 'dotenv of SOPS', why })
}
