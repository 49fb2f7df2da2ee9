import { createHash } from 'node:crypto'
import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { bundleIssues } from './issues.ts'
import { type BundleManifest, type BundleMember, listBundleMembers, parseBundleManifest } from './manifest.ts'
import { createPadding, decodeTarHeader, encodeTarHeader, headerBytes, tarEnd } from './tar-blocks.ts'

/** The first part of a bundle. */
export interface BundleHead {
  /** The signature of the manifest; empty for an unsigned bundle. */
  readonly signature: string
  readonly manifest: BundleManifest
  /** The manifest as it was signed. */
  readonly text: string
}

/** Callbacks for the parts of a bundle. */
export interface BundleVisitor {
  /** Receives the first part before any file is read; throws to reject the bundle. */
  head(head: BundleHead): void
  /** Receives the bytes of a file. They are not verified until the function has read all of them. */
  member(member: BundleMember, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

/** Names of the members before the files. */
const [signaturePath, manifestPath] = ['signature.jws', 'manifest.json'] as const

/**
 * Reads a bundle from its bytes. A manifest has only one archive: each header, file and padding is compared with the manifest,
 * so that a change of any byte is found, and links or further files cannot occur. Throws BUNDLE_MALFORMED, BUNDLE_VERSION, and
 * errors of the visitor.
 */
export async function readBundle(bytes: AsyncIterable<Uint8Array>, visitor: BundleVisitor): Promise<BundleHead> {
  const reader = new BundleBytes(bytes)
  try {
    const head = await readHead(reader)
    visitor.head(head)
    for (const member of listBundleMembers(head.manifest)) await readMember(reader, member, visitor)
    await reader.expect(tarEnd, 'its end')
    await reader.end()
    return head
  } finally {
    await reader.close()
  }
}

/** Reads only the first part of a bundle. Throws BUNDLE_MALFORMED, BUNDLE_VERSION. */
export async function readBundleHead(bytes: AsyncIterable<Uint8Array>): Promise<BundleHead> {
  const reader = new BundleBytes(bytes)
  try {
    return await readHead(reader)
  } finally {
    await reader.close()
  }
}

/** Yields the bytes of a bundle. `open` opens a file of the manifest. */
export async function* writeBundle(
  manifest: string,
  signature: string,
  open: (member: BundleMember) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const [path, text] of [
    [signaturePath, signature],
    [manifestPath, manifest],
  ] as const) {
    const bytes = Buffer.from(text)
    yield Buffer.concat([encodeTarHeader(path, bytes.length), bytes, createPadding(bytes.length)])
  }
  for (const member of listBundleMembers(parseBundleManifest(manifest))) {
    yield encodeTarHeader(member.path, member.size)
    yield* open(member)
    yield createPadding(member.size)
  }
  yield tarEnd
}

async function readHead(reader: BundleBytes): Promise<BundleHead> {
  const signature = await readText(reader, signaturePath, budgets.node.signature.bound)
  const text = await readText(reader, manifestPath, budgets.bundle.manifest.bound)
  return { signature, text, manifest: parseBundleManifest(text) }
}

async function readText(reader: BundleBytes, path: string, maxBytes: number): Promise<string> {
  const size = decodeTarHeader(await reader.take(headerBytes), path)
  if (size === undefined) return rejectBundle(`the header of ${path} is invalid`)
  if (size > maxBytes) return rejectBundle(`${path} exceeds ${maxBytes} bytes`)
  const bytes = await reader.take(size)
  await reader.expect(createPadding(size), `the padding of ${path}`)
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : rejectBundle(`${path} is not UTF-8`)
}

async function readMember(reader: BundleBytes, member: BundleMember, visitor: BundleVisitor): Promise<void> {
  const { path, size, sha256 } = member
  await reader.expect(encodeTarHeader(path, size), `the header of ${path}`)
  const hash = createHash('sha256')
  await visitor.member(member, reader.stream(size, hash))
  if (hash.digest('hex') !== sha256) rejectBundle(`the digest of ${path} does not match`)
  await reader.expect(createPadding(size), `the padding of ${path}`)
}

/** Reads exact numbers of bytes from chunks. */
class BundleBytes {
  readonly #chunks: AsyncIterator<Uint8Array>
  #pending: Uint8Array = new Uint8Array()

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** Returns exactly this number of bytes. */
  async take(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.stream(size)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** Yields exactly this number of bytes, and adds them to the digest. */
  async *stream(size: number, hash?: { update(bytes: Uint8Array): unknown }): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0; ) {
      const chunk = await this.#next()
      if (chunk === undefined) return rejectBundle('it is truncated')
      const part = chunk.subarray(0, left)
      this.#pending = chunk.subarray(part.length)
      left -= part.length
      hash?.update(part)
      yield part
    }
  }

  /** Reads bytes that must be these. */
  async expect(bytes: Buffer, what: string): Promise<void> {
    if (!(await this.take(bytes.length)).equals(bytes)) rejectBundle(`${what} is invalid`)
  }

  /** Checks that no bytes are left. */
  async end(): Promise<void> {
    if ((await this.#next()) !== undefined) rejectBundle('bytes follow its end')
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** Returns the next bytes, which stay pending until the caller replaces `#pending`. */
  async #next(): Promise<Uint8Array | undefined> {
    while (this.#pending.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done) return undefined
      this.#pending = value
    }
    return this.#pending
  }
}

function rejectBundle(why: string): never {
  return throwIssue(bundleIssues.BUNDLE_MALFORMED, { why })
}
