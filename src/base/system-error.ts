/** The code of an error of Node's or of the operating system, such as `ENOENT`; `undefined` for other errors. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** True for the system's answer that there is no such file. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT'
}

/** True for the system's answer that this user may not. */
export function isDenied(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'EACCES' || code === 'EPERM'
}

/** What a look at a file answers; `undefined` where there is no such file. */
export async function unlessMissing<Value>(looking: Promise<Value>): Promise<Value | undefined> {
  try {
    return await looking
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
