import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { digestParts, getDigestRecipe } from '../../base/bytes/digest.ts'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject, checkJsonString, toJsonRecord } from '../../base/json/json-checks.ts'
import { getSystemErrorCode, ignoreMissingFile } from '../../base/system-error.ts'
import { readBoundedFile } from '../../machine/system/bounded-file.ts'
import { removeOldestFiles } from '../../machine/system/file-pruning.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { DownloadedArchive } from '../modules/download.ts'
import { moduleIssues } from '../modules/issues.ts'

/** A downloaded release: its metadata.json, and its archive. */
export interface CachedRelease {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly archive: string
  readonly sha256: string
}

/** Permissions of cached files. */
const fileMode = 0o600

/**
 * Archives of one Forge that were downloaded on this machine, with their metadata. The oldest ones are removed beyond
 * the limit.
 */
export class ReleaseCache {
  readonly folder: string

  /** `url` is the address of the Forge. */
  constructor(vardir: string, url: string) {
    this.folder = join(vardir, 'module-cache', createHash('sha256').update(url).digest('hex').slice(0, 16))
  }

  /** Adds a release, whose name and version are safe in a file name. */
  async keep(name: string, metadata: CachedRelease['metadata'], { open, sha256 }: DownloadedArchive): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const path = join(this.folder, name)
    await localFiles.write(`${path}.tar.gz`, open(), fileMode)
    await localFiles.write(`${path}.json`, JSON.stringify({ sha256, metadata }), fileMode)
    await removeOldestFiles(this.folder, budgets.module.cachedFiles.bound)
  }

  /** Lists the releases of a module. Damaged entries are left out. */
  async list(slug: string): Promise<readonly CachedRelease[]> {
    const found: CachedRelease[] = []
    for (const name of (await ignoreMissingFile(readdir(this.folder)))?.sort() ?? [])
      if (name.startsWith(`${slug}-`) && name.endsWith('.json')) {
        const release = await this.#read(name.slice(0, -'.json'.length))
        if (release) found.push(release)
      }
    return found
  }

  async #read(name: string): Promise<CachedRelease | undefined> {
    const { answer, answerItems } = budgets.module
    try {
      const text = (await readBoundedFile(join(this.folder, `${name}.json`), answer.bound)).toString('utf8')
      const found = checkJsonObject(
        parseBoundedJson(text, { characters: answer.bound, items: answerItems.bound }),
        'a cached release',
      )
      const sha256 = checkJsonString(found['sha256'], 'sha256')
      return { metadata: toJsonRecord(found['metadata']), archive: join(this.folder, `${name}.tar.gz`), sha256 }
    } catch (error) {
      const isDamaged = error instanceof PuppetError || error instanceof SyntaxError
      if (isDamaged || getSystemErrorCode(error) !== undefined) return undefined
      throw error
    }
  }
}

/** Throws MODULE_CHECKSUM if a cached archive has changed. */
export async function verifyCachedArchive({ archive, sha256: expected }: CachedRelease): Promise<void> {
  const actual = await digestParts(createReadStream(archive), getDigestRecipe('sha256'))
  if (actual !== expected) throwIssue(moduleIssues.MODULE_CHECKSUM, { kind: 'SHA-256', expected, actual })
}
