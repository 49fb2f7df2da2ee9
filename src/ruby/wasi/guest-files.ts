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
 * tree is used.
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
  const resolveMount = (path: string): [GuestFiles | undefined, string] => {
    const place = places.find((each) => path === each || each === '' || path.startsWith(`${each}/`))
    return place === undefined ? [undefined, path] : [mounts[place], place === '' ? path : path.slice(place.length + 1)]
  }
  return {
    entry(path) {
      const [files, rest] = resolveMount(path)
      return files?.entry(rest) ?? (parents.has(path) ? { kind: 'directory', size: 0 } : undefined)
    },
    read(path) {
      const [files, rest] = resolveMount(path)
      return files?.read(rest)
    },
    list(path) {
      const [files, rest] = resolveMount(path)
      return [...new Set([...(files?.list(rest) ?? []), ...(parents.get(path) ?? [])])].sort()
    },
  }
}
