import { hash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'

/** Returns the SHA-256 of a response in hexadecimal, which is the name of its file. */
export function computeAnswerDigest(answer: string): string {
  return hash('sha256', answer, 'hex')
}

/** Returns the folder that stores the responses to external requests of compilations. */
export function getAnswersFolder({ server_datadir }: { readonly server_datadir: string }): string {
  return join(server_datadir, 'answers')
}

/** Stores a response in a file whose name is the digest, unless the file exists. Blocks the thread. */
export function saveAnswer(folder: string, answer: string, now: Date): string {
  const digest = computeAnswerDigest(answer)
  const file = join(folder, `${digest}.json`)
  if (existsSync(file)) {
    utimesSync(file, now, now)
    return digest
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const written = `${file}.${randomUUID()}`
  try {
    writeFileSync(written, answer, { mode: 0o600, flag: 'wx' })
    utimesSync(written, now, now)
    renameSync(written, file)
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
  return digest
}

/**
 * Updates the last-use time of stored responses; returns false if a response is no longer stored.
 */
export function touchAnswers(folder: string, digests: readonly string[], now: Date): boolean {
  try {
    for (const digest of digests) utimesSync(join(folder, `${digest}.json`), now, now)
    return true
  } catch {
    return false
  }
}

/** Removes the least recently used responses if the total size of all responses exceeds the budget. */
export async function pruneAnswers(folder: string, most: number = budgets.store.keptAnswers.bound): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const files: { readonly path: string; readonly size: number; readonly used: number }[] = []
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) files.push({ path, size: found.size, used: found.mtimeMs })
  }
  files.sort((one, other) => other.used - one.used)
  let bytes = 0
  for (const { path, size } of files) {
    bytes += size
    if (bytes > most) await rm(path, { force: true })
  }
}
