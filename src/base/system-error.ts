/** Error code of Node or the operating system, such as `ENOENT`; `undefined` for other errors. */
export function getSystemErrorCode(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** True if the file does not exist (ENOENT). */
export function isMissingFileError(error: unknown): boolean {
  return getSystemErrorCode(error) === 'ENOENT'
}

/** True if the user lacks permission (EACCES or EPERM). */
export function isPermissionError(error: unknown): boolean {
  const code = getSystemErrorCode(error)
  return code === 'EACCES' || code === 'EPERM'
}

/** Result of a file access; `undefined` if the file does not exist. */
export async function ignoreMissingFile<Value>(looking: Promise<Value>): Promise<Value | undefined> {
  try {
    return await looking
  } catch (error) {
    if (isMissingFileError(error)) return undefined
    throw error
  }
}
