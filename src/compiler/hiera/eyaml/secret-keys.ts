import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { throwIssue } from '../../../base/issue.ts'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import { eyamlIssues } from './issues.ts'

/** Private keys by path, time and size of their file, so that a replaced key file is read again. */
const known = new LRUCache<string, KeyObject>({ max: 50 })

/**
 * Reads the private key that a hiera.yaml names. Reads only files in or below the given folders, and rejects links that
 * lead out of the folders. Otherwise, any person who can push a hiera.yaml could use other keys of the machine, such as
 * the key of the server or of the CA. Throws EYAML_KEY_….
 */
export function readSecretKey(path: string, folders: readonly string[]): KeyObject {
  if (!isAbsolute(path) || !isInFolders(resolve(path), folders))
    throwIssue(eyamlIssues.EYAML_KEY_PLACE, { path, folders })
  try {
    const real = realpathSync(path)
    if (!isInFolders(real, folders.flatMap(realFolder))) throwIssue(eyamlIssues.EYAML_KEY_PLACE, { path, folders })
    const { mtimeMs, size, ino } = statSync(real)
    const id = `${real}:${ino}:${mtimeMs}:${size}`
    const key = known.get(id) ?? createPrivateKey(readFileSync(real))
    if (key.asymmetricKeyType !== 'rsa')
      throwIssue(eyamlIssues.EYAML_KEY_UNREADABLE, { path, reason: 'it is not an RSA key' })
    known.set(id, key)
    return key
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined)
      return throwIssue(eyamlIssues.EYAML_KEY_UNREADABLE, { path, reason: formatErrorReason(error) })
    if (!getSystemErrorCode(error)?.startsWith('ERR_')) throw error
    return throwIssue(eyamlIssues.EYAML_KEY_UNREADABLE, {
      path,
      reason: 'it is not a PEM private key without a password',
    })
  }
}

/** Returns an id for the state of a key file; the id changes if the file is replaced. Throws file system errors. */
export function readKeyState(path: string): string {
  const { mtimeNs, size, ino } = statSync(realpathSync(path), { bigint: true })
  return [mtimeNs, size, ino].join(' ')
}

function isInFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => dirname(path) === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`))
}

function realFolder(folder: string): string[] {
  try {
    return [realpathSync(folder)]
  } catch {
    return []
  }
}
