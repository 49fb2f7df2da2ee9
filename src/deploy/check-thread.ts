import { workerData } from 'node:worker_threads'
import { growingLru } from '../base/growing-lru.ts'
import { inOneLine, PuppetError } from '../base/issue.ts'
import { answerQuestions } from '../base/threads/asked-thread.ts'
import type { ThreadBridge } from '../base/threads/thread-bridge.ts'
import { standBack } from '../base/threads/thread-priority.ts'
import type { GitTreeSnapshot } from '../code/environments/environment-snapshot.ts'
import { readThrough } from '../code/environments/git/blob-bridge.ts'
import { bytesOf, leavesOf } from '../code/environments/git/git-tree.ts'
import type { GitTreeEntry } from '../code/git/git-object-source.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { useRubyForRegexps } from '../ruby/regexp-engine.ts'
import { fileProblems, keyOf } from './file-problems.ts'
import { rubySyntax } from './ruby-syntax.ts'

/** Startup data of the check thread. */
export interface CheckThreadData {
  readonly settings: Settings
  readonly blobs: ThreadBridge
}

/** The code of the commit to check, and the served code, whose files are not checked again. */
export interface CheckQuestion {
  readonly code: GitTreeSnapshot
  readonly served: GitTreeSnapshot | undefined
}

/** The first error as one line, and the number of further errors; `undefined` without errors. */
export type CheckAnswer = { readonly first: string; readonly more: number } | undefined

interface LoadedEntry extends GitTreeEntry {
  readonly bytes: Buffer | undefined
}

/** Cache of files without errors, keyed by role, content and path. Branches have most of their files in common. */
const good = growingLru<true>(250_000)
const { settings, blobs } = workerData as CheckThreadData
const blobReader = readThrough(blobs)
const ruby = rubySyntax()

standBack('working')
useRubyForRegexps()
answerQuestions(check)

async function check({ code, served }: CheckQuestion): Promise<CheckAnswer> {
  const old = new Set(served ? entriesOf(served).map(keyOf) : [])
  const entries = entriesOf(code)
  const read = ({ bytes, oid }: LoadedEntry) => bytes ?? Buffer.from(blobReader.read(oid))
  const checks = {
    settings,
    ruby,
    isGood: (entry: GitTreeEntry, role = '') => old.has(keyOf(entry)) || good.has(`${role} ${keyOf(entry)}`),
    noteGood: (entry: GitTreeEntry, role: string) => void good.set(`${role} ${keyOf(entry)}`, true),
  }
  const errors: string[] = []
  try {
    for await (const problem of fileProblems({ entries, read }, checks))
      if (problem.severity === 'error') errors.push(inOneLine(problem))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    errors.push(error.message)
  }
  const [first] = errors
  return first === undefined ? undefined : { first, more: errors.length - 1 }
}

function entriesOf(code: GitTreeSnapshot): readonly LoadedEntry[] {
  return [...leavesOf(code)].flat().map((leaf) => {
    const [path, mode, oid, , , size] = leaf
    return { path, mode, oid, size, bytes: bytesOf(code, leaf) }
  })
}
