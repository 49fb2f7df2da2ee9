import { type Diagnostic, PuppetError } from '../issue.ts'

/** An error as plain data, for another thread or process. */
export interface PackedError {
  readonly message: string
  readonly stack: string | undefined
  /** Diagnostic of a PuppetError; `undefined` for an internal error. */
  readonly diagnostic: Diagnostic | undefined
}

/** Packs any thrown value. Keeps the location only in the message, since a span includes the text of the whole file. */
export function packError(error: unknown): PackedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof PuppetError)) return { message, stack, diagnostic: undefined }
  return { message, stack, diagnostic: { ...error.diagnostic, message, span: undefined } }
}

/** Restores the error: a PuppetError, or an Error with its stack. */
export function unpackError({ message, stack, diagnostic }: PackedError): Error {
  const error = diagnostic ? new PuppetError(diagnostic) : new Error(message)
  if (stack !== undefined && !diagnostic) error.stack = stack
  return error
}
