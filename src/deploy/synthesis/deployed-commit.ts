import { throwIssue } from '../../base/issue.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { SourceSpan } from '../../base/source.ts'
import { type GitPlace, runGit } from '../../code/git/git-command.ts'
import { writeObject } from '../../code/git/object-writer.ts'
import { checkOid } from '../../code/git/ref-names.ts'
import { synthesisIssues } from './issues.ts'
import { insertModuleTrees } from './module-trees.ts'
import { formatLock, type Lock, type LockEntry, lockName } from './puppetfile-lock.ts'

/** Prefix of the last line of a synthesized commit's message, which names its source commit. */
const trailer = 'Plumb-Source: '

/**
 * Writes a commit with a branch's files and its modules. The same commit and modules give the same
 * id on any machine: the parent is the branch's commit, which also provides author and times. Its
 * Puppetfile.lock records the modules. Throws as `insertModuleTrees` does, with the line of the Puppetfile
 * if known.
 */
export async function writeDeployedCommit(
  place: GitPlace,
  commit: string,
  lock: Lock,
  placeOf: (path: string) => SourceSpan | undefined = () => undefined,
): Promise<string> {
  const text = formatLock(lock)
  const file = { mode: '100644', type: 'blob', oid: await writeObject(place, 'blob', text), name: lockName }
  const grafts = lock.modules.map(({ title, path, tree }) => ({ title, path, tree, span: placeOf(path) }))
  const tree = await insertModuleTrees(place, { commit, grafts, file })
  return writeObject(place, 'commit', formatCommit(tree, commit, await readCommit(place, commit), lock))
}

/** Cached source commits, which never change and are read several times in each deployment. */
const knownSources = createGrowingLru<{ readonly source: string | undefined }>(10_000)

/** Returns the source of a synthesized commit; `undefined` for other commits. */
export async function getSourceCommit(place: GitPlace, commit: string): Promise<string | undefined> {
  const known = knownSources.get(commit) ?? { source: await readSourceCommit(place, commit) }
  knownSources.set(commit, known)
  return known.source
}

async function readSourceCommit(place: GitPlace, commit: string): Promise<string | undefined> {
  const { headers, message } = await readCommit(place, commit)
  const parent = headers.find((line) => line.startsWith('parent '))?.slice('parent '.length)
  const last = message.trimEnd().split('\n').at(-1)
  return parent !== undefined && last === `${trailer}${parent}` ? parent : undefined
}

/** A commit object, decoded as Latin-1. */
interface CommitObject {
  readonly headers: readonly string[]
  readonly message: string
}

async function readCommit(place: GitPlace, commit: string): Promise<CommitObject> {
  const text = (await runGit(place, ['cat-file', 'commit', checkOid(commit)])).toString('latin1')
  const end = text.indexOf('\n\n')
  if (end < 0) throwIssue(synthesisIssues.COMMIT_UNREADABLE, { commit })
  return { headers: text.slice(0, end).split('\n'), message: text.slice(end + 2) }
}

const ourselves = 'Plumbline <plumbline@localhost>'
const epoch = '0 +0000'

function formatCommit(tree: string, parent: string, { headers, message }: CommitObject, lock: Lock): Buffer {
  const getSignature = (name: string) => {
    const line = headers.find((each) => each.startsWith(`${name} `)) ?? ''
    return /^\w+ ([^<>\0]*<[^<>\0]*>) (\d{1,12} [+-]\d{4})$/.exec(line) ?? ['', ourselves, epoch]
  }
  const [, author, authored] = getSignature('author')
  const [, , committed] = getSignature('committer')
  const encoding = headers.filter((line) => line.startsWith('encoding '))
  const count = lock.modules.length
  const lines = [
    `tree ${tree}`,
    `parent ${parent}`,
    `author ${author} ${authored}`,
    `committer ${ourselves} ${committed}`,
    ...encoding,
    '',
    message.split('\n', 1)[0]!,
    '',
    `With ${count} ${count === 1 ? 'module' : 'modules'} from its Puppetfile:`,
    '',
    ...lock.modules.map(formatModuleLine),
    '',
    `${trailer}${parent}`,
    '',
  ]
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** Returns a module's line in the commit message; the complete entry is in the lock, in UTF-8. */
function formatModuleLine({ path, resolved }: LockEntry): string {
  return Buffer.from(`  ${path} ${resolved}`.replace(/[\0-\x1f\x7f]/g, '?')).toString('latin1')
}
