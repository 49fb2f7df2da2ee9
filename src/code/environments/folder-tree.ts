import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { digestBytes, digestFile, getDigestRecipe, largeFile } from '../../base/bytes/digest.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { listNamesSync } from '../../machine/system/files.ts'
import { normalizePath } from '../../machine/windows/machine-path.ts'
import type { DigestAlgorithm, TreeEntry } from './code-tree.ts'
import type { Digests } from './digests.ts'
import type { FileLocation, ServableTree } from './servable-tree.ts'

const issues = defineIssues({
  FOLDER_TOO_LARGE: {
    text: (a: { root: string; most: number }) =>
      `The directory ${a.root} contains more than ${a.most} files and directories`,
    hint: () => 'Move files that are not code to another directory.',
  },
})

const mostFiles = budgets.push.files.bound

/** The location of a folder tree, and the handling of its links. */
export interface FolderTreeOptions {
  readonly directory: string
  /** Path of the folder in messages and catalogs; by default the folder's own path. */
  readonly root?: string
  /**
   * True for a folder of modules. Its entries may be links to any folder on the machine, as on
   * Debian. Each target is treated as a separate folder: links inside the target cannot lead out of
   * it.
   */
  readonly ofModules?: boolean
  /** The visible entries of the folder; if undefined, all entries are visible. */
  readonly only?: readonly string[]
}

/** Opens a folder on this machine as a tree. Files are read on demand and cached. */
export function openFolderTree(options: FolderTreeOptions, digests: Digests): ServableTree {
  return new FolderTree(options, digests)
}

type FolderFile = Extract<FileLocation, { readonly kind: 'file' }>

interface Found {
  readonly real: string
  readonly stat: Stats
}

