import type { Settings } from '../machine/settings/settings.ts'

/** A part of a server that reads files which an operator may change while it runs. */
export interface Reloadable {
  /**
   * Reads and checks all that it needs, by the settings that are to hold. Answers how to take it, which cannot fail. Throws
   * what is wrong; then nothing is taken, of no part.
   */
  prepare(next: Settings): Promise<() => void>
}

/** Parts of a reload. */
export interface ReloadParts {
  /** Settings as the files have them now. Throws what is wrong with them. */
  readSettings(): Settings
  reloadables(): readonly Reloadable[]
  /** Looks for what is new elsewhere, when all was taken. */
  after(): Promise<unknown>
  /** Told of the end of each. */
  told(isDone: boolean): void
}

/**
 * Reads everything again: first all is read and checked, then all is taken at once, in one turn of the event loop, so that
 * no request sees half of it. One that is asked for while another is under way comes after it, and is that of all who ask
 * until then.
 */
export function reloader({ readSettings, reloadables, after, told }: ReloadParts): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined
  const once = async () => {
    const settings = readSettings()
    const takes = await Promise.all(reloadables().map((each) => each.prepare(settings)))
    for (const take of takes) take()
    await after()
  }
  const begin = () => {
    next = undefined
    underWay = once()
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
    if (!underWay) return begin()
    next ??= underWay.then(begin, begin)
    return next
  }
}
