import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { PuppetError } from '../../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString } from '../../../base/json/json-checks.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { FileMetadata } from '../../../model/file-metadata.ts'
import type { PluginFile } from '../../../model/plugin-tree.ts'
import type { PlumbV1 } from '../../../network/client/plumb-v1.ts'
import { computeFileChecksum } from '../../resources/checksum.ts'
import { type PluginOptions, type PluginTree, syncPlugins } from './plugin-sync.ts'

/** Options for synchronizing all plug-in trees in one request. */
export interface TreeOptions extends Omit<PluginOptions, 'puppet'> {
  readonly plumb: PlumbV1
  /** Path of the record of the last synchronization. */
  readonly recordFile: string
}

/** The result of a synchronization in one request. */
export interface SyncedTree {
  readonly codeId: string | undefined
  /** False if the local plug-ins were already up to date. */
  readonly changed: boolean
}

/** The record of the last synchronization: the digest of the response, and digests of its files by path. */
interface SyncRecord {
  readonly digest: string
  readonly files: ReadonlyMap<string, string>
}

/**
 * Synchronizes the folders with the server's plug-ins in one request, which transfers no content if
 * nothing changed. Undefined if the server does not support such requests. Throws PLUGINS_TORN.
 */
export async function syncPluginTree(
  trees: readonly PluginTree[],
  options: TreeOptions,
): Promise<SyncedTree | undefined> {
  const { plumb, environment, files, log, recordFile } = options
  const before = await readSyncRecord(files, recordFile)
  const torn = before && (await findModifiedFile(before, trees, files))
  const answer = await plumb.plugins(environment, torn === undefined ? before?.digest : undefined)
  if (!answer) {
    // The plug-ins now come from another server as single files, so the record no longer describes
    // them.
    await files.remove(recordFile)
    return undefined
  }
  if (torn !== undefined) log.warning(`Plug-ins were modified (${torn}); downloading them again`)
  if (answer.files === 'unchanged') {
    for (const { name } of trees) log.info(`Retrieving ${name}`)
    return { codeId: answer.codeId, changed: false }
  }
  // The record is removed first, so that the next run after an interruption fetches all plug-ins
  // again.
  await files.remove(recordFile)
  for (const tree of trees) await syncPlugins(tree, { ...options, puppet: createResponseSource(answer.files) })
  await writeSyncRecord(files, recordFile, { digest: answer.digest, files: computeDigests(answer.files, trees) })
  return { codeId: answer.codeId, changed: before?.digest !== answer.digest }
}

/** Serves single-file calls from the received response. */
function createResponseSource(all: readonly PluginFile[]): PluginOptions['puppet'] {
  const contents = new Map(all.map((file) => [`${file.mount}/${file.path}`, file.content]))
  return {
    fileMetadatas: async (mount) => all.filter((file) => file.mount === mount).map(toFileMetadata),
    fileContent: async (path) => Readable.from([contents.get(path) ?? Buffer.alloc(0)], { objectMode: false }),
  }
}

function toFileMetadata({ path, mode, content }: PluginFile): FileMetadata {
  return {
    path: '/',
    relativePath: path,
    links: 'follow',
    owner: 0,
    group: 0,
    mode,
    checksum: content ? { type: 'sha256', value: `{sha256}${computeSha256(content)}` } : { type: 'ctime', value: '' },
    type: content ? 'file' : 'directory',
    destination: undefined,
    contentUri: undefined,
    source: undefined,
  }
}

function computeSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function computeDigests(all: readonly PluginFile[], trees: readonly PluginTree[]): Map<string, string> {
  const folders = new Map(trees.map(({ mount, destination }) => [mount, destination]))
  return new Map(
    all.flatMap(({ mount, path, content }) => {
      const folder = folders.get(mount)
      return content && folder !== undefined ? [[join(folder, path), computeSha256(content)]] : []
    }),
  )
}

/** Returns the first local path that is changed, missing, or not in the record; undefined if there is none. */
async function findModifiedFile(
  { files: digests }: SyncRecord,
  trees: readonly PluginTree[],
  files: Files,
): Promise<string | undefined> {
  const missing = new Set(digests.keys())
  const findUnrecordedFile = async (folder: string): Promise<string | undefined> => {
    for (const name of (await files.list(folder)) ?? []) {
      const path = join(folder, name)
      const stat = await files.stat(path)
      const digest = digests.get(path)
      if (stat?.kind === 'directory') {
        const found = await findUnrecordedFile(path)
        if (found !== undefined) return found
      } else if (
        digest === undefined ||
        !stat ||
        (await computeFileChecksum(files, path, 'sha256', stat)) !== `{sha256}${digest}`
      )
        return path
      missing.delete(path)
    }
    return undefined
  }
  for (const { destination } of trees) {
    const found = await findUnrecordedFile(destination)
    if (found !== undefined) return found
  }
  return missing.values().next().value
}

async function readSyncRecord(files: Files, path: string): Promise<SyncRecord | undefined> {
  try {
    const known = checkJsonObject(JSON.parse((await files.readText(path)) ?? ''), 'record')
    const digests = checkJsonArray(known['files'], 'files').map((each): [string, string] => {
      const [file, digest] = checkJsonArray(each, 'file')
      return [checkJsonString(file, 'path'), checkJsonString(digest, 'digest')]
    })
    return { digest: checkJsonString(known['digest'], 'digest'), files: new Map(digests) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof PuppetError) return undefined
    throw error
  }
}

async function writeSyncRecord(files: Files, path: string, { digest, files: digests }: SyncRecord): Promise<void> {
  await files.write(path, JSON.stringify({ digest, files: [...digests] }), 0o640)
}
