import { defineIssues } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'

/** Shortens external text to 200 characters and escapes unprintable ones. */
export function truncateForDisplay(text: string): string {
  return toPrintable(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

/** Errors of archives that are malformed, too large, or contain unsafe paths. */
export const archiveIssues = defineIssues({
  ARCHIVE_UNREADABLE: {
    text: (a: { why: string }) => `the archive cannot be read: ${truncateForDisplay(a.why)}`,
    hint: () => 'Give a tar archive compressed with gzip.',
  },
  ARCHIVE_REFUSED: {
    text: (a: { path: string; why: string }) =>
      `the archive is rejected for its entry '${truncateForDisplay(a.path)}': ${a.why}`,
  },
  ARCHIVE_BOMB: {
    text: (a: { bytes: number; setting: string | undefined }) =>
      `the archive is rejected: its uncompressed size exceeds ${a.bytes} bytes`,
    hint: (a) =>
      a.setting &&
      `Increase ${a.setting}, unless the archive expands to more than 200 times its size, which is never allowed.`,
  },
  ARCHIVE_TOO_MANY_FILES: {
    text: (a: { bound: number }) => `it has more than ${a.bound} files and directories`,
  },
})
