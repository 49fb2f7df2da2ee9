import type { Logger } from 'pino'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** Parts from which a code server is started. */
export interface CodeServerParts {
  readonly settings: Settings
  /** Settings as the files have them now, for a reload; those of the start where it is absent. Throws what is wrong. */
  readSettings?(): Settings
  readonly system: System
  readonly log: Logger
  /** The version of Plumbline. */
  readonly version: string
  /** Settings of the command line. */
  readonly given?: Readonly<Record<string, string>>
  /** Told of what takes long and happens once. */
  progress(message: string): void
}

/** Parts of a server that has begun to count. */
export interface ServerParts extends CodeServerParts {
  readonly telemetry: Telemetry
}
