import { constants, realpathSync, statSync } from 'node:fs'
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { digestIssues, getDigestRecipe } from '../../../base/bytes/digest.ts'
import { defineIssues, isIssue, throwIssue } from '../../../base/issue.ts'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { mapConcurrently } from '../../../base/threads/concurrent-map.ts'
import type { FileMetadata } from '../../../model/file-metadata.ts'
import { Digester } from '../../git/digests/digester.ts'
import { Digests } from '../digests.ts'
import type { OpenFile } from '../environments.ts'
import {
  type FileSearch,
  type FoundFile,
  findTreeFile,
  formatTimeAsRuby,
  getDigestAlgorithm,
  type MountQuery,
  searchFolderInTurns,
} from '../file-serving.ts'
import { openFolderTree } from '../folder-tree.ts'
import type { ServableTree } from '../servable-tree.ts'
import type { FolderMount } from './fileserver-conf.ts'

const issues = defineIssues({
  MOUNT_PATH_RELATIVE: { text: (a: { path: string }) => `${a.path} is not an absolute path` },
  // Puppet: file_serving/mount/file.rb.
  MOUNT_PATH_MISSING: { text: (a: { path: string }) => `${a.path} does not exist or is not a directory` },
  MOUNT_OF_SECRETS: {
    text: (a: { path: string; secret: string }) =>
      `${a.path} is not served: it overlaps ${a.secret}, which belongs to the server`,
    hint: () => 'Use a separate directory for the mount, such as /srv/files.',
  },
})

/** Number of files described concurrently. */
const atOnce = 16

/**
 * The server's own folders: files inside a folder of `kept` are not served, and a mount may not
 * contain a folder of `held`.
 */
export interface OwnFolders {
  readonly kept: readonly string[]
  readonly held: readonly string[]
}

/**
 * The folders mounted by fileserver.conf, read at each request. Files outside of them, and the
 * server's own files, are never served, not even through links.
 */
export class FolderMounts {
  readonly #own: OwnFolders
  /** This server's name, used if the client name is unknown. */
  readonly #ourName: string
  readonly #digests = new Digests()
  readonly #digester = new Digester()
  #mounts: ReadonlyMap<string, FolderMount> = new Map()

  constructor(own: OwnFolders, ourName: string) {
    this.#own = own
    this.#ourName = ourName
  }

  /** Replaces the mounts. */
  take(mounts: readonly FolderMount[]): void {
    this.#mounts = new Map(mounts.map((each) => [each.name, each]))
  }

  has(mount: string): boolean {
    return this.#mounts.has(mount)
  }

  /** Throws an error if a mount cannot be served; paths with `%` are checked on each request. */
  check({ path }: FolderMount): void {
    if (!path.startsWith('/')) throwIssue(issues.MOUNT_PATH_RELATIVE, { path })
    if (/%./.test(path)) return
    const real = resolveFolder(path) ?? throwIssue(issues.MOUNT_PATH_MISSING, { path })
    const secret = this.#findSecretFolder(real)
    if (secret !== undefined) throwIssue(issues.MOUNT_OF_SECRETS, { path, secret })
  }

  /** Replies to `GET file_metadata`. */
  async findMetadata(query: MountQuery, node: string | undefined): Promise<FileMetadata | undefined> {
    const found = this.#find(query, node, query.links)
    return found && this.#describe(found, query)
  }

  /** Replies to `GET file_metadatas`. */
  async searchMetadata(search: FileSearch, node: string | undefined): Promise<readonly FileMetadata[] | undefined> {
    const base = this.#find(search, node, search.links)
    if (!base) return undefined
    const found = await searchFolderInTurns(base, search)
    const described: (FileMetadata | undefined)[] = new Array(found.length)
    await mapConcurrently([...found.keys()], atOnce, async (at) => {
      described[at] = await this.#describe(found[at]!, search)
    })
    return described.filter((each) => each !== undefined)
  }

  /** Replies to `GET file_content`. */
  async openContent(
    query: Pick<MountQuery, 'mount' | 'path'>,
    node: string | undefined,
  ): Promise<OpenFile | 'directory' | undefined> {
    const found = this.#find(query, node)
    if (!found) return undefined
    if (found.tree.entry(found.path)?.kind === 'directory') return 'directory'
    const location = (found.tree as ServableTree).locate(found.path)
    return location?.kind === 'file' ? openRealPath(location.path) : undefined
  }

