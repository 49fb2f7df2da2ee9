import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  lchown,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  symlink,
} from 'node:fs/promises'
import { join } from 'node:path'

/** Copies a file, link or directory recursively, with modes and times, and syncs it to disk. */
export async function copyTree(from: string, to: string, leftOut: readonly string[] = []): Promise<void> {
  const stat = await lstat(from)
  if (stat.isDirectory()) {
    await mkdir(to, { mode: 0o700 })
    for (const name of await readdir(from))
      if (!leftOut.includes(name)) await copyTree(join(from, name), join(to, name))
    await chmod(to, stat.mode & 0o7777)
  } else if (stat.isSymbolicLink()) await symlink(await readlink(from), to)
  else if (stat.isFile()) {
    await copyFile(from, to)
    await chmod(to, stat.mode & 0o7777)
  } else return
  if (!stat.isSymbolicLink()) await syncPath(to)
  await lutimes(to, stat.atime, stat.mtime)
}

/** Syncs a file or directory to disk. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Changes the owner and group of a file or directory recursively. */
export async function changeOwner(path: string, uid: number, gid: number): Promise<void> {
  const stat = await lstat(path)
  if (stat.uid !== uid || stat.gid !== gid) {
    await lchown(path, uid, gid)
    if (!stat.isSymbolicLink()) await chmod(path, stat.mode & 0o7777)
  }
  if (stat.isDirectory()) for (const name of await readdir(path)) await changeOwner(join(path, name), uid, gid)
}

/** Digest of a file or directory: names, file types, modes and content. */
export async function computeTreeDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  const addToDigest = async (at: string, name: string): Promise<void> => {
    const stat = await lstat(at)
    const kind = stat.isDirectory() ? 'd' : stat.isSymbolicLink() ? 'l' : 'f'
    hash.update(`${kind} ${stat.mode & 0o7777} ${JSON.stringify(name)}\n`)
    if (kind === 'l') hash.update(await readlink(at))
    else if (stat.isFile())
      hash.update(
        createHash('sha256')
          .update(await readFile(at))
          .digest('hex'),
      )
    if (kind === 'd') for (const each of (await readdir(at)).sort()) await addToDigest(join(at, each), join(name, each))
  }
  await addToDigest(path, '')
  return hash.digest('hex')
}
