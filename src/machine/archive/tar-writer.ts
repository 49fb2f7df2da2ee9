import { defineIssues, throwIssue } from '../../base/issue.ts'

/** A file or folder of an archive. */
export interface TarEntry {
  /** Path with `/` between names and no leading `/`. */
  readonly path: string
  readonly mode: number
  /** The content of a file; undefined for a folder. */
  readonly content: Uint8Array | undefined
}

const issues = defineIssues({
  TAR_PATH_LENGTH: {
    text: (a: { path: string }) => `The path '${a.path}' is too long for a tar archive`,
    hint: () => 'A tar archive has at most 100 bytes for a name and 155 bytes for its directory.',
  },
})

const blockBytes = 512
const nameBytes = 100
const prefixBytes = 155

/**
 * Formats a tar archive (POSIX ustar) whose bytes depend only on its entries: all belong to root, and have the time
 * `mtime` in seconds. Throws TAR_PATH_LENGTH.
 */
export function formatTar(entries: readonly TarEntry[], mtime: number): Buffer {
  const blocks = entries.flatMap((entry) => {
    const { content } = entry
    if (!content) return [formatHeader(entry, mtime)]
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
    return [formatHeader(entry, mtime), content, padding]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

function formatHeader({ path, mode, content }: TarEntry, mtime: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const [prefix, name] = splitPath(content ? path : `${path}/`)
  header.write(name, 0)
  writeOctal(header, mode, 100, 8)
  writeOctal(header, 0, 108, 8)
  writeOctal(header, 0, 116, 8)
  writeOctal(header, content?.length ?? 0, 124, 12)
  writeOctal(header, mtime, 136, 12)
  header.write(content ? '0' : '5', 156)
  header.write('ustar\x0000', 257)
  header.write('root', 265)
  header.write('root', 297)
  writeOctal(header, 0, 329, 8)
  writeOctal(header, 0, 337, 8)
  header.write(prefix, 345)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function writeOctal(header: Buffer, value: number, at: number, length: number): void {
  header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
}

/** Splits a path at a `/`, so that both parts fit into their fields. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= nameBytes) return ['', path]
  for (let at = path.indexOf('/'); at !== -1 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= nameBytes && Buffer.byteLength(prefix) <= prefixBytes) return [prefix, name]
  }
  return throwIssue(issues.TAR_PATH_LENGTH, { path })
}
