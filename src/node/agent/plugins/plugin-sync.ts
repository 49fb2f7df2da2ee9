import { posix } from 'node:path'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { FileMetadata } from '../../../model/file-metadata.ts'
import type { PuppetV3 } from '../../../network/client/puppet-v3.ts'
import { computeFileChecksum, digestStream } from '../../resources/checksum.ts'
import { formatOctalMode } from '../../resources/mode.ts'
import type { Log } from '../log.ts'

/** A tree of plug-ins, with its source and destination. */
export interface PluginTree {
  /** Name in Puppet's log: `plugin`, `pluginfacts`. */
  readonly name: string
  /** Mount on the server: `plugins`, `pluginfacts`. */
  readonly mount: string
  readonly destination: string
  /** True to keep the file modes of the module, which executable facts need. */
  readonly keepModes: boolean
}

/** Source and target of a plug-in synchronization. */
export interface PluginOptions {
  readonly puppet: Pick<PuppetV3, 'fileMetadatas' | 'fileContent'>
  readonly files: Files
  readonly environment: string
  readonly ignore: readonly string[]
  readonly log: Log
}

/** Number of files fetched in parallel. */
const parallel = 8

/**
 * Synchronizes a folder with the server's plug-ins, fetching only changed files. Returns false if
 * the server does not have the environment. Throws if the server rejects the request.
 */
export async function syncPlugins(tree: PluginTree, options: PluginOptions): Promise<boolean> {
  const { puppet, environment, ignore, log } = options
  log.info(`Retrieving ${tree.name}`)
  const entries = await puppet.fileMetadatas(tree.mount, {
    environment,
    links: 'follow',
    checksumType: 'sha256',
    sourcePermissions: tree.keepModes ? 'use' : 'ignore',
    recurse: true,
    maxFiles: -1,
    ignore,
  })
  if (!entries) return false
  const wanted = new Map<string, FileMetadata>()
  for (const entry of entries) if (isSafePath(entry.relativePath)) wanted.set(entry.relativePath!, entry)
  await options.files.makeDirectory(tree.destination, 0o755)
  const failures = await fetchEntries(tree, [...wanted.values()], options)
  await removeStaleFiles(tree, wanted, options)
  if (failures.length > 0) throw new Error(`Failed to retrieve ${tree.name}: ${failures.join('; ')}`)
  return true
}

/** False for a path from the server that points outside the folder. */
function isSafePath(path: string | undefined): boolean {
  return path !== undefined && !posix.isAbsolute(path) && !path.split('/').includes('..') && !path.includes('\0')
}

async function fetchEntries(
  tree: PluginTree,
  entries: readonly FileMetadata[],
  options: PluginOptions,
): Promise<string[]> {
  const failures: string[] = []
  const directories = entries.filter(({ type }) => type === 'directory')
  for (const entry of directories) await createFolder(tree, entry, options)
  const waiting = entries.filter(({ type }) => type !== 'directory').reverse()
  const fetchWaitingEntries = async () => {
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      await fetchEntry(tree, entry, options).catch((error: unknown) => {
        const path = toLocalPath(tree, entry)
        const message = formatError(error)
        options.log.err(`Could not evaluate: ${message}`, { source: `/File[${path}]` })
        failures.push(message)
      })
    }
  }
  await Promise.all(Array.from({ length: parallel }, fetchWaitingEntries))
  return failures
}

function toLocalPath({ destination }: PluginTree, { relativePath }: FileMetadata): string {
  return relativePath === '.' ? destination : posix.join(destination, relativePath ?? '')
}

async function createFolder(tree: PluginTree, entry: FileMetadata, { files, log }: PluginOptions): Promise<void> {
  const path = toLocalPath(tree, entry)
  const stat = await files.stat(path)
  if (stat?.kind === 'directory') return
  if (stat) await files.remove(path)
  await files.makeDirectory(path, 0o755)
  log.notice('created', { source: `/File[${path}]/ensure` })
}

async function fetchEntry(tree: PluginTree, entry: FileMetadata, options: PluginOptions): Promise<void> {
  const { files, log, puppet, environment } = options
  const path = toLocalPath(tree, entry)
  const stat = await files.stat(path)
  const before = stat?.kind === 'file' ? await computeFileChecksum(files, path, 'sha256', stat) : undefined
  const wanted = entry.checksum.value
  const mode = tree.keepModes ? entry.mode : 0o644
  if (before !== wanted) {
    if (stat && stat.kind !== 'file') await files.remove(path)
    const content = await puppet.fileContent(`${tree.mount}/${entry.relativePath}`, { environment })
    const checked = digestStream('sha256', content, (sum) => {
      if (sum !== wanted)
        throw new Error(`File written to disk did not match desired checksum; discarding changes (${sum} vs ${wanted})`)
    })
    await files.write(path, checked, mode)
    const message =
      before === undefined ? `defined content as '${wanted}'` : `content changed '${before}' to '${wanted}'`
    const property = before === undefined ? 'ensure' : 'content'
    log.notice(message, { source: `/File[${path}]/${property}` })
  } else if (tree.keepModes && stat && stat.mode !== mode) {
    await files.chmod(path, mode)
    log.notice(`mode changed '${formatOctalMode(stat.mode)}' to '${formatOctalMode(mode)}'`, {
      source: `/File[${path}]/mode`,
    })
  }
}

/** Removes local files that the server does not have. */
async function removeStaleFiles(
  { destination }: PluginTree,
  wanted: ReadonlyMap<string, FileMetadata>,
  { files, log }: PluginOptions,
): Promise<void> {
  const cleanFolder = async (directory: string): Promise<void> => {
    for (const name of (await files.list(posix.join(destination, directory))) ?? []) {
      const relative = posix.join(directory, name)
      const path = posix.join(destination, relative)
      if (wanted.has(relative)) {
        if (wanted.get(relative)!.type === 'directory') await cleanFolder(relative)
        continue
      }
      await files.remove(path)
      log.notice('removed', { source: `/File[${path}]/ensure` })
    }
  }
  await cleanFolder('.')
}
