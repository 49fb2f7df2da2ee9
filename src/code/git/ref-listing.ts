import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { isIssue, throwIssue } from '../../base/issue.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { trimTrailing } from '../../base/text/trailing-characters.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { CatFile } from './cat-file.ts'
import { type GitPlace, openGitOutput } from './git-command.ts'
import type { Refs } from './git-object-source.ts'
import { gitIssues } from './issues.ts'
import { findFirstUnreadable, findUnreadableObjectFile } from './unreadable-paths.ts'

const most = budgets.environment.refs.bound

/**
 * Lists the refs with a prefix and their commits. Each object is read by a separate request, so
 * that a missing object affects only its own ref. Throws GIT_FORBIDDEN if no ref is readable, and
 * GIT_NO_REPOSITORY if the repository disappears during the listing: git reports no error then, and
 * lists fewer refs or none.
 */
export async function listRefs(place: GitPlace, prefix: string, objects: CatFile): Promise<Refs> {
  const { oids, complaints, isWhole } = await listRefIds(place, prefix)
  const { gitDir } = place
  if (await isRepositoryMissing(gitDir)) throwIssue(gitIssues.GIT_NO_REPOSITORY, { path: gitDir })
  const commits = new Map<string, string>()
  const broken = new Map<string, string>()
  for (const [name, why] of complaints) broken.set(name, (await findUnreadableReason(gitDir, name)) ?? why)
  const readCommit = async ({ name, oid }: NamedOid): Promise<string | undefined> => {
    try {
      return (await objects.ask(`${oid}^{commit}`))?.oid
    } catch (error) {
      broken.set(name, getUnreadableReason(error))
      return undefined
    }
  }
  let left = oids
  for (const isLast of [false, true]) {
    const answers = await Promise.all(
      await mapCooperatively(left, async (each) => [each, await readCommit(each)] as const),
    )
    for (const [{ name }, commit] of answers) if (commit !== undefined) commits.set(name, commit)
    left = left.filter(({ name }) => !commits.has(name) && !broken.has(name))
    if (left.length === 0) break
    // A child process may not see packs created after its start.
    if (!isLast) await objects.renew()
  }
  for (const { name, oid } of left) broken.set(name, await findMissingCommitReason(oid, objects, gitDir))
  if (isWhole) await addUnlistedRefs(gitDir, prefix, { commits, broken })
  return { commits, broken, isWhole }
}

function isRepositoryMissing(gitDir: string): Promise<boolean> {
  return lstat(join(gitDir, 'HEAD')).then(
    () => false,
    (error) => getSystemErrorCode(error) === 'ENOENT',
  )
}

/** Adds broken refs that git skips without a message. */
async function addUnlistedRefs(
  gitDir: string,
  prefix: string,
  { commits, broken }: Record<'commits' | 'broken', Map<string, string>>,
) {
  const { names, forbidden } = await listLooseRefs(gitDir, prefix)
  for (const name of names) if (!commits.has(name) && !broken.has(name)) broken.set(name, 'it points to no object')
  for (const folder of forbidden) {
    const error = await findFirstUnreadable([join(gitDir, folder)])
    // An unreadable folder is an error: otherwise, all refs in it would seem to be deleted.
    if (error && prefix.startsWith(folder)) throw error
    if (error) broken.set(folder, error.message)
  }
}

/** Returns the reason why an object could not be read; rethrows other errors. */
function getUnreadableReason(error: unknown): string {
  if (!isIssue(error, gitIssues.GIT_FORBIDDEN, gitIssues.GIT_OBJECT_CORRUPT)) throw error
  return error.message
}

async function findUnreadableReason(gitDir: string, name: string): Promise<string | undefined> {
  return (await findFirstUnreadable([join(gitDir, name)]))?.message
}

interface NamedOid {
  readonly name: string
  readonly oid: string
}

async function listRefIds(place: GitPlace, prefix: string) {
  const oids: NamedOid[] = []
  let complaints: (readonly [string, string])[] = []
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', '--', prefix]
  const output = await openGitOutput(place, args, { complaints: (said) => (complaints = parseBrokenRefs(said)) })
  let rest = ''
  let isWhole = true
  for await (const chunk of output) {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const space = line.indexOf(' ')
      if (space > 0) oids.push({ oid: line.slice(0, space), name: line.slice(space + 1) })
    }
    isWhole = oids.length <= most
    if (!isWhole) break
  }
  return { oids: oids.slice(0, most), complaints, isWhole }
}

/** Parses `warning: ignoring broken ref NAME` and `warning: ignoring ref with broken name NAME`. */
function parseBrokenRefs(said: string): (readonly [name: string, why: string])[] {
  return said.split('\n').flatMap((line) => {
    const [, what, name] = /^warning: ignoring (broken ref|dangling symref|ref with broken name) (.+)$/.exec(line) ?? []
    return what === undefined || name === undefined ? [] : [[name, `it is a ${what}`] as const]
  })
}

async function findMissingCommitReason(oid: string, objects: CatFile, gitDir: string): Promise<string> {
  const found = await objects.ask(oid)
  if (!found) return (await findUnreadableObjectFile(gitDir, oid))?.message ?? `there is no object ${oid}`
  return found.type === 'tag'
    ? `the tag ${oid} does not resolve to a commit`
    : `${oid} is a ${found.type}, not a commit`
}

interface LooseRefs {
  readonly names: readonly string[]
  /** Folders that this process may not read. */
  readonly forbidden: readonly string[]
}

/**
 * Finds loose refs that git skips without a message, such as circular symbolic refs, and unreadable
 * folders.
 */
async function listLooseRefs(gitDir: string, prefix: string): Promise<LooseRefs> {
  const names: string[] = []
  const forbidden: string[] = []
  const folders = [trimTrailing(prefix, '/')]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const path = folder
    const entries = await readdir(join(gitDir, path), { withFileTypes: true }).catch((error) => {
      if (getSystemErrorCode(error) === 'EACCES') forbidden.push(path)
      return []
    })
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(`${path}/${entry.name}`)
      else if (entry.isFile() && !entry.name.endsWith('.lock')) names.push(`${path}/${entry.name}`)
    }
  }
  return { names, forbidden }
}
