import type { Files } from '../../../machine/system/system.ts'

/** Disables runs. As in Puppet, the reason of an earlier call remains. */
export async function disableRuns(files: Files, path: string, reason: string): Promise<void> {
  if (await files.stat(path)) return
  await files.write(path, JSON.stringify({ disabled_message: reason }), 0o640)
}

/** Enables runs. */
export async function enableRuns(files: Files, path: string): Promise<void> {
  await files.remove(path)
}

/** The reason why runs are disabled, empty if none was given; undefined if runs are enabled. */
export async function readDisabledReason(files: Files, path: string): Promise<string | undefined> {
  const text = await files.readText(path)
  if (text === undefined) return undefined
  try {
    const { disabled_message: reason } = JSON.parse(text) as { disabled_message?: unknown }
    return typeof reason === 'string' ? reason : ''
  } catch {
    return ''
  }
}
