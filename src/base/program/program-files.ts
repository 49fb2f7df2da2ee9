import { closeSync, cpSync, existsSync, fstatSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** True in the single executable, which contains the program's files. */
export const isSingleExecutable = isSea()

/**
 * Paths of these files are below the path of the executable. No file can have such a path, so nobody can replace a file
 * of the program.
 */
const archiveRoot = `${process.execPath}/`

/** Place of a file in the executable, in bytes. */
type Place = readonly [start: number, end: number]

/**
 * The executable as an open file. The program's files follow Node's program, which does not map them into memory; the
 * index of their paths and places follows them, then its length in four bytes.
 */
interface Archive {
  readonly descriptor: number
  readonly index: ReadonlyMap<string, Place>
}

/** Reads bytes of an open file from an offset until the buffer is full. */
export type ReadInto = <Bytes extends Uint8Array>(buffer: Bytes, start: number) => Bytes

/** Reads a file of the program. */
export function readProgramFile(file: URL | string): Buffer {
  return withProgramFile(file, (read, size) => read(Buffer.allocUnsafeSlow(size), 0))
}

/** Opens a file of the program for reads into existing memory, such as memory that threads share. */
export function withProgramFile<Result>(file: URL | string, work: (read: ReadInto, size: number) => Result): Result {
  const path = typeof file === 'string' ? file : fileURLToPath(file)
  if (isSingleExecutable && path.startsWith(archiveRoot)) {
    const { descriptor, start, end } = findArchived(path)
    return work((buffer, from) => readFully(descriptor, buffer, start + from), end - start)
  }
  const descriptor = openSync(path, 'r')
  try {
    return work((buffer, start) => readFully(descriptor, buffer, start), fstatSync(descriptor).size)
  } finally {
    closeSync(descriptor)
  }
}

/** Copies a folder of the program. */
export function copyProgramFolder(folder: string, target: string): void {
  if (!isSingleExecutable) {
    cpSync(folder, target, { recursive: true })
    return
  }
  const prefix = `${folder.slice(archiveRoot.length).replace(/\/$/, '')}/`
  archive ??= openArchive()
  for (const key of [...archive.index.keys()].filter((each) => each.startsWith(prefix))) {
    const path = join(target, key.slice(prefix.length))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, readProgramFile(archiveRoot + key))
  }
}

/** Returns a folder of the program on the disk, for other programs. The executable writes it to `target`. */
export function provideProgramFolder(folder: string, target: string): string {
  if (!isSingleExecutable) return folder
  copyProgramFolder(folder, target)
  return target
}

/** Returns the path of a file in a package that this program depends on. Throws MODULE_NOT_FOUND. */
export function resolveLibraryFile(name: string): string {
  return isSingleExecutable ? `${archiveRoot}node_modules/${name}` : createRequire(import.meta.url).resolve(name)
}

/** Throws an Error if the executable lacks the file. */
function findArchived(path: string) {
  archive ??= openArchive()
  const place = archive.index.get(path.slice(archiveRoot.length))
  if (!place) throw new Error(`The executable does not contain ${path}`)
  const [start, end] = place
  return { descriptor: archive.descriptor, start, end }
}

let archive: Archive | undefined

/** Opens the executable of this process, also after an upgrade replaced the file. */
function openArchive(): Archive {
  const descriptor = openSync(existsSync('/proc/self/exe') ? '/proc/self/exe' : process.execPath, 'r')
  const lengthStart = fstatSync(descriptor).size - 4
  const length = readFully(descriptor, Buffer.alloc(4), lengthStart).readUInt32LE()
  const index = readFully(descriptor, Buffer.alloc(length), lengthStart - length).toString()
  return { descriptor, index: new Map(Object.entries(JSON.parse(index) as Record<string, Place>)) }
}

function readFully<Bytes extends Uint8Array>(descriptor: number, buffer: Bytes, start: number): Bytes {
  for (let at = 0; at < buffer.length; ) {
    const read = readSync(descriptor, buffer, at, buffer.length - at, start + at)
    if (read === 0) throw new Error('the file is truncated')
    at += read
  }
  return buffer
}
