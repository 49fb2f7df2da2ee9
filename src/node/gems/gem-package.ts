import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { budgets } from '../../base/budgets/budgets.ts'
import { digestBytes } from '../../base/bytes/byte-digest.ts'
import { limitBytes } from '../../base/bytes/byte-limit.ts'
import { createPuppetError, isCatalogIssue, PuppetError, throwIssue } from '../../base/issue.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { parseYamlDocument } from '../../language/ruby-semantics/yaml/parse-yaml.ts'
import { listArchive, readArchive, toArchiveFile } from '../../machine/archive/archive.ts'
import { archiveIssues } from '../../machine/archive/issues.ts'
import { type GemSpecification, readGemMetadata } from './gem-metadata.ts'
import { gemIssues as issues } from './issues.ts'

/** The parts of a gem's file, which is a tar archive of compressed files. */
interface GemParts {
  readonly metadata: Buffer
  readonly checksums: Buffer | undefined
  /** SHA-256 of each part as it is in the archive. */
  readonly digests: ReadonlyMap<string, string>
}

const { metadata: mostMetadata, archive: mostPacked, bytes: mostBytes } = budgets.gem

/**
 * Unpacks the files of a gem into `folder`, which must not exist, and returns the description of the gem. The complete
 * archive is checked before a file is written. `scratch` is a folder for temporary files; `file` is the gem's name in
 * messages. Throws GEM_INVALID, GEM_CHECKSUM, GEM_TOO_LARGE.
 */
export async function unpackGem(
  path: string,
  folder: string,
  scratch: string,
  file: string,
): Promise<GemSpecification> {
  const data = join(scratch, `${basename(path)}.data`)
  try {
    const { metadata, checksums, digests } = await splitGem(path, file, data)
    await checkDigests(file, checksums, digests)
    const spec = parseMetadata(file, decodeLosslessUtf8(await gunzip(file, metadata)))
    if (!digests.has('data.tar.gz')) rejectGem(file, 'data.tar.gz is missing')
    await unpackFiles(data, folder)
    return spec
  } catch (error) {
    throw isCatalogIssue(error, archiveIssues)
      ? createPuppetError(issues.GEM_INVALID, { file, why: formatError(error) })
      : error
  }
}

function rejectGem(file: string, why: string): never {
  return throwIssue(issues.GEM_INVALID, { file, why })
}

function rejectSize(what: string, most: number): never {
  return throwIssue(issues.GEM_TOO_LARGE, { what, bytes: most })
}

/** Splits the archive: the files go to `data`, the other parts to memory. */
async function splitGem(path: string, file: string, data: string): Promise<GemParts> {
  const parts = new Map<string, Buffer>()
  const digests = new Map<string, string>()
  const readPart = async (name: string, content: Readable): Promise<void> => {
    if (!['metadata.gz', 'checksums.yaml.gz', 'data.tar.gz'].includes(name)) return void content.resume()
    if (digests.has(name)) rejectGem(file, `${name} occurs twice`)
    const sha256 = createHash('sha256')
    const isData = name === 'data.tar.gz'
    const most = isData ? mostPacked.bound : mostMetadata.bound
    const source = digestBytes(
      limitBytes(most, content, () => rejectSize(name, most)),
      sha256,
    )
    if (isData) await pipeline(source, createWriteStream(data, { flags: 'wx' }))
    else parts.set(name, await buffer(source))
    digests.set(name, sha256.digest('hex'))
  }
  const tar: Extract = extract()
  tar.on('entry', ({ name }, source, next) => {
    source.on('error', () => {})
    readPart(name, source as unknown as Readable).then(
      () => next(),
      (error: Error) => tar.destroy(error),
    )
  })
  try {
    await pipeline(createReadStream(path), tar as unknown as Transform)
  } catch (error) {
    throw error instanceof PuppetError
      ? error
      : createPuppetError(issues.GEM_INVALID, { file, why: formatError(error) })
  }
  return {
    metadata: parts.get('metadata.gz') ?? rejectGem(file, 'metadata.gz is missing'),
    checksums: parts.get('checksums.yaml.gz'),
    digests,
  }
}

async function gunzip(file: string, bytes: Buffer): Promise<Buffer> {
  const most = mostMetadata.bound
  try {
    const unpacked = createGunzip()
    unpacked.end(bytes)
    return await buffer(limitBytes(most, unpacked, () => rejectSize(file, most)))
  } catch (error) {
    throw error instanceof PuppetError
      ? error
      : createPuppetError(issues.GEM_INVALID, { file, why: formatError(error) })
  }
}

function parseMetadata(file: string, text: string): GemSpecification {
  const spec = parsePart(file, 'metadata.gz', () => readGemMetadata(text))
  return 'why' in spec ? rejectGem(file, spec.why) : spec
}

/** Parses a part of the gem, and adds the name of the gem to its errors. */
function parsePart<Result>(file: string, part: string, parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    return rejectGem(file, `${part}: ${formatError(error)}`)
  }
}

/** Compares the SHA-256 of the parts with those that the gem contains, if any. */
async function checkDigests(
  file: string,
  compressed: Buffer | undefined,
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  if (compressed === undefined) return
  const text = (await gunzip(file, compressed)).toString('utf8')
  const document = parsePart(file, 'checksums.yaml.gz', () => parseYamlDocument(text))
  const kinds = document?.kind === 'mapping' ? document.pairs : []
  const own = kinds.find(([key]) => key.kind === 'scalar' && key.value === 'SHA256')?.[1]
  for (const [key, value] of own?.kind === 'mapping' ? own.pairs : []) {
    if (key.kind !== 'scalar' || value.kind !== 'scalar') continue
    const actual = digests.get(key.value)
    if (actual !== undefined && actual !== value.value)
      throwIssue(issues.GEM_CHECKSUM, { file: key.value, expected: value.value, actual })
  }
}

/** Writes the files. The archive is read twice: first to check it, so that nothing of an unsafe archive is written. */
async function unpackFiles(data: string, folder: string): Promise<void> {
  const bounds = { packed: (await stat(data)).size, bytes: mostBytes.bound }
  const openData = () => createReadStream(data)
  await listArchive(openData, 'tarball', bounds)
  await mkdir(folder, { recursive: true })
  await readArchive(openData, bounds, async (header, content) => {
    const entry = toArchiveFile(header, 'tarball')
    if (typeof entry !== 'object') return void content.resume()
    const path = join(folder, entry.path)
    await mkdir(dirname(path), { recursive: true })
    if (entry.target === undefined) {
      const file = await open(path, 'wx', entry.mode === '100755' ? 0o755 : 0o644)
      await pipeline(content, file.createWriteStream())
    } else {
      content.resume()
      await symlink(entry.target, path)
    }
  })
}
