import { budgets } from '../../../base/budgets/budgets.ts'
import {
  createDiagnostic,
  createPuppetError,
  type Diagnostic,
  defineIssues,
  type PuppetError,
} from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import type { GitTreeEntry } from '../../git/git-object-source.ts'
import type { CommitLimits } from './load-limits.ts'

const issues = defineIssues({
  IMPOSSIBLE_PATH: {
    text: (a: { path: string }) => `'${toPrintable(a.path)}' is not a valid file path`,
    hint: () =>
      "No part of a path may be empty, '.', '..' or '.git'. Git creates no such tree; run 'git fsck' for details.",
  },
  PATH_TWICE: {
    text: (a: { path: string }) => `'${toPrintable(a.path)}' occurs twice`,
    hint: () => "Git creates no such tree; run 'git fsck' for details.",
  },
  LINK_TOO_LONG: {
    text: (a: { path: string; size: number; most: number }) =>
      `The symbolic link '${toPrintable(a.path)}' has ${a.size} bytes, which exceeds the limit of ${a.most}`,
  },
  CODE_FILE_TOO_LARGE: {
    text: (a: { path: string; size: number; most: number }) =>
      `'${toPrintable(a.path)}' has ${a.size} bytes, which exceeds the limit of ${a.most} for parsed files`,
    hint: () => 'Split the file, or increase max_code_file_bytes on the server.',
  },
  TOO_MANY_BYTES: {
    text: (a: { bytes: number; most: number }) =>
      `The loaded files of the commit total ${a.bytes} bytes, which exceeds the limit of ${a.most}`,
    hint: () =>
      'Move files that nodes only download to files/, which is not loaded, or increase max_environment_bytes on the server.',
  },
})

/** Size in bytes up to which a file is loaded; larger files are streamed on demand. */
const largestLoaded = 1024 * 1024
/** Files for nodes, and files that compilations rarely read; they are loaded on demand. */
const readOnDemand = /(?:^|\/)(?:files|spec|examples|docs)\//
/** Files that are parsed in any folder, except in folders with files for nodes. */
const code = /(?:\.(?:pp|epp|erb)|(?:^|\/)(?:environment\.conf|hiera\.yaml|metadata\.json))$/

/** Returns true for a file of a commit that is loaded into memory. */
export function isLoadedFile({ path, mode, size = 0 }: GitTreeEntry): boolean {
  return mode === '120000' || (size <= largestLoaded && !readOnDemand.test(path))
}

/** Returns the error for a commit whose loaded files exceed the limit. */
export function createByteLimitError(bytes: number, limits: CommitLimits): PuppetError {
  return createPuppetError(issues.TOO_MANY_BYTES, { bytes, most: limits.bytes })
}

/** Returns the error for a parsed file that exceeds the limit. */
export function diagnoseLargeCodeFile(path: string, size: number, { codeFile }: CommitLimits): Diagnostic {
  return createDiagnostic(issues.CODE_FILE_TOO_LARGE, { path, size, most: codeFile })
}

/**
 * Yields reasons why a commit cannot be served: paths that Git would reject, and exceeded limits.
 * Yields `undefined` from time to time, so that the caller can run other work.
 */
export function* findCommitProblems(
  entries: readonly GitTreeEntry[],
  limits: CommitLimits,
): Generator<Diagnostic | undefined, void> {
  const loaded = new Set<string>()
  const before = new Set<string>()
  const folders = new Set<string>()
  let bytes = 0
  for (const entry of entries) {
    yield* findPathProblems(entry, before, folders)
    yield* findSizeProblems(entry, limits)
    yield undefined
    const { oid, size = 0 } = entry
    if (entry.mode === '160000' || !isLoadedFile(entry) || loaded.has(oid)) continue
    loaded.add(oid)
    bytes += size
  }
  if (bytes > limits.bytes) yield createDiagnostic(issues.TOO_MANY_BYTES, { bytes, most: limits.bytes })
}

function* findPathProblems({ path }: GitTreeEntry, before: Set<string>, folders: Set<string>): Generator<Diagnostic> {
  if (isInvalidPath(path)) yield createDiagnostic(issues.IMPOSSIBLE_PATH, { path })
  // Two different names that are not valid UTF-8 may be decoded to the same text.
  if ((before.has(path) || folders.has(path)) && !path.includes('\ufffd'))
    yield createDiagnostic(issues.PATH_TWICE, { path })
  before.add(path)
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end)
    if (folders.has(folder)) return
    folders.add(folder)
    if (before.has(folder) && !folder.includes('\ufffd')) yield createDiagnostic(issues.PATH_TWICE, { path: folder })
  }
}

function isInvalidPath(path: string): boolean {
  return `/${path}/`.includes('//') || /(?:^|\/)\.(?:\.?|git)(?:\/|$)/i.test(path)
}

function* findSizeProblems({ path, mode, size = 0 }: GitTreeEntry, limits: CommitLimits): Generator<Diagnostic> {
  const longest = budgets.push.path.bound
  if (mode === '120000') {
    if (size > longest) yield createDiagnostic(issues.LINK_TOO_LONG, { path, size, most: longest })
  } else if (size > limits.codeFile && code.test(path) && !readOnDemand.test(path))
    yield diagnoseLargeCodeFile(path, size, limits)
}
