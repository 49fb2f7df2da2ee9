import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../base/budgets.ts'
import { mapInTurns } from '../base/in-turns.ts'
import type { CatFile } from './cat-file.ts'
import { type GitPlace, openGitOutput } from './git-command.ts'
import type { Refs } from './git-object-source.ts'

const most = budgets.environment.refs.bound

/**
 * Asks git for the refs below a prefix and the commits that they stand for. No object is looked at but by a question of
 * its own, so that a ref to one that is missing is said of that ref only.
 */
export async function listRefs(place: GitPlace, prefix: string, objects: CatFile): Promise<Refs> {
  const { oids, complaints, isWhole } = await namedOids(place, prefix)
  const commits = new Map<string, string>()
  const broken = new Map(complaints)
  let left = oids
  for (const isLast of [false, true]) {
    const asked = await mapInTurns(left, async (each) => [each, await objects.ask(`${each.oid}^{commit}`)] as const)
    const answers = await Promise.all(asked)
    for (const [{ name }, answer] of answers) if (answer) commits.set(name, answer.oid)
    left = answers.flatMap(([each, answer]) => (answer ? [] : [each]))
    if (left.length === 0) break
    // A child may not see packs that came after it was born.
    if (!isLast) await objects.renew()
  }
  for (const { name, oid } of left) broken.set(name, await whyNoCommit(oid, objects))
  if (isWhole)
    for (const name of await looseRefs(place.gitDir, prefix))
      if (!commits.has(name) && !broken.has(name)) broken.set(name, 'it leads to nothing')
  return { commits, broken, isWhole }
}

interface NamedOid {
  readonly name: string
  readonly oid: string
}

async function namedOids(place: GitPlace, prefix: string) {
  const oids: NamedOid[] = []
  let complaints: (readonly [string, string])[] = []
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', '--', prefix]
  const output = await openGitOutput(place, args, { complaints: (said) => (complaints = brokenRefs(said)) })
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

/** `warning: ignoring broken ref NAME`, `warning: ignoring ref with broken name NAME`. */
function brokenRefs(said: string): (readonly [name: string, why: string])[] {
  return said.split('\n').flatMap((line) => {
    const [, what, name] = /^warning: ignoring (broken ref|dangling symref|ref with broken name) (.+)$/.exec(line) ?? []
    return what === undefined || name === undefined ? [] : [[name, `it is a ${what}`] as const]
  })
}

async function whyNoCommit(oid: string, objects: CatFile): Promise<string> {
  const found = await objects.ask(oid)
  if (!found) return `there is no object ${oid}`
  return found.type === 'tag' ? `the tag ${oid} leads to no commit` : `${oid} is a ${found.type}, not a commit`
}

/** Refs that are files of their own, those among them that git passes over without a word: symbolic ones in a circle. */
async function looseRefs(gitDir: string, prefix: string): Promise<readonly string[]> {
  const folder = join(gitDir, prefix)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath, entry.name).slice(gitDir.length + 1))
}
