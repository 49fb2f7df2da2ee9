import type { Files } from '../../../machine/system/system.ts'

/** Forbids runs, saying why. The reason of who did so first stays, as with Puppet. */
export async function disable(files: Files, path: string, reason: string): Promise<void> {
  if (await files.stat(path)) return
  await files.write(path, JSON.stringify({ disabled_message: reason }), 0o640)
}

/** Allows runs again. */
export async function enable(files: Files, path: string): Promise<void> {
  await files.remove(path)
}

/** Why runs are forbidden, empty where nobody said; `undefined` when they are not. */
export async function disabledReason(files: Files, path: string): Promise<string | undefined> {
  const text = await files.readText(path)
  if (text === undefined) return undefined
  try {
    const { disabled_message: reason } = JSON.parse(text) as { disabled_message?: unknown }
    return typeof reason === 'string' ? reason : ''
  } catch {
    return ''
  }
}