  /** Finds a file; with `links => manage`, a link is found even if its target is missing. */
  #find(
    { mount, path }: Pick<MountQuery, 'mount' | 'path'>,
    node: string | undefined,
    links: MountQuery['links'] = 'follow',
  ): FoundFile | undefined {
    const known = this.#mounts.get(mount)
    const folder = known && expandPath(known.path, node ?? this.#ourName)
    const real = folder === undefined ? undefined : resolveFolder(folder)
    if (real === undefined || this.#findSecretFolder(real) !== undefined) return undefined
    // Open a new tree for each request: it shows the current state of the folder, and stays
    // consistent during the request.
    const tree = openFolderTree({ directory: real, root: folder! }, this.#digests)
    const place = path.split('/').filter(Boolean).join('/')
    const isLink = links === 'manage' && tree.linkDestination(place) !== undefined
    return (
      findTreeFile(tree, place) ?? (isLink ? { tree, path: place, base: place, relativePath: undefined } : undefined)
    )
  }

  /** Returns one of the server's own folders that is inside the given folder or contains it. */
  #findSecretFolder(real: string): string | undefined {
    const { kept, held } = this.#own
    return (
      kept.find((each) => isPathWithin(real, resolveRealPath(each) ?? resolve(each))) ??
      [...kept, ...held].find((each) => isPathWithin(resolveRealPath(each) ?? resolve(each), real))
    )
  }

  async #describe(found: FoundFile, query: MountQuery): Promise<FileMetadata | undefined> {
    const { tree, path, base, relativePath } = found
    const destination = query.links === 'manage' ? tree.linkDestination(path) : undefined
    const place = join(tree.root, path)
    const status = await ignoreMissing(destination === undefined ? stat(place) : lstat(place))
    if (!status) return undefined
    const isOwn = query.sourcePermissions === 'use'
    return {
      path: join(tree.root, base),
      relativePath,
      links: query.links,
      owner: isOwn ? status.uid : 0,
      group: isOwn ? status.gid : 0,
      mode: isOwn ? status.mode & 0o7777 : 0o644,
      checksum: await this.#checksum(found, query.checksumType, destination !== undefined),
      type: destination !== undefined ? 'link' : status.isDirectory() ? 'directory' : 'file',
      destination,
      contentUri: undefined,
      source: undefined,
    }
  }

  async #checksum({ tree, path }: FoundFile, asked: string, isLink: boolean): Promise<FileMetadata['checksum']> {
    const algorithm = getDigestAlgorithm(asked)
    const none = { type: 'none', value: '{none}' }
    const kind = tree.entry(path)?.kind
    // The checksum of a directory is always based on its time. Puppet: file_serving/metadata.rb.
    const type = kind === 'directory' && !isLink ? 'ctime' : asked
    const location = (tree as ServableTree).locate(path)
    const place = location?.kind === 'file' ? location.path : join(tree.root, path)
    if (kind === undefined || (kind === 'directory' && isLink)) return none
    const status = await ignoreMissing(stat(place, { bigint: true }))
    if (!status) return none
    if (type === 'mtime' || type === 'ctime')
      return { type, value: `{${type}}${formatTimeAsRuby(Number(status[`${type}Ms`]) / 1000)}` }
    if (algorithm === undefined) return none
    const oid = [place, status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join(':')
    const digest = await this.#digests
      .learn(oid, algorithm, () => this.#digester.digest({ kind: 'file', path: place }, getDigestRecipe(algorithm)))
      .catch((error) => (isIssue(error, digestIssues.FILE_NOT_DIGESTED) ? undefined : Promise.reject(error)))
    return digest === undefined ? none : { type, value: `{${type}}${digest}` }
  }
}

/**
 * Replaces the variables in the path with a node's names; `undefined` if a node name would lead out
 * of the folder. Puppet: file_serving/mount/file.rb.
 */
function expandPath(path: string, node: string): string | undefined {
  if (!/%./.test(path)) return path
  if (!/^[\w@:-][\w.@:-]*$/.test(node) || node.includes('..')) return undefined
  const dot = node.indexOf('.')
  const parts: Readonly<Record<string, string>> = {
    h: dot === -1 ? node : node.slice(0, dot),
    H: node,
    d: node.slice(dot + 1) || node,
    '%': '%',
  }
  return path.replaceAll(/%(.)/g, (all, key: string) => (Object.hasOwn(parts, key) ? parts[key]! : all))
}

/** Opens a file by its real path; fails if it has been replaced by a link. */
async function openRealPath(path: string): Promise<OpenFile | undefined> {
  const handle = await ignoreMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  if (!handle) return undefined
  let opened: OpenFile | undefined
  try {
    opened = await openRegularFile(handle, path)
    return opened
  } finally {
    // A stream closes the file itself when it ends.
    if (!opened || opened.size === 0) await handle.close()
  }
}

async function openRegularFile(handle: FileHandle, path: string): Promise<OpenFile | undefined> {
  const status = await handle.stat()
  if (!status.isFile() || (await ignoreMissing(realpath(path))) !== path) return undefined
  const { size } = status
  return { size, content: size === 0 ? Buffer.alloc(0) : handle.createReadStream({ end: size - 1 }) }
}

function resolveFolder(path: string): string | undefined {
  const real = resolveRealPath(path)
  return real !== undefined && statSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : undefined
}

function resolveRealPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function isPathWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

/** Returns the result; `undefined` if the file is missing or unreadable. */
async function ignoreMissing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(getSystemErrorCode(error) ?? ''))
      return undefined
    throw error
  }
}
