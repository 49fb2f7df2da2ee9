import type { CompileLog } from './compile-request.ts'

/** A question outside (see `network/outside/question.ts`), and its answer by its digest. */
export interface AskedQuestion {
  readonly question: string
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string
}

/** A log line of a compilation without its source text: as it is posted to another thread, and kept. */
export interface JobLog {
  readonly level: string
  readonly message: string
  readonly source: string
  readonly file: string | undefined
  readonly line: number | undefined
  readonly once?: boolean | undefined
}

/** A log line without its diagnostic, which holds the text of the whole file. */
export function jobLog({ level, message, source, file, line, once }: CompileLog): JobLog {
  return { level, message, source, file, line, once }
}

/** A warning of the server itself. */
export function serverWarning(message: string): JobLog {
  return { level: 'warning', message, source: 'Puppet', file: undefined, line: undefined }
}
