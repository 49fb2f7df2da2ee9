/** Levels of messages about facts. */
export type FactLevel = 'debug' | 'info' | 'warn' | 'error'

/** The listener to messages about facts; the source is a part of Facter's: `Facter`, or the name of an external fact's file. */
export type FactLog = (level: FactLevel, message: string, source?: string) => void

/** A log whose lines wait until somebody listens. */
export interface HeldLog {
  readonly log: FactLog
  tell(listener: FactLog): void
}

/** A log that nobody listens to yet. */
export function heldLog(): HeldLog {
  const held: Parameters<FactLog>[] = []
  let listener: FactLog | undefined
  return {
    log: (...line) => (listener ? listener(...line) : void held.push(line)),
    tell(to) {
      listener = to
      for (const line of held.splice(0)) to(...line)
    },
  }
}
