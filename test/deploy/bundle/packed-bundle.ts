import { createHash } from 'node:crypto'
import { type BundleHead, readBundle, writeBundle } from '../../../src/deploy/bundle/bundle-archive.ts'
import {
  type BundleFile,
  type BundleManifest,
  codePath,
  formatBundleManifest,
  listBundleMembers,
  toCatalogMember,
  toGemMember,
} from '../../../src/deploy/bundle/manifest.ts'

/** The files of a bundle to pack. */
const files = { code: '# v2 git bundle\n', gem: 'a gem'.repeat(200), catalog: '{"name":"web1.test"}' }

/** Size and digest of a text. */
export function fileOf(text: string): BundleFile {
  return { size: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

/** A manifest of one environment, one gem and one catalog. */
export const manifest: BundleManifest = {
  created: '2026-11-23T10:00:00.000Z',
  objectFormat: 'sha1',
  since: ['1'.repeat(40)],
  environments: [{ name: 'production', ref: 'refs/heads/production', commit: 'a'.repeat(40), codeId: 'b'.repeat(40) }],
  code: fileOf(files.code),
  gems: [{ name: 'toml-rb-2.2.0.gem', ...fileOf(files.gem) }],
  catalogs: [{ node: 'web1.test', environment: 'production', ...fileOf(files.catalog) }],
}

/** The content of each file by its path. */
export const contents: ReadonlyMap<string, string> = new Map([
  [codePath, files.code],
  [toGemMember(fileOf(files.gem)).path, files.gem],
  [toCatalogMember(fileOf(files.catalog)).path, files.catalog],
])

/** Packs the bundle of the manifest. */
export async function packBundle(signature = ''): Promise<Buffer> {
  const open = ({ path }: { readonly path: string }) => chunksOf(Buffer.from(contents.get(path)!), 100)
  const parts: Uint8Array[] = []
  for await (const part of writeBundle(formatBundleManifest(manifest), signature, open)) parts.push(part)
  return Buffer.concat(parts)
}

/** A bundle as it was read: its head, and the content of each file. */
export interface ReadBundle extends BundleHead {
  readonly read: ReadonlyMap<string, string>
}

/** Reads a bundle from chunks of this size. */
export async function unpack(bytes: Uint8Array, chunkBytes = 1000): Promise<ReadBundle> {
  const read = new Map<string, string>()
  const head = await readBundle(chunksOf(bytes, chunkBytes), {
    head: () => {},
    async member({ path }, content) {
      const parts: Uint8Array[] = []
      for await (const part of content) parts.push(part)
      read.set(path, Buffer.concat(parts).toString())
    },
  })
  return { ...head, read }
}

/** Number of files in the manifest. */
export const memberCount: number = listBundleMembers(manifest).length

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
