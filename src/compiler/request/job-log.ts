import type { CompileLog } from './compile-request.ts'

/** An external query (see `network/outside/question.ts`), and the digest of its result. */
export interface RecordedQuestion {
  readonly question: string
  /** SHA-256 of the result, in hexadecimal digits. */
  readonly digest: string
  /** Version of the secret that was read; undefined for other queries and for a missing secret. */
  readonly version?: string | undefined
}

/** A log line without source code, for other threads and for storage. */
export interface JobLog {
  readonly level: string
  readonly message: string
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly once?: boolean | undefined
}

/** Converts a log line; removes the diagnostic, which contains the text of the whole file. */
export function toJobLog({ level, message, source, file, line, once }: CompileLog): JobLog {
  return { level, message, source, file, line, once }
}

/** Creates a warning with the server as its source. */
export function createServerWarning(message: string): JobLog {
  return { level: 'warning', message, source: 'Puppet', file: undefined, line: undefined }
}
