import { isUtf8 } from 'node:buffer'
import { posix } from 'node:path'
import { bytesFromText } from '../../base/text/byte-text.ts'
import type { Files } from '../../machine/system/system.ts'
import { followLinks } from './file-tree.ts'

/** Lines as Ruby's `readlines` cuts them: each with its end, bytes as characters (latin1), as no encoding fits all files. */
export type Lines = readonly string[]

/** The lines of a file; `undefined` where there is no regular file, a link followed. */
export async function readLines(files: Files, path: string): Promise<string[] | undefined> {
  return linesIn((await files.read(path))?.toString('latin1'))
}

/** The lines of a text. */
export function linesIn(text: string | undefined): string[] | undefined {
  return text?.match(/[^\n]*\n|[^\n]+/g) ?? (text === undefined ? undefined : [])
}

/** Replaces the content of a file with bytes (one character per byte). A symbolic link is followed, not replaced. */
export async function writeBytes(files: Files, path: string, bytes: string): Promise<void> {
  const end = await followLinks(files, path)
  if ((await files.stat(posix.dirname(end))) === undefined) throw noSuchFile(path)
  await files.write(end, Buffer.from(bytes, 'latin1'))
}

/** The lines, each with an end, as `puts` writes them. */
export function ended(lines: Lines): string {
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('')
}

/** The line without its end, as `chomp` takes it off. */
export function chomped(line: string): string {
  return line.replace(/(?:\r\n|\n|\r)$/, '')
}

/** The bytes of a text, each as a character. */
export function bytesOf(text: string): string {
  return bytesFromText(text).toString('latin1')
}

/** The text of bytes, each as a character, in UTF-8; throws what Ruby says where they are none. */
export function textOf(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1')
  if (!isUtf8(buffer)) throw new Error('invalid byte sequence in UTF-8')
  return buffer.toString()
}

/** Ruby's error of a file that cannot be opened as it is not there. */
export function noSuchFile(path: string): Error {
  return new Error(`No such file or directory @ rb_sysopen - ${path}`)
}
