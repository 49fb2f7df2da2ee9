import { isUtf8 } from 'node:buffer'
import { encodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import type { Files } from '../../machine/system/system.ts'
import { getParentPath } from '../../machine/windows/machine-path.ts'
import { followLinks } from './file-tree.ts'

/**
 * Lines as split by Ruby's `readlines`, each with its line ending. Bytes are latin1 characters,
 * since no encoding fits all files.
 */
export type Lines = readonly string[]

/** The lines of a file, following a symbolic link; undefined if it is not a regular file. */
export async function readLines(files: Files, path: string): Promise<string[] | undefined> {
  return splitLines((await files.read(path))?.toString('latin1'))
}

/** The lines of a text. */
export function splitLines(text: string | undefined): string[] | undefined {
  return text?.match(/[^\n]*\n|[^\n]+/g) ?? (text === undefined ? undefined : [])
}

/** Replaces the content of a file with bytes (one character per byte). A symbolic link is followed, not replaced. */
export async function writeBytes(files: Files, path: string, bytes: string): Promise<void> {
  const end = await followLinks(files, path)
  if ((await files.stat(getParentPath(end))) === undefined) throw createMissingFileError(path)
  await files.replace(end, Buffer.from(bytes, 'latin1'), { keepsAccess: true })
}

/** Joins the lines, and adds missing line endings as Ruby's `puts` does. */
export function joinLines(lines: Lines): string {
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('')
}

/** The line without its line ending, as returned by `chomp`. */
export function chompLine(line: string): string {
  return line.replace(/(?:\r\n|\n|\r)$/, '')
}

/** The bytes of a text, one character per byte. */
export function toByteString(text: string): string {
  return encodeLosslessUtf8(text).toString('latin1')
}

/** Decodes bytes (one character per byte) as UTF-8. Throws Ruby's error if they are invalid. */
export function decodeByteString(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  if (!isUtf8(buffer)) throw new Error('invalid byte sequence in UTF-8')
  return buffer.toString()
}

/** Ruby's error for a missing file. */
export function createMissingFileError(path: string): Error {
  return new Error(`No such file or directory @ rb_sysopen - ${path}`)
}
