/** Levels of messages about facts. */
export type FactLevel = 'debug' | 'info' | 'warn' | 'error'

/** The listener to messages about facts; the source is a part of Facter's: `Facter`, or the name of an external fact's file. */
export type FactLog = (level: FactLevel, message: string, source?: string) => void
