/** The kind of a path as Ruby sees it, and the size of its file in bytes. */
export interface GuestEntry {
  readonly kind: 'file' | 'directory'
  readonly size: number
}

/**
 * A read-only file tree as Ruby sees it. Paths have no leading `/`; the root is `''`. Links have
 * been resolved.
 */
export interface GuestFiles {
  entry(path: string): GuestEntry | undefined
  read(path: string): Uint8Array | undefined
  /** Returns the names in a directory; empty if the path is no directory. */
  list(path: string): readonly string[]
}

/** Returns files in memory, by path. */
export function createMemoryFiles(files: ReadonlyMap<string, Uint8Array>): GuestFiles {
  const folders = new Map<string, Set<string>>([['', new Set()]])
  for (const path of files.keys()) {
    for (let child = path; child !== ''; ) {
      const cut = child.lastIndexOf('/')
      const parent = cut === -1 ? '' : child.slice(0, cut)
      const names = folders.get(parent) ?? new Set()
      folders.set(parent, names.add(child.slice(cut + 1)))
      child = parent
    }
  }
  return {
    entry(path) {
      const bytes = files.get(path)
      if (bytes) return { kind: 'file', size: bytes.length }
      return folders.has(path) ? { kind: 'directory', size: 0 } : undefined
    },
    read: (path) => files.get(path),
    list: (path) => [...(folders.get(path) ?? [])].sort(),
  }
}

/**
 * Mounts file trees at folders of one root, such as `ruby` and `etc/code`. For a path in several trees, the innermost
 * tree that has the path is used: with inline code, the environment's tree is empty, and may be inside of a module.
 */
export function mountFiles(mounts: Readonly<Record<string, GuestFiles>>): GuestFiles {
  const places = Object.keys(mounts).sort((one, other) => other.length - one.length)
  const parents = new Map<string, Set<string>>([['', new Set()]])
  for (const place of places) {
    const segments = place.split('/')
    segments.forEach((name, index) => {
      const parent = segments.slice(0, index).join('/')
      parents.set(parent, (parents.get(parent) ?? new Set()).add(name))
    })
  }
  const resolveMounts = (path: string): (readonly [files: GuestFiles, path: string])[] =>
    places
      .filter((each) => path === each || each === '' || path.startsWith(`${each}/`))
      .map((each) => [mounts[each]!, each === '' ? path : path.slice(each.length + 1)])
  return {
    entry(path) {
      for (const [files, rest] of resolveMounts(path)) {
        const found = files.entry(rest)
        if (found) return found
      }
      return parents.has(path) ? { kind: 'directory', size: 0 } : undefined
    },
    read(path) {
      const found = resolveMounts(path).find(([files, rest]) => files.entry(rest))
      return found?.[0].read(found[1])
    },
    list(path) {
      const names = resolveMounts(path).flatMap(([files, rest]) => files.list(rest))
      return [...new Set([...names, ...(parents.get(path) ?? [])])].sort()
    },
  }
}
