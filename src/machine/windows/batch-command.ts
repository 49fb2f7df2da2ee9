import { toBackslashes } from './machine-path.ts'

/** True for a batch file, which only cmd.exe can run. */
export const isBatchFile = (path: string): boolean => /\.(?:bat|cmd)[ .]*$/i.test(path)

/** Characters that mean nothing to cmd.exe in a word without quotes. */
const plain = /^[\w#$*+./:?@\\-]+$/

/**
 * The arguments of cmd.exe that run a batch file with these words, none of which cmd.exe interprets; undefined if a word
 * contains a line break, which a batch file cannot receive. cmd.exe reads its command line before the batch file does, so
 * `"`, `%`, `&` and others need more than the quotes of the C runtime (CVE-2024-24576).
 */
export function buildBatchLine(file: string, words: readonly string[]): string | undefined {
  if ([file, ...words].some((word) => /[\r\n\0]/.test(word)) || /["%]/.test(file)) return undefined
  return wrapBatchLine([`"${toBackslashes(file)}"`, ...words.map(quoteBatchWord)].join(' '))
}

/** The arguments of cmd.exe that run a line which starts with a batch file, as CreateProcess runs it. */
export function wrapBatchLine(line: string): string {
  // Without AUTORUN commands (/d) and without `!` as a sign (/v:off); /s removes the outer quotes only.
  return `/e:on /v:off /d /s /c "${line}"`
}

function quoteBatchWord(word: string): string {
  if (plain.test(word) && !word.endsWith('\\')) return word
  let inner = ''
  let backslashes = 0
  for (const sign of word) {
    // Backslashes before a quote count twice, and a quote is doubled, as it would end the quotes for cmd.exe.
    if (sign === '"') inner += `${'\\'.repeat(backslashes)}"`
    // `%cd:~,%` is a variable's part of length 0: cmd.exe replaces it by nothing, and leaves the `%` before it.
    inner += sign === '%' ? '%%cd:~,%' : sign
    backslashes = sign === '\\' ? backslashes + 1 : 0
  }
  return `"${inner}${'\\'.repeat(backslashes)}"`
}
