import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { throwIssue } from '../../../base/issue.ts'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import { isInAllowedFolders } from '../../../network/outside/allowed-folders.ts'
import { secretIssues } from './issues.ts'

/** A file with private keys, or a GnuPG home, in a folder that the setting `eyaml_keydirs` allows. */
export interface KeyFile {
  /** The path in hiera.yaml, for messages. */
  readonly path: string
  /** The path after following links. */
  readonly real: string
}

/**
 * Locates the keys that a hiera.yaml names. Allows only paths in or below the given folders, and rejects links that
 * lead out of the folders. Otherwise, any person who can push a hiera.yaml could use other keys of the machine, such as
 * the key of the server or of the CA. Throws SECRET_KEY_….
 */
export function locateKeyFile(path: string, folders: readonly string[]): KeyFile {
  if (!isAbsolute(path) || !isInAllowedFolders(resolve(path), folders))
    throwIssue(secretIssues.SECRET_KEY_PLACE, { path, folders })
  const real = withReadErrors(path, () => realpathSync(path))
  if (!isInAllowedFolders(real, folders.flatMap(realFolder)))
    throwIssue(secretIssues.SECRET_KEY_PLACE, { path, folders })
  return { path, real }
}

/** Reads a key file. Throws SECRET_KEY_UNREADABLE. */
export function readKeyBytes({ path, real }: KeyFile): Buffer {
  return withReadErrors(path, () => readFileSync(real))
}

/** Same as `readKeyState`, for caches. Throws SECRET_KEY_UNREADABLE. */
export function getKeyState({ path, real }: KeyFile): string {
  return withReadErrors(path, () => readKeyState(real))
}

/** Rejects the content of a key file. */
export function failUnreadable({ path }: KeyFile, reason: string): never {
  return throwIssue(secretIssues.SECRET_KEY_UNREADABLE, { path, reason })
}

/**
 * Returns an id for the state of a key file or of the keys in a GnuPG home; the id changes if a key is replaced. Throws
 * file system errors.
 */
export function readKeyState(path: string): string {
  const real = realpathSync(path)
  if (!statSync(real).isDirectory()) return readFileState(real)
  const secrets = listNames(join(real, 'private-keys-v1.d')).map((name) => join('private-keys-v1.d', name))
  return [...homeFiles, ...secrets]
    .flatMap((name) => {
      const state = readOptionalState(join(real, name))
      return state === undefined ? [] : [`${name} ${state}`]
    })
    .join('\n')
}

/**
 * Files of a GnuPG home on which a decryption depends, besides the secret keys. gpg itself changes other files, such as
 * the trust database.
 */
const homeFiles = [
  'gpg.conf',
  'gpg-agent.conf',
  'pubring.kbx',
  'pubring.gpg',
  'public-keys.d/pubring.db',
  'secring.gpg',
]

function readFileState(path: string): string {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true })
  return [mtimeNs, size, ino].join(' ')
}

function readOptionalState(path: string): string | undefined {
  try {
    return readFileState(path)
  } catch (error) {
    if (getSystemErrorCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (getSystemErrorCode(error) !== 'ENOENT') throw error
    return []
  }
}

function withReadErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return throwIssue(secretIssues.SECRET_KEY_UNREADABLE, { path, reason: formatErrorReason(error) })
  }
}

function realFolder(folder: string): string[] {
  try {
    return [realpathSync(folder)]
  } catch {
    return []
  }
}
