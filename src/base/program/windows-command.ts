import { win32 } from 'node:path'

/** True for a batch file, which only cmd.exe can run. */
export const isBatchFile = (path: string): boolean => /\.(?:bat|cmd)[ .]*$/i.test(path)

/** A command line in two parts. */
export interface CommandLine {
  /** The program, without quotes. */
  readonly program: string
  /** The arguments, with the space before them. */
  readonly rest: string
}

/** Splits a command line after its program as Puppet does: in quotes, or up to the first space. */
export function splitProgram(line: string): CommandLine {
  const [, double, single, plainName = '', rest = ''] = /^(?:"([^"]+)"|'([^']+)'|([^ ]*))(.*)$/s.exec(line) ?? []
  return { program: double ?? single ?? plainName, rest }
}

/** Longest path of a program that CreateProcess finds in a line without quotes, in characters. */
const longestProgramPath = 260

/**
 * The ways to split a command line, in the order in which CreateProcess tries them: a path without quotes can contain
 * spaces.
 */
export function listProgramSplits(line: string): readonly CommandLine[] {
  if (!qualified.test(line)) return [splitProgram(line)]
  const ends = [...line.slice(0, longestProgramPath + 1).matchAll(/ /g)].map(({ index }) => index)
  return [...ends, line.length].map((end) => ({ program: line.slice(0, end), rest: line.slice(end) }))
}

/** `C:\x` or `\\server\share\x`, also with slashes; a path such as `\x` is on the drive of the current folder. */
const qualified = /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/i

/** Extensions of files that Windows runs as programs; Ruby's `File.executable?` is true for the same files. */
export const programExtension: RegExp = /\.(?:exe|com|bat|cmd)$/i

/** Extensions that complete a name without an extension, if PATHEXT is not set. */
export const usualExtensions = '.COM;.EXE;.BAT;.CMD'

/**
 * The paths at which a program can be, in order. The current folder is never searched, and neither are relative folders in
 * the path: another user may have put a program there. The same holds for `\bin\sh`, which has no drive.
 */
export function listProgramPlaces(name: string, path: string, extensions: string): readonly string[] {
  if (qualified.test(name)) return [name]
  if (name === '') return []
  const folders = path.split(';').filter((folder) => qualified.test(folder))
  return folders.flatMap((folder) =>
    listProgramNames(name, extensions).map((each) => win32.normalize(`${folder}/${each}`).replaceAll('\\', '/')),
  )
}

/** The possible file names of a program: its name, with and without the extensions. */
export function listProgramNames(name: string, extensions: string): readonly string[] {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  if (last.lastIndexOf('.') > 0 && !last.endsWith('.')) return [name]
  return [...extensions.split(';').filter((each) => each.startsWith('.')), ''].map((ending) => `${name}${ending}`)
}

/** Characters that mean nothing to cmd.exe in a word without quotes. */
const plain = /^[\w#$*+./:?@\\-]+$/

/**
 * The arguments of cmd.exe that run a batch file with these words, none of which cmd.exe interprets; undefined if a word
 * contains a line break, which a batch file cannot receive. cmd.exe reads its command line before the batch file does, so
 * `"`, `%`, `&` and others need more than the quotes of the C runtime (CVE-2024-24576).
 */
export function buildBatchLine(file: string, words: readonly string[]): string | undefined {
  if ([file, ...words].some((word) => /[\r\n\0]/.test(word)) || /["%]/.test(file)) return undefined
  return buildBatchLineOf(file, { program: file, rest: words.map((word) => ` ${quoteBatchWord(word)}`).join('') })
}

/**
 * The arguments of cmd.exe that run a command line whose program is this batch file, as CreateProcess runs it: cmd.exe
 * interprets the line. It would search the current folder for the batch file, so it gets the path.
 */
export function buildBatchLineOf(file: string, { rest }: CommandLine): string {
  // Without AUTORUN commands (/d) and without `!` as a sign (/v:off); /s removes the outer quotes only.
  return `/e:on /v:off /d /s /c ""${file.replaceAll('/', '\\')}"${rest}"`
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
