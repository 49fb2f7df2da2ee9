import { workerData } from 'node:worker_threads'
import { formatDiagnosticLine, PuppetError } from '../base/issue.ts'
import { createGrowingLru } from '../base/lru-cache.ts'
import type { ThreadBridge } from '../base/threads/thread-bridge.ts'
import { lowerThreadPriority } from '../base/threads/thread-priority.ts'
import { answerQuestions } from '../base/threads/worker-thread.ts'
import type { GitTreeSnapshot } from '../code/environments/environment-snapshot.ts'
import { createBridgedBlobReader } from '../code/environments/git/blob-bridge.ts'
import { getLeafBytes, listTreeLeaves } from '../code/environments/git/git-tree.ts'
import type { GitTreeEntry } from '../code/git/git-object-source.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { installRubyRegexpEngine } from '../ruby/regexp-engine.ts'
import { findCommitFileProblems, formatFileKey } from './commit-file-check.ts'
import { createRubySyntaxCheck } from './ruby-syntax.ts'

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
const good = createGrowingLru<true>(250_000)
const { settings, blobs } = workerData as CheckThreadData
const blobReader = createBridgedBlobReader(blobs)
const ruby = createRubySyntaxCheck()

lowerThreadPriority('working')
installRubyRegexpEngine()
answerQuestions(answerQuestion)

async function answerQuestion({ code, served }: CheckQuestion): Promise<CheckAnswer> {
  const changed = omitSharedParts(code, served)
  const old = new Set(served ? listLoadedEntries(omitSharedParts(served, code)).map(formatFileKey) : [])
  const entries = listLoadedEntries(changed)
  const readEntry = ({ bytes, oid }: LoadedEntry) => bytes ?? Buffer.from(blobReader.read(oid))
  const checks = {
    settings,
    ruby,
    isGood: (entry: GitTreeEntry, role = '') =>
      old.has(formatFileKey(entry)) || good.has(`${role} ${formatFileKey(entry)}`),
    noteGood: (entry: GitTreeEntry, role: string) => void good.set(`${role} ${formatFileKey(entry)}`, true),
  }
  const errors: string[] = []
  try {
    for await (const problem of findCommitFileProblems({ entries, read: readEntry }, checks))
      if (problem.severity === 'error') errors.push(formatDiagnosticLine(problem))
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    errors.push(error.message)
  }
  const [first] = errors
  return first === undefined ? undefined : { first, more: errors.length - 1 }
}

/** Files that determine the roles of other files. */
const roleFiles = ['environment.conf', 'hiera.yaml'] as const

/**
 * Omits the parts of a commit's index that another commit has, too: their files are good. Parts with files that determine
 * the roles of others stay.
 */
function omitSharedParts(code: GitTreeSnapshot, other: GitTreeSnapshot | undefined): GitTreeSnapshot {
  const shared = new Set(other?.index.map(formatPart))
  const isNeeded = (part: SharedArrayBuffer) => {
    const text = formatPart(part)
    return !shared.has(text) || roleFiles.some((name) => text.includes(name))
  }
  return { ...code, index: code.index.filter(isNeeded) }
}

/** The JSON text of a part, without decoding UTF-8. */
function formatPart(part: SharedArrayBuffer): string {
  return Buffer.from(part).toString('latin1')
}

function listLoadedEntries(code: GitTreeSnapshot): readonly LoadedEntry[] {
  return [...listTreeLeaves(code)].flat().map((leaf) => {
    const [path, mode, oid, , , size] = leaf
    return { path, mode, oid, size, bytes: getLeafBytes(code, leaf) }
  })
}
