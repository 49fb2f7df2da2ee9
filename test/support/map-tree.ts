import { createHash } from 'node:crypto'
import type { CodeTree, TreeEntry } from '../../src/code/environments/code-tree.ts'

/** A tree made of a map of paths to text. */
export function treeOf(files: Readonly<Record<string, string>>, root = '/code/production'): CodeTree {
  const paths = Object.keys(files)
  const folders = new Set(paths.flatMap((path) => path.split('/').map((_, at, all) => all.slice(0, at).join('/'))))
  const entry = (path: string): TreeEntry | undefined => {
    const text = files[path]
    const kind = text === undefined ? 'directory' : 'file'
    if (text === undefined && !folders.has(path)) return undefined
    return {
      path,
      kind,
      executable: false,
      oid: text === undefined ? `folder:${path}` : createHash('sha1').update(text).digest('hex'),
    }
  }
  const read = (path: string): Buffer | undefined => (path in files ? Buffer.from(files[path]!) : undefined)
  return {
    codeId: undefined,
    time: 0,
    root,
    entry,
    list: (directory) => {
      const prefix = directory === '' ? '' : `${directory}/`
      const below = paths
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length).split('/')[0]!)
      return [...new Set(below)].sort()
    },
    read,
    readText: (path) => files[path],
    linkDestination: () => undefined,
    digest: (path, algorithm) => {
      const bytes = read(path)
      return bytes && createHash(algorithm).update(bytes).digest('hex')
    },
  }
}
