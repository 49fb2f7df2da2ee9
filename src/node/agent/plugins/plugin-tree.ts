import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { PuppetError } from '../../../base/issue.ts'
import { list, record, text } from '../../../base/json/wire.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { FileMetadata } from '../../../model/file-metadata.ts'
import type { PluginFile } from '../../../model/plugin-tree.ts'
import type { PlumbV1 } from '../../../network/client/plumb-v1.ts'
import { checksumOfFile } from '../../resources/checksum.ts'
import { type PluginOptions, type PluginTree, syncPlugins } from './plugin-sync.ts'

/** Options of a synchronisation in one request, for all trees. */
export interface TreeOptions extends Omit<PluginOptions, 'puppet'> {
  readonly plumb: PlumbV1
  /** The file that says which plug-ins came last. */
  readonly recordFile: string
}

/** Plug-ins that came in one answer. */
export interface SyncedTree {
  readonly codeId: string | undefined
  /** False of those that were here already. */
  readonly changed: boolean
}

/** Plug-ins as they came: the digest of all, and of each file by its path. */
interface CameAs {
  readonly digest: string
  readonly files: ReadonlyMap<string, string>
}

/**
 * Makes folders hold exactly the server's plug-ins by one request, or by none of its bytes where they do; `undefined` of a
 * server that does not hand them out so. Throws PLUGINS_TORN.
 */
export async function syncPluginTree(
  trees: readonly PluginTree[],
  options: TreeOptions,
): Promise<SyncedTree | undefined> {
  const { plumb, environment, files, log, recordFile } = options
  const before = await readRecord(files, recordFile)
  const torn = before && (await notAsItCame(before, trees, files))
  const answer = await plumb.plugins(environment, torn === undefined ? before?.digest : undefined)
  if (!answer) {
    // Plug-ins come from another server as single files, so the record no longer describes them.
    await files.remove(recordFile)
    return undefined
  }
  if (torn !== undefined) log.warning(`Plug-ins were modified (${torn}); downloading them again`)
  if (answer.files === 'unchanged') {
    for (const { name } of trees) log.info(`Retrieving ${name}`)
    return { codeId: answer.codeId, changed: false }
  }
  // Whoever is cut off here finds no record, and fetches all again.
  await files.remove(recordFile)
  for (const tree of trees) await syncPlugins(tree, { ...options, puppet: inAnswer(answer.files) })
  await writeRecord(files, recordFile, { digest: answer.digest, files: digestsOf(answer.files, trees) })
  return { codeId: answer.codeId, changed: before?.digest !== answer.digest }
}

/** The calls for single files, answered by what came. */
function inAnswer(all: readonly PluginFile[]): PluginOptions['puppet'] {
  const contents = new Map(all.map((file) => [`${file.mount}/${file.path}`, file.content]))
  return {
    fileMetadatas: async (mount) => all.filter((file) => file.mount === mount).map(metadataOf),
    fileContent: async (path) => Readable.from([contents.get(path) ?? Buffer.alloc(0)], { objectMode: false }),
  }
}

function metadataOf({ path, mode, content }: PluginFile): FileMetadata {
  return {
    path: '/',
    relativePath: path,
    links: 'follow',
    owner: 0,
    group: 0,
    mode,
    checksum: content ? { type: 'sha256', value: `{sha256}${sha256(content)}` } : { type: 'ctime', value: '' },
    type: content ? 'file' : 'directory',
    destination: undefined,
    contentUri: undefined,
    source: undefined,
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function digestsOf(all: readonly PluginFile[], trees: readonly PluginTree[]): Map<string, string> {
  const folders = new Map(trees.map(({ mount, destination }) => [mount, destination]))
  return new Map(
    all.flatMap(({ mount, path, content }) => {
      const folder = folders.get(mount)
      return content && folder !== undefined ? [[join(folder, path), sha256(content)]] : []
    }),
  )
}

/** The first path at which something else is than what came, or nothing; `undefined` when all is as it was. */
async function notAsItCame(
  { files: digests }: CameAs,
  trees: readonly PluginTree[],
  files: Files,
): Promise<string | undefined> {
  const missing = new Set(digests.keys())
  const look = async (folder: string): Promise<string | undefined> => {
    for (const name of (await files.list(folder)) ?? []) {
      const path = join(folder, name)
      const stat = await files.stat(path)
      const digest = digests.get(path)
      if (stat?.kind === 'directory') {
        const found = await look(path)
        if (found !== undefined) return found
      } else if (
        digest === undefined ||
        !stat ||
        (await checksumOfFile(files, path, 'sha256', stat)) !== `{sha256}${digest}`
      )
        return path
      missing.delete(path)
    }
    return undefined
  }
  for (const { destination } of trees) {
    const found = await look(destination)
    if (found !== undefined) return found
  }
  return missing.values().next().value
}

async function readRecord(files: Files, path: string): Promise<CameAs | undefined> {
  try {
    const known = record(JSON.parse((await files.readText(path)) ?? ''), 'record')
    const digests = list(known['files'], 'files').map((each): [string, string] => {
      const [file, digest] = list(each, 'file')
      return [text(file, 'path'), text(digest, 'digest')]
    })
    return { digest: text(known['digest'], 'digest'), files: new Map(digests) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof PuppetError) return undefined
    throw error
  }
}

async function writeRecord(files: Files, path: string, { digest, files: digests }: CameAs): Promise<void> {
  await files.write(path, JSON.stringify({ digest, files: [...digests] }), 0o640)
}
