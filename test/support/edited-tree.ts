import { createHash } from 'node:crypto'
import type { CodeTree, TreeEntry } from '../../src/code/environments/code-tree.ts'

/** Files of a tree that have another text, by path; with `undefined` a file, or a folder and all in it, is gone. */
export type Edits = ReadonlyMap<string, string | undefined>

/** A tree with some files edited; `asked` is told each path that somebody looks at. */
export function editedTree(tree: CodeTree, edits: Edits, asked: (path: string) => void = () => {}): CodeTree {
  const written = [...edits].filter(([, text]) => text !== undefined).map(([path]) => path)
  const isFolder = (path: string): boolean => written.some((each) => each.startsWith(path === '' ? '' : `${path}/`))
  /** True where the tree's own file or folder is gone, or is below a file now. */
  const isGone = (path: string): boolean => {
    for (let at = path; at !== ''; at = above(at)) if (edits.has(at)) return true
    return false
  }
  const entry = (path: string): TreeEntry | undefined => {
    const text = edits.get(path)
    if (text !== undefined) return { path, kind: 'file', executable: false, oid: sha1(text) }
    if (isFolder(path)) return { path, kind: 'directory', executable: false, oid: `folder:${path}` }
    return isGone(path) ? undefined : tree.entry(path)
  }
  const readText = (path: string): string | undefined => {
    asked(path)
    return edits.get(path) ?? (entry(path)?.kind === 'file' ? tree.readText(path) : undefined)
  }
  const read = (path: string): Uint8Array | undefined => {
    const text = edits.get(path)
    asked(path)
    if (text !== undefined) return Buffer.from(text)
    return entry(path)?.kind === 'file' ? tree.read(path) : undefined
  }
  const { codeId, root, time } = tree
  return {
    codeId,
    root,
    time,
    entry(path) {
      asked(path)
      return entry(path)
    },
    list(directory) {
      asked(directory)
      const prefix = directory === '' ? '' : `${directory}/`
      const own = tree.list(directory).filter((name) => !isGone(`${prefix}${name}`))
      const added = written
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length).split('/')[0]!)
      return [...new Set([...own, ...added])].sort()
    },
    read,
    readText,
    digest: (path, algorithm) => {
      const bytes = read(path)
      return bytes && createHash(algorithm).update(bytes).digest('hex')
    },
    linkDestination: (path) => (isGone(path) ? undefined : tree.linkDestination(path)),
  }
}

function above(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
