/** The world as the agent's providers see it; a test records what is asked of it. */
export interface System {
  readonly files: Files
  readonly commands: Commands
  /** Milliseconds since 1970. */
  now(): number
}

/** Files of this machine. Paths are absolute. Answers about what is not there are `undefined`, never an error. */
export interface Files {
  /** The state of a path itself, a link not followed. */
  stat(path: string): Promise<FileStat | undefined>
  readLink(path: string): Promise<string | undefined>
  read(path: string): Promise<Buffer | undefined>
  readText(path: string): Promise<string | undefined>
  /** The bytes of a file in parts. The file stays open until the iterator ends or is returned. */
  readParts(path: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** The bytes of a regular file of at most so many, looked at before it is read. Throws FILE_TOO_LARGE, NO_REGULAR_FILE. */
  readWithin(path: string, most: number): Promise<Buffer | undefined>
  list(directory: string): Promise<readonly string[] | undefined>
  /** Write beside, fsync, rename: after a crash the file is the old or the new, never part of one. */
  write(path: string, content: FileContent, mode?: number, sync?: SyncTime): Promise<void>
  /** `write` for a file whose owner is managed, or whose new content is checked before it replaces the old file. */
  replace(path: string, content: FileContent, replacement: Replacement): Promise<void>
  /** Makes a file, or the names in a folder, outlast a loss of power; nothing where there is none. */
  sync(path: string): Promise<void>
  makeDirectory(path: string, mode?: number): Promise<void>
  link(target: string, path: string): Promise<void>
  /** A file, a link, or a whole folder. */
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  chmod(path: string, mode: number): Promise<void>
  chown(path: string, uid: number, gid: number): Promise<void>
}

/** Content of a file: text, bytes, or bytes as they come. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>

/** Permissions and staging of a file that replaces another. Undefined values stay as in the old file. */
export interface Replacement {
  readonly mode?: number | undefined
  /** Only root changes owners; other users' files keep the owner that the system gives them. */
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Directory of the unfinished file; by default the directory of `path`. */
  readonly stagingDirectory?: string | undefined
  /** Inspects the complete file at its temporary path. If it throws, the old file remains. */
  readonly check?: ((staged: string) => Promise<void>) | undefined
  readonly sync?: SyncTime
}

/** `later` leaves folders, and files where there was none, to a `sync` of their own. */
export type SyncTime = 'now' | 'later'

/** The status of a file, as `lstat` gives it. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'device'
  /** Permission bits, setuid and its kin included. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly accessed: number
  readonly modified: number
  readonly changed: number
}

/** A version of a file: another text after the file was written anew. */
export function fileVersion({ size, modified, changed }: FileStat): string {
  return `${size} ${modified} ${changed}`
}

/** Programs of this machine. Never through a shell unless the shell is the program. */
export interface Commands {
  /** The path of a program on the search path; `undefined` when the program is not there. */
  find(name: string, path?: string): Promise<string | undefined>
  /** Runs to its end; a non-zero status is an answer, not an error. */
  run(command: readonly string[], options?: RunOptions): Promise<RunResult>
}

/** Environment, identity and limits of a program. */
export interface RunOptions {
  readonly cwd?: string
  /** Variables added to the environment; `undefined` takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string | Uint8Array
  readonly uid?: number
  readonly gid?: number
  readonly umask?: number
  /** Seconds after which the program is killed. */
  readonly timeout?: number
  /** Writes standard error into standard output, so that `output` has the lines in the order in which they were written. */
  readonly merged?: true
  /** Bytes of output after which the program is killed. */
  readonly maxOutput?: number
  /** The encoding of output; `latin1` keeps all bytes, each as one character. By default UTF-8, with other bytes escaped. */
  readonly encoding?: 'latin1'
}

/** Exit status and output of a program. */
export interface RunResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** Standard output and error together, in the order of their coming. */
  readonly output: string
  readonly timedOut: boolean
  /** True when a signal ended the program; `status` is then 128 and the signal's number. */
  readonly signaled?: true
  /** True when the program was killed for printing more than it may; only `maxOutput` makes it so. */
  readonly overflowed?: boolean
}
