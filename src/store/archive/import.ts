import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { SubmittedCommand } from '../node-store.ts'
import { archiveFolder, archiveParts, commandVersions, metadataFile } from './names.ts'

/** Errors of an archive import. */
export const archiveIssues = defineIssues({
  ARCHIVE_METADATA: {
    text: () => `Unable to find export metadata file '${archiveFolder}/${metadataFile}' in archive`,
    hint: () =>
      "Give an archive of 'puppet-db export FILE' or /pdb/admin/v1/archive. The metadata file must be its first entry.",
  },
  ARCHIVE_BROKEN: { text: (a: { why: string }) => `Could not read the archive: ${a.why}` },
  ARCHIVE_TOO_LARGE: {
    text: (a: { name: string; bytes: number }) =>
      `The archive contains a file of ${a.bytes} bytes, which exceeds the limit: ${a.name}`,
  },
})

type Versions = Readonly<Partial<Record<keyof typeof commandVersions, number>>>

/**
 * Submits the commands in an archive that PuppetDB exported, and returns their number. Other files
 * in the archive are ignored. Throws ARCHIVE_….
 */
export async function importStoreArchive(
  archive: AsyncIterable<Uint8Array>,
  submit: (command: SubmittedCommand) => Promise<unknown>,
): Promise<number> {
  const entries = extract()
  const gunzip = createGunzip()
  const unpacked = pipeline(Readable.from(archive), gunzip, entries as unknown as NodeJS.WritableStream)
  unpacked.catch(() => {})
  let versions: Versions | undefined
  let commands = 0
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      const content =
        type === 'file' ? await readEntryContent(entry as AsyncIterable<Uint8Array>, entry.header) : undefined
      if (content === undefined) entry.resume()
      else if (name === `${archiveFolder}/${metadataFile}`) versions = parseVersions(content)
      else {
        const command = parseArchiveCommand(name, content, versions)
        if (command) commands++
        if (command) await submit(command)
      }
    }
    await unpacked
  } catch (error) {
    gunzip.destroy()
    await unpacked.catch(() => {})
    if (!isTarError(error)) throw error
    throwIssue(archiveIssues.ARCHIVE_BROKEN, { why: error.message })
  }
  if (!versions) throwIssue(archiveIssues.ARCHIVE_METADATA, {})
  return commands
}

/** True for an error from zlib or from the tar reader. */
function isTarError(error: unknown): error is Error {
  const { code, message } = error as NodeJS.ErrnoException
  return (code?.startsWith('Z_') ?? false) || /tar header|Unexpected end of data|Size mismatch/.test(message)
}

async function readEntryContent(entry: AsyncIterable<Uint8Array>, { name, size = 0 }: Header): Promise<Buffer> {
  if (size > budgets.request.commandBody.bound) throwIssue(archiveIssues.ARCHIVE_TOO_LARGE, { name, bytes: size })
  return buffer(entry)
}

function parseVersions(content: Buffer): Versions {
  try {
    const { command_versions: versions } = JSON.parse(content.toString()) as { readonly command_versions?: unknown }
    if (typeof versions === 'object' && versions !== null) return versions as Versions
  } catch {
    // Invalid JSON is treated like missing versions.
  }
  return throwIssue(archiveIssues.ARCHIVE_METADATA, {})
}

function parseArchiveCommand(
  path: string,
  payload: Buffer,
  versions: Versions | undefined,
): SubmittedCommand | undefined {
  const [root, folder, file, ...more] = path.split('/')
  const part = archiveParts.find((each) => each.folder === folder)
  if (root !== archiveFolder || !part || file === undefined || more.length > 0) return undefined
  const [, certname] = (part.hasDigest ? /^(.*)-[0-9A-Fa-f]{40}\.json$/s : /^(.*)\.json$/s).exec(file) ?? []
  if (certname === undefined) return undefined
  const version = (versions ?? throwIssue(archiveIssues.ARCHIVE_METADATA, {}))[part.word]
  return { name: part.command, version: Number(version ?? commandVersions[part.word]), certname, payload }
}
