import { createReadStream, lstatSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { digestParts, getDigestRecipe } from '../../base/bytes/digest.ts'
import { throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { localFiles } from '../../machine/system/files.ts'
import { moduleToolIssues as issues } from './issues.ts'

/**
 * Returns the files of a module that differ from its checksums.json, or from the checksums in an old metadata.json. Puppet:
 * module_tool/applications/checksummer.rb. Throws MODULE_NO_CHECKSUMS, and errors about JSON.
 */
export async function listChangedFiles(root: string): Promise<readonly string[]> {
  const changed: string[] = []
  for (const [path, digest] of Object.entries(await readChecksums(root))) {
    if (/(?:^|\/)checksums\.json$/.test(path)) continue
    if ((await computeMd5(root, path)) !== digest) changed.push(path)
  }
  return changed
}

async function readChecksums(root: string): Promise<Record<string, unknown>> {
  const own = await readJson(join(root, 'checksums.json'))
  if (own) return own
  const sums = (await readJson(join(root, 'metadata.json')))?.['checksums'] ?? undefined
  return sums === undefined ? throwIssue(issues.MODULE_NO_CHECKSUMS, {}) : checkJsonObject(sums, 'checksums')
}

async function readJson(file: string): Promise<Record<string, unknown> | undefined> {
  const { answer, answerItems } = budgets.module
  const bytes = await localFiles.readWithin(file, answer.bound)
  if (bytes === undefined) return undefined
  const bounds = { characters: answer.bound, items: answerItems.bound }
  return checkJsonObject(parseBoundedJson(Buffer.from(bytes).toString('utf8'), bounds), file)
}

/** The MD5 of a file in the module; undefined if it is missing, not a file, or outside the module. */
async function computeMd5(root: string, path: string): Promise<string | undefined> {
  if (path.includes('\0')) return undefined
  const file = resolve(root, path)
  if (!file.startsWith(`${resolve(root)}${sep}`)) return undefined
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  return digestParts(createReadStream(file), getDigestRecipe('md5'))
}
