import type { Settings } from '../machine/settings/settings.ts'

/** A part of a server that can reload its files. */
export interface Reloadable {
  /**
   * Reads and validates the files for the new settings. Returns a function that activates the files and cannot fail.
   * If any part throws, the reload activates nothing.
   */
  prepare(next: Settings): Promise<() => void>
}

/** Dependencies of a reload. */
export interface ReloadParts {
  /** Reads the settings files. Throws if they are invalid. */
  readSettings(): Settings
  reloadables(): readonly Reloadable[]
  /** Called after activation, to update data that the files do not contain. */
  after(): Promise<unknown>
  /** Called after each reload; `isDone` is false if the reload failed. */
  told(isDone: boolean): void
}

/**
 * Creates the reload function. It first reads and validates everything, then activates it in one
 * turn of the event loop, so that no request sees a partial state. A call during a reload starts
 * one more reload afterwards, shared by all such calls.
 */
export function createReloader({ readSettings, reloadables, after, told }: ReloadParts): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined
  const reloadOnce = async () => {
    const settings = readSettings()
    const takes = await Promise.all(reloadables().map((each) => each.prepare(settings)))
    for (const take of takes) take()
    await after()
  }
  const beginReload = () => {
    next = undefined
    underWay = reloadOnce()
      .then(
        () => told(true),
        (error: unknown) => {
          told(false)
          throw error
        },
      )
      .finally(() => (underWay = undefined))
    return underWay
  }
  return () => {
    if (!underWay) return beginReload()
    next ??= underWay.then(beginReload, beginReload)
    return next
  }
}