class FolderTree implements ServableTree {
  readonly codeId = undefined
  readonly root: string
  readonly #directory: string
  readonly #ofModules: boolean
  readonly #only: readonly string[] | undefined
  readonly #digests: Digests
  readonly #found = new Map<string, Found | undefined>()
  readonly #names = new Map<string, readonly string[]>()
  readonly #oids = new Map<string, string>()
  readonly #bytes = new LRUCache<string, Buffer>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ length }) => length + 1,
  })
  #time: number | undefined

  constructor({ directory, root = directory, ofModules = false, only }: FolderTreeOptions, digests: Digests) {
    this.#directory = resolve(directory)
    this.root = normalizePath(resolve(root))
    this.#ofModules = ofModules
    this.#only = only
    this.#digests = digests
  }

  get time(): number {
    this.#time ??= this.#findNewestTime()
    return this.#time
  }

  entry(path: string): TreeEntry | undefined {
    const found = this.#find(path)
    if (!found) return undefined
    const { real, stat } = found
    if (stat.isDirectory()) return { path, kind: 'directory', executable: true, oid: `directory-${real}` }
    const getOid = () => this.#computeOid(real)
    return {
      path,
      kind: 'file',
      executable: (stat.mode & 0o111) !== 0,
      get oid() {
        return getOid()
      },
    }
  }

  linkDestination(path: string): string | undefined {
    const slash = path.lastIndexOf('/')
    const parent = this.#find(path.slice(0, Math.max(0, slash)))
    if (!parent) return undefined
    const place = join(parent.real, path.slice(slash + 1))
    return ignoreUnreachable(() => (lstatSync(place).isSymbolicLink() ? readlinkSync(place) : undefined))
  }

  list(directory: string): readonly string[] {
    const found = this.#find(directory)
    if (!found?.stat.isDirectory()) return []
    const known = this.#names.get(found.real)
    if (known) return known
    const all = ignoreUnreachable(() => listNamesSync(found.real).sort()) ?? []
    const names = directory === '' ? all.filter((name) => this.#only?.includes(name) ?? true) : all
    this.#names.set(found.real, names)
    return names
  }

  read(path: string): Uint8Array | undefined {
    const real = this.#file(path)
    return real === undefined ? undefined : this.#readReal(real)
  }

  readText(path: string): string | undefined {
    const real = this.#file(path)
    return real === undefined ? undefined : decodeLosslessUtf8(this.#readReal(real))
  }

  digest(path: string, algorithm: DigestAlgorithm): string | undefined {
    const location = this.locate(path)
    if (!location) return undefined
    const { path: real, size, version } = location
    if (size > largeFile)
      return this.#digests.compute(version, algorithm, () => digestFile(real, getDigestRecipe(algorithm)))
    return this.#digests.of(this.#computeOid(real), algorithm, () => this.#readReal(real))
  }

  locate(path: string): FolderFile | undefined {
    const found = this.#find(path)
    if (!found?.stat.isFile()) return undefined
    const { real, stat } = found
    const { dev, ino, size, mtimeMs, ctimeMs } = stat
    return { kind: 'file', path: real, size, version: [real, dev, ino, size, mtimeMs, ctimeMs].join(':') }
  }

  #file(path: string): string | undefined {
    const found = this.#find(path)
    return found?.stat.isFile() ? found.real : undefined
  }

  #find(path: string): Found | undefined {
    if (this.#found.has(path)) return this.#found.get(path)
    const found = this.#look(path)
    this.#found.set(path, found)
    return found
  }

  #look(path: string): Found | undefined {
    if (path.includes('\0') || path.startsWith('/') || path.split('/').includes('..')) return undefined
    const first = path.split('/', 1)[0]!
    if (first !== '' && this.#only?.includes(first) === false) return undefined
    return ignoreUnreachable(() => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (name === '' || name === '.') return this.#resolve(path, first)
      const parent = this.#find(path.slice(0, Math.max(0, path.length - name.length - 1)))
      if (!parent) return undefined
      const place = join(parent.real, name)
      const stat = lstatSync(place, { throwIfNoEntry: false })
      if (!stat) return undefined
      return stat.isSymbolicLink() ? this.#resolve(path, first) : toFound(place, stat)
    })
  }

  /** Follows the links in a path, which must not lead out of the folder or, in a folder of modules, of the module. */
  #resolve(path: string, first: string): Found | undefined {
    const base = realpathSync(join(this.#directory, this.#ofModules ? first : ''))
    const real = realpathSync(join(this.#directory, path))
    return real === base || real.startsWith(`${base}${sep}`) ? toFound(real, statSync(real)) : undefined
  }

  #readReal(real: string): Buffer {
    const known = this.#bytes.get(real)
    if (known) return known
    const bytes = readFileSync(real)
    this.#bytes.set(real, bytes)
    return bytes
  }

  #computeOid(real: string): string {
    const known = this.#oids.get(real)
    if (known !== undefined) return known
    const sha256 = getDigestRecipe('sha256')
    const isLarge = statSync(real).size > largeFile
    const oid = `sha256-${isLarge ? digestFile(real, sha256) : digestBytes(this.#readReal(real), sha256)}`
    this.#oids.set(real, oid)
    return oid
  }

  /** Finds the newest file. A folder reached through several links is entered once. */
  #findNewestTime(): number {
    let time = 0
    let count = 0
    const seen = new Set<string>()
    const pending = ['']
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const found = this.#find(path)
      if (!found) continue
      if (++count > mostFiles) throwIssue(issues.FOLDER_TOO_LARGE, { root: this.root, most: mostFiles })
      if (found.stat.isFile()) time = Math.max(time, Math.floor(found.stat.mtimeMs / 1000))
      else if (!seen.has(found.real)) {
        seen.add(found.real)
        const below = path === '' ? '' : `${path}/`
        for (const name of this.list(path).toReversed()) pending.push(`${below}${name}`)
      }
    }
    return time
  }
}

function toFound(real: string, stat: Stats): Found | undefined {
  return stat.isFile() || stat.isDirectory() ? { real, stat } : undefined
}

/** Returns the result of `ask`; `undefined` if it fails because the path cannot be reached. */
function ignoreUnreachable<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask()
  } catch (error) {
    const codes = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']
    if (codes.includes(getSystemErrorCode(error) ?? '')) return undefined
    throw error
  }
}
