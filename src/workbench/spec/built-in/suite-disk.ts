import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import type { Disk } from '../../../ruby/wasi/disk.ts'
import { DiskError } from '../../../ruby/wasi/errno.ts'
import { createMachineDisk } from '../../../ruby/wasi/machine-disk.ts'

/** Files of this machine that a suite in the built-in Ruby can use: absolute paths of folders and files. */
export interface SuiteFiles {
  readonly readable: readonly string[]
  /** Folders and files that can be changed, too. */
  readonly writable: readonly string[]
}

/** Checks paths of a suite. A link to a place outside of the given files has no access. */
export class SuitePaths {
  readonly #readable: readonly string[]
  readonly #writable: readonly string[]
  readonly #parents: ReadonlySet<string>

  constructor({ readable, writable }: SuiteFiles) {
    this.#writable = writable.map(resolveLinks)
    this.#readable = [...readable.map(resolveLinks), ...this.#writable]
    this.#parents = new Set([...readable, ...writable, ...this.#readable].flatMap(listParents))
  }

  /** True if the path, which may not exist, is readable. */
  isReadable(path: string): boolean {
    return isInside(resolveLinks(path), this.#readable)
  }

  /** True for a folder on the way to a readable file, which Ruby sees, but cannot list. */
  isParent(path: string): boolean {
    return this.#parents.has(path)
  }

  /** Throws EACCES if the path is not writable. A link is not followed: changing a link changes its folder. */
  checkWritable(path: string): void {
    if (!isInside(join(resolveLinks(dirname(path)), posix.basename(path)), this.#writable)) throw new DiskError('acces')
    if (!isInside(resolveLinks(path), this.#writable)) throw new DiskError('acces')
  }
}

/** Returns the files of this machine, limited to the ones that a suite can use. */
export function createSuiteDisk(paths: SuitePaths): Disk {
  const disk = createMachineDisk()
  const toPath = (path: string) => posix.normalize(`/${path}`).replace(/(?<=.)\/$/, '')
  const change =
    <Rest extends readonly unknown[]>(work: (path: string, ...rest: Rest) => void) =>
    (path: string, ...rest: Rest) => {
      paths.checkWritable(toPath(path))
      work(toPath(path), ...rest)
    }
  const read = (path: string): string => {
    if (!paths.isReadable(toPath(path))) throw new DiskError(paths.isParent(toPath(path)) ? 'acces' : 'noent')
    return toPath(path)
  }
  const changeTwo = (work: (from: string, to: string) => void) => (from: string, to: string) => {
    paths.checkWritable(toPath(from))
    paths.checkWritable(toPath(to))
    work(toPath(from), toPath(to))
  }
  return {
    status: (path, follows) =>
      paths.isReadable(toPath(path)) || paths.isParent(toPath(path)) ? disk.status(toPath(path), follows) : undefined,
    open(path, wishes) {
      if (wishes.writes || wishes.creates || wishes.truncates) paths.checkWritable(toPath(path))
      return disk.open(read(path), wishes)
    },
    list: (path) => disk.list(read(path)),
    readLink: (path) => disk.readLink(paths.isParent(toPath(path)) ? toPath(path) : read(path)),
    makeDirectory: change(disk.makeDirectory),
    removeDirectory: change(disk.removeDirectory),
    removeFile: change(disk.removeFile),
    rename: changeTwo(disk.rename),
    link: changeTwo(disk.link),
    // A link's target is checked when the link is used.
    symlink: (target, path) => change((at) => disk.symlink(target, at))(path),
    setTimes: change(disk.setTimes),
  }
}

/** Returns the folders of the modules in a modulepath, also those that are links. */
export function listModuleFolders(modulepath: readonly string[]): readonly string[] {
  return modulepath.flatMap((folder) => {
    const names = existsSync(folder) ? readdirSync(folder) : []
    return [folder, ...names.map((name) => join(folder, name)).filter(isModule)]
  })
}

function isModule(folder: string): boolean {
  return ['metadata.json', 'manifests'].some((name) => existsSync(join(folder, name)))
}

function listParents(path: string): readonly string[] {
  return path === '/' ? ['/'] : [path, ...listParents(dirname(path))]
}

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

/** Resolves all links in a path; parts that do not exist stay as they are. */
function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const code = getSystemErrorCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' && path !== '/' ? join(resolveLinks(dirname(path)), posix.basename(path)) : path
  }
}
