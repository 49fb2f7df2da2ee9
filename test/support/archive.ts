import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'

/** An entry of an archive: a file's text or bytes, or any header of tar with a content. */
export type ArchiveEntry = string | Uint8Array | (Partial<Header> & { readonly content?: string | Uint8Array })

/** Entries in their order: paths may come twice, lead out, or be anything else. */
export type ArchiveEntries = Readonly<Record<string, ArchiveEntry>> | readonly (readonly [string, ArchiveEntry])[]

/** An archive of tar, as bytes. */
export async function tarOf(entries: ArchiveEntries): Promise<Buffer> {
  const archive = pack()
  const list = Array.isArray(entries) ? entries : Object.entries(entries)
  for (const [name, entry] of list as readonly (readonly [string, ArchiveEntry])[]) {
    const isPlain = typeof entry === 'string' || entry instanceof Uint8Array
    const { content = '', ...header } = isPlain ? { content: entry } : entry
    const bytes = Buffer.from(content as Uint8Array)
    const all = { mode: 0o644, mtime: new Date(0), ...header, name }
    const isFile = all.type === undefined || all.type === 'file' || all.type === 'contiguous-file'
    if (isFile) archive.entry({ size: bytes.length, ...all }, bytes)
    else archive.entry(all)
  }
  archive.finalize()
  const pieces: Buffer[] = []
  for await (const piece of archive as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The same, compressed. */
export async function tgzOf(entries: ArchiveEntries): Promise<Buffer> {
  return gzipSync(await tarOf(entries))
}

/** The files of a module by path, with a metadata.json, below one folder as the Forge packs them. */
export function packedModule(
  slug: string,
  version: string,
  files: Readonly<Record<string, ArchiveEntry>>,
  metadata: Readonly<Record<string, unknown>> = {},
): ArchiveEntries {
  const top = `${slug}-${version}`
  const about = {
    name: slug,
    version,
    author: slug.split('-')[0],
    license: 'Apache-2.0',
    dependencies: [],
    ...metadata,
  }
  return [
    [`${top}/`, { type: 'directory', mode: 0o755 }],
    [`${top}/metadata.json`, `${JSON.stringify(about, undefined, 2)}\n`],
    ...Object.entries(files).map(([path, entry]) => [`${top}/${path}`, entry] as const),
  ]
}
