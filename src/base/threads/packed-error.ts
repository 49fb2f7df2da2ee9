import { type Diagnostic, PuppetError } from '../issue.ts'

/** An error as plain data, for another thread or process. */
export interface PackedError {
  readonly message: string
  readonly stack: string | undefined
  /** The diagnostic of a PuppetError; `undefined` for a bug of ours. */
  readonly diagnostic: Diagnostic | undefined
}

/** Packs whatever was thrown. The place stays in the message: its source would take the text of a whole file along. */
export function packError(error: unknown): PackedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof PuppetError)) return { message, stack, diagnostic: undefined }
  return { message, stack, diagnostic: { ...error.diagnostic, message, span: undefined } }
}

/** The error of the other thread or process: a PuppetError, or an Error with its stack. */
export function unpackError({ message, stack, diagnostic }: PackedError): Error {
  const error = diagnostic ? new PuppetError(diagnostic) : new Error(message)
  if (stack !== undefined && !diagnostic) error.stack = stack
  return error
}
