/** Access to files, programs and the clock. Providers use only this interface, so that tests can record all access. */
export interface System {
  readonly files: Files
  readonly commands: Commands
  /** Milliseconds since 1970. */
  now(): number
}

/** Files of this machine. Paths are absolute. A missing file gives `undefined`, not an error. */
export interface Files {
  /** Returns the status of a path; a symbolic link is not followed. */
  stat(path: string): Promise<FileStat | undefined>
  readLink(path: string): Promise<string | undefined>
  read(path: string): Promise<Buffer | undefined>
  readText(path: string): Promise<string | undefined>
  /** Reads a file in parts. The file stays open until the iterator ends or is closed. */
  readParts(path: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Reads a regular file up to a maximum size, which is checked first. Throws FILE_TOO_LARGE, NO_REGULAR_FILE. */
  readWithin(path: string, most: number): Promise<Buffer | undefined>
  list(directory: string): Promise<readonly string[] | undefined>
  /** Writes a temporary file, syncs it and renames it: after a crash, the file is completely old or completely new. */
  write(path: string, content: WritableContent, mode?: number, sync?: SyncTime): Promise<void>
  /** Like `write`, with a given owner, mode or staging directory, or a validation before the old file is replaced. */
  replace(path: string, content: WritableContent, replacement: FileReplacement): Promise<void>
  /** Syncs a file or a directory to disk, so that it survives a power loss. A missing path is ignored. */
  sync(path: string): Promise<void>
  makeDirectory(path: string, mode?: number): Promise<void>
  link(target: string, path: string): Promise<void>
  /** Removes a file, a link, or a directory with its contents. */
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  chmod(path: string, mode: number): Promise<void>
  chown(path: string, uid: number, gid: number): Promise<void>
}

/** The content of a file: text, bytes, or a stream of bytes. */
export type WritableContent = string | Uint8Array | AsyncIterable<Uint8Array>

/**
 * Permissions of a file that replaces another file, and the location of its temporary file.
 * Undefined values are copied from the old file.
 */
export interface FileReplacement {
  readonly mode?: number | undefined
  /** Used only if this process runs as root; otherwise new files have the default owner. */
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Directory of the temporary file. Default: the directory of `path`. */
  readonly stagingDirectory?: string | undefined
  /** Inspects the complete file at its temporary path. If it throws, the old file remains. */
  readonly check?: ((staged: string) => Promise<void>) | undefined
  readonly sync?: SyncTime
  /** On Windows, the new file keeps the access list of the old file. Other systems ignore it: they copy the mode. */
  readonly keepsAccess?: true
  /**
   * On Windows, only SYSTEM, Administrators and the owner can access the new file: the caller sets its access list
   * afterwards. Other systems ignore it: no other user can open the new file before its mode is set.
   */
  readonly isClosed?: boolean
}

/** Time of the sync. `later`: the caller syncs new files and directories with `sync`. */
export type SyncTime = 'now' | 'later'

/** The status of a file, as returned by `lstat`. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'device'
  /** Permission bits, including setuid, setgid and sticky. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly accessed: number
  readonly modified: number
  readonly changed: number
}

/** Returns an identifier for a version of a file; the identifier changes when the file is replaced. */
export function getFileVersion({ size, modified, changed }: FileStat): string {
  return `${size} ${modified} ${changed}`
}

/** Programs of this machine. They run without a shell, unless the program is a shell. */
export interface Commands {
  /** Returns the path of a program on the search path; `undefined` if it is not installed. */
  find(name: string, path?: string): Promise<string | undefined>
  /** Runs a program and waits for its end. A non-zero exit status is a result, not an error. */
  run(command: readonly string[], options?: CommandOptions): Promise<CommandResult>
}

/** Environment, identity and limits of a program. */
export interface CommandOptions {
  readonly cwd?: string
  /** Variables added to the environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string | Uint8Array
  readonly uid?: number
  readonly gid?: number
  readonly umask?: number
  /** Time limit in seconds, after which the program is killed. */
  readonly timeout?: number
  /**
   * Redirects standard error to standard output, so that `output` contains all lines in the order
   * in which they were written.
   */
  readonly merged?: true
  /**
   * On Windows, the command line that the process receives unchanged, including the name of the program, which becomes
   * the path if the program is a batch file. Without it, the words are quoted so that the program receives exactly these
   * words.
   */
  readonly commandLine?: string
  /** Limit of the output in bytes; a program that exceeds it is killed. */
  readonly maxOutput?: number
  /** Encoding of the output. `latin1` maps each byte to one character. Default: UTF-8, with invalid bytes escaped. */
  readonly encoding?: 'latin1'
}

/** Exit status and output of a program. */
export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** Standard output and error together, in the order of arrival. */
  readonly output: string
  readonly timedOut: boolean
  /** True if a signal ended the program; `status` is then 128 plus the signal number. */
  readonly signaled?: true
  /** True if the program was killed because its output exceeded `maxOutput`. */
  readonly overflowed?: boolean
}
