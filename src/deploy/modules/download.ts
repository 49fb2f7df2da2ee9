import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { digestBytes } from '../../base/bytes/byte-digest.ts'
import { limitBytes } from '../../base/bytes/byte-limit.ts'
import { throwIssue } from '../../base/issue.ts'
import type { OpenArchive } from '../../machine/archive/archive.ts'
import { moduleIssues as issues } from './issues.ts'
import type { ModuleWeb } from './module-http-client.ts'

/** An archive to download, and its expected digests. */
export interface ModuleDownload {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly sha256: string | undefined
  readonly md5: string | undefined
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** A downloaded archive. Its file is deleted after processing. */
export interface DownloadedArchive {
  readonly open: OpenArchive
  readonly bytes: number
  readonly sha256: string
}

/**
 * Downloads an archive into a private file, verifies its digests, processes it, and deletes it. If
 * two digests are given, both must match. Throws MODULE_CHECKSUM, MODULE_TOO_LARGE, and download
 * errors.
 */
export async function withDownload<Result>(
  web: ModuleWeb,
  order: ModuleDownload,
  work: (archive: DownloadedArchive) => Promise<Result>,
): Promise<Result> {
  const { url, headers, maxBytes, signal } = order
  const folder = await mkdtemp(join(tmpdir(), 'plumb-module-'))
  try {
    const file = join(folder, 'archive')
    const { body } = await web.stream(url, headers, signal)
    const [sha256, md5] = [createHash('sha256'), createHash('md5')]
    const throwTooLarge = () =>
      throwIssue(issues.MODULE_TOO_LARGE, { what: 'bytes', bound: maxBytes, setting: 'max_module_archive_bytes' })
    const output = createWriteStream(file, { mode: 0o600, flags: 'wx' })
    await pipeline(digestBytes(limitBytes(maxBytes, body, throwTooLarge), sha256, md5), output, { signal })
    const digests = { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
    checkDigest('SHA-256', order.sha256, digests.sha256)
    checkDigest('MD5', order.md5, digests.md5)
    return await work({ open: () => createReadStream(file), bytes: output.bytesWritten, sha256: digests.sha256 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function checkDigest(kind: string, expected: string | undefined, actual: string): void {
  if (expected !== undefined && expected !== actual) throwIssue(issues.MODULE_CHECKSUM, { kind, expected, actual })
}
