import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { budgets } from '../../base/budgets/budgets.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import type { Json } from '../../base/json/json-checks.ts'

/** A file or a directory outside of the commit. */
export type OutsideEntry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'directory'; readonly names: readonly string[] }

/** Returns true if the path is one of the folders or is inside of a folder; links are not resolved. */
export function isInAllowedFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`))
}

/**
 * Reads a file or directory and returns it as a JSON response. The following are reported as absent: links to paths
 * outside of the folders, pipes, devices, and files above the size limit.
 */
export function readAllowedPath(path: string, folders: readonly string[]): Json {
  try {
    const real = realpathSync(path)
    if (!isInAllowedFolders(real, folders.map(resolveRealPath))) return { absent: true }
    const status = statSync(real)
    if (status.isDirectory()) return { names: readdirSync(real).sort() }
    if (!status.isFile() || status.size > budgets.outside.file.bound) return { absent: true }
    const bytes = readFileSync(real)
    return isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }
  } catch {
    return { absent: true }
  }
}

/** Returns the file or directory in a response of `readAllowedPath`; `undefined` if it is absent. */
export function parseOutsideEntry(answer: ExactJson): OutsideEntry | undefined {
  const [text, base64, names] = ['text', 'base64', 'names'].map((name) => getMember(answer, name))
  if (typeof text === 'string') return { kind: 'file', bytes: Buffer.from(text) }
  if (typeof base64 === 'string') return { kind: 'file', bytes: Buffer.from(base64, 'base64') }
  return Array.isArray(names) ? { kind: 'directory', names: names as readonly string[] } : undefined
}

function resolveRealPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
