import { largeFile } from '../../../../base/bytes/digest.ts'
import { formatInvalidUtf8Name } from '../../../../base/text/byte-text.ts'
import { appendPath } from '../../../../machine/windows/machine-path.ts'
import { failWithMessage } from '../../issues.ts'
import type { BackupContent } from '../../provider.ts'
import type { FileWork } from './file-state.ts'

/** Backs up an object before it is replaced or removed, as set by `backup`. */
export async function backUp(work: FileWork): Promise<void> {
  const { resource, state, system } = work
  const how = resource.get('backup')
  const kind = state.stat?.kind
  if (!how || kind === undefined) return
  if (kind === 'directory' && !resource.get('force')) return
  if (kind !== 'file' && kind !== 'directory' && kind !== 'link') {
    work.log('warning', `Could not back up file of type ${kind}`)
    return
  }
  if (how.startsWith('.')) return copyToBackup(work, `${resource.name}${how}`)
  if (kind === 'file') return storeInBucket(work, how, resource.name)
  if (kind === 'link' || (resource.get('recurse') ?? 'false') !== 'false') return
  work.log('info', 'Recursively backing up to filebucket')
  for (const path of await listFilesBelow(work, resource.name))
    if ((await system.files.stat(path))?.kind === 'file') await storeInBucket(work, how, path)
}

async function storeInBucket(work: FileWork, bucket: string, path: string): Promise<void> {
  const content = await readBackupContent(work, path)
  if (!content) return
  const kept = await work.buckets.backup(bucket, path, content)
  if (!kept) failWithMessage(`Could not find filebucket ${bucket} specified in backup`)
  work.log('info', `Filebucketed ${path} to ${kept.name} with sum ${kept.sum}`)
}

async function readBackupContent({ system: { files } }: FileWork, path: string): Promise<BackupContent | undefined> {
  const stat = await files.stat(path)
  if (!stat || stat.size <= largeFile) return files.read(path)
  return { parts: async () => (await files.readParts(path)) ?? [] }
}

async function copyToBackup(work: FileWork, copy: string): Promise<void> {
  const { files } = work.system
  const old = await files.stat(copy)
  if (old?.kind === 'directory') failWithMessage(`Will not remove directory backup ${copy}; use a filebucket`)
  if (old) {
    work.log('info', `Removing old backup of type ${old.kind}`)
    await files.remove(copy)
  }
  // A link is backed up as a copy of its target; inside a directory, links remain links.
  const content = work.state.stat?.kind === 'link' ? await files.readParts(work.resource.name) : undefined
  if (content === undefined) await copyTree(work, work.resource.name, copy)
  else await files.write(copy, content, 0o644)
}

async function copyTree(work: FileWork, from: string, to: string): Promise<void> {
  const { files } = work.system
  const stat = await files.stat(from)
  if (!stat) return
  if (stat.kind === 'directory') {
    await files.makeDirectory(to, stat.mode)
    for (const name of await listBackupNames(work, from))
      await copyTree(work, appendPath(from, name), appendPath(to, name))
  } else if (stat.kind === 'link') await files.link((await files.readLink(from)) ?? '', to)
  else await files.write(to, (await files.readParts(from)) ?? '', stat.mode)
  if (process.getuid?.() === 0) await files.chown(to, stat.uid, stat.gid)
}

async function listFilesBelow(work: FileWork, directory: string): Promise<string[]> {
  const { files } = work.system
  const found: string[] = []
  for (const name of await listBackupNames(work, directory)) {
    const path = appendPath(directory, name)
    if ((await files.stat(path))?.kind === 'directory') found.push(...(await listFilesBelow(work, path)))
    else found.push(path)
  }
  return found
}

/** The names in a directory. Throws if a name is not UTF-8, because the backup would lack this file. */
async function listBackupNames({ system: { files } }: FileWork, directory: string): Promise<readonly string[]> {
  const names = (await files.list(directory)) ?? []
  const inexact = names.find((name) => !name.isWellFormed())
  if (inexact === undefined) return names
  const path = appendPath(directory, inexact)
  return failWithMessage(`Could not back up ${path}: ${formatInvalidUtf8Name(path)}`)
}
