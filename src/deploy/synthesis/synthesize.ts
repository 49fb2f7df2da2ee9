import { growingLru } from '../../base/growing-lru.ts'
import { fail } from '../../base/issue.ts'
import type { Span } from '../../base/source.ts'
import { type GitPlace, git } from '../../code/git/git-command.ts'
import { checkedOid } from '../../code/git/names.ts'
import { writeObject } from '../../code/git/write-objects.ts'
import { graftTrees } from './graft-trees.ts'
import { synthesisIssues } from './issues.ts'
import { type Lock, type LockEntry, lockName, lockText } from './lock.ts'

/** The last line of a synthesized commit's message, with the commit that it was made of. */
const trailer = 'Plumb-Source: '

/**
 * Writes the one commit that has a branch's files and its modules. The same commit and the same modules give the same id,
 * anywhere: its parent is the branch's commit, from which it has author and times. Its Puppetfile.lock says what it was made of.
 * Throws as `graftTrees` does, with the line of the Puppetfile where that is known.
 */
export async function synthesize(
  place: GitPlace,
  commit: string,
  lock: Lock,
  placeOf: (path: string) => Span | undefined = () => undefined,
): Promise<string> {
  const text = lockText(lock)
  const file = { mode: '100644', type: 'blob', oid: await writeObject(place, 'blob', text), name: lockName }
  const grafts = lock.modules.map(({ title, path, tree }) => ({ title, path, tree, span: placeOf(path) }))
  const tree = await graftTrees(place, { commit, grafts, file })
  return writeObject(place, 'commit', commitText(tree, commit, await readCommit(place, commit), lock))
}

/** Commits whose source is remembered: it is asked for several times in each deployment, and never changes. */
const knownSources = growingLru<{ readonly source: string | undefined }>(10_000)

/** The commit that a synthesized one was made of; `undefined` for any other. */
export async function sourceOf(place: GitPlace, commit: string): Promise<string | undefined> {
  const known = knownSources.get(commit) ?? { source: await readSource(place, commit) }
  knownSources.set(commit, known)
  return known.source
}

async function readSource(place: GitPlace, commit: string): Promise<string | undefined> {
  const { headers, message } = await readCommit(place, commit)
  const parent = headers.find((line) => line.startsWith('parent '))?.slice('parent '.length)
  const last = message.trimEnd().split('\n').at(-1)
  return parent !== undefined && last === `${trailer}${parent}` ? parent : undefined
}

/** A commit as git has it, byte by byte as Latin-1. */
interface CommitObject {
  readonly headers: readonly string[]
  readonly message: string
}

async function readCommit(place: GitPlace, commit: string): Promise<CommitObject> {
  const text = (await git(place, ['cat-file', 'commit', checkedOid(commit)])).toString('latin1')
  const end = text.indexOf('\n\n')
  if (end < 0) fail(synthesisIssues.COMMIT_UNREADABLE, { commit })
  return { headers: text.slice(0, end).split('\n'), message: text.slice(end + 2) }
}

const ourselves = 'Plumbline <plumbline@localhost>'
const epoch = '0 +0000'

function commitText(tree: string, parent: string, { headers, message }: CommitObject, lock: Lock): Buffer {
  const whoAndWhen = (name: string) => {
    const line = headers.find((each) => each.startsWith(`${name} `)) ?? ''
    return /^\w+ ([^<>\0]*<[^<>\0]*>) (\d{1,12} [+-]\d{4})$/.exec(line) ?? ['', ourselves, epoch]
  }
  const [, author, authored] = whoAndWhen('author')
  const [, , committed] = whoAndWhen('committer')
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
    `With ${count} ${count === 1 ? 'module' : 'modules'} of its Puppetfile:`,
    '',
    ...lock.modules.map(moduleLine),
    '',
    `${trailer}${parent}`,
    '',
  ]
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** A module in the message; the lock, which is UTF-8, has all of it. */
function moduleLine({ path, resolved }: LockEntry): string {
  return Buffer.from(`  ${path} ${resolved}`.replace(/[\0-\x1f\x7f]/g, '?')).toString('latin1')
}
