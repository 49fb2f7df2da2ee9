import type { GitTreeEntry } from '../../code/git/git-object-source.ts'
import type { GuestEntry, GuestFiles } from '../../ruby/wasi/guest-files.ts'
import type { CommitQuestion } from './evaluation.ts'

/**
 * Gives the Ruby code of a Puppetfile access to the files of a commit, listed on first use. Links
 * and submodules are omitted.
 */
export function createCommitFiles(commit: string, ask: (question: CommitQuestion) => unknown): GuestFiles {
  let listed: Listing | undefined
  const getListing = () => {
    listed ??= buildListing(ask({ kind: 'files', commit }) as readonly GitTreeEntry[])
    return listed
  }
  return {
    entry(path) {
      const { files, folders } = getListing()
      const file = files.get(path)
      if (file) return { kind: 'file', size: file.size ?? 0 } satisfies GuestEntry
      return folders.has(path) ? { kind: 'directory', size: 0 } : undefined
    },
    read(path) {
      const file = getListing().files.get(path)
      return file && (ask({ kind: 'blob', oid: file.oid }) as Uint8Array)
    },
    list: (path) => [...(getListing().folders.get(path) ?? [])].sort(),
  }
}

interface Listing {
  readonly files: ReadonlyMap<string, GitTreeEntry>
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>
}

function buildListing(entries: readonly GitTreeEntry[]): Listing {
  const files = new Map<string, GitTreeEntry>()
  const folders = new Map<string, Set<string>>([['', new Set()]])
  for (const entry of entries) {
    if (entry.mode !== '100644' && entry.mode !== '100755') continue
    files.set(entry.path, entry)
    for (let child = entry.path; child !== ''; ) {
      const cut = child.lastIndexOf('/')
      const parent = cut === -1 ? '' : child.slice(0, cut)
      const names = folders.get(parent)
      if (names) names.add(child.slice(cut + 1))
      else folders.set(parent, new Set([child.slice(cut + 1)]))
      child = parent
    }
  }
  return { files, folders }
}
