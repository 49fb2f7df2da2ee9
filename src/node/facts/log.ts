/** Levels of messages about facts. */
export type FactLevel = 'debug' | 'info' | 'warn' | 'error'

/**
 * A listener for messages about facts. As in Facter, the source is `Facter` or the name of an
 * external fact file.
 */
export type FactLog = (level: FactLevel, message: string, source?: string) => void

/** A log that holds its lines until a listener is attached. */
export interface BufferedLog {
  readonly log: FactLog
  tell(listener: FactLog): void
}

/** Creates a log without a listener. */
export function createBufferedLog(): BufferedLog {
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
