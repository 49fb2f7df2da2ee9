import type { GitObjectSource } from './git-object-source.ts'

/** The links that one path may lead through; as Linux has it. */
export const mostLinks = 40

/**
 * The blob that a path of a commit leads to, links followed inside the commit; `undefined` when that is no file, or
 * outside. Only the folders on the way are read, whatever the size of the commit.
 */
export async function findBlob(source: GitObjectSource, commit: string, path: string): Promise<string | undefined> {
  const ahead = path.split('/').reverse()
  const folders = [commit]
  let links = 0
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      folders.pop()
      if (folders.length === 0) return undefined
      continue
    }
    const entry = (await source.readTree(folders.at(-1)!)).find((each) => each.name === name)
    if (entry?.mode === '040000') folders.push(entry.oid)
    else if (entry?.mode === '120000') {
      const destination = (await source.readBlob(entry.oid)).toString()
      if (destination.startsWith('/') || ++links > mostLinks) return undefined
      ahead.push(...destination.split('/').reverse())
    } else return entry?.mode !== '160000' && ahead.length === 0 ? entry?.oid : undefined
  }
  return undefined
}
