import type { Logger } from 'pino'
import type { LiveSettings } from '../../machine/settings/live-settings.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { OpenedPart } from './part.ts'

/** Arguments of the start of a code server. */
export interface CodeServerParts {
  readonly settings: Settings
  /**
   * Reads the settings again for a reload; by default, a reload uses the settings of the start. Throws if a setting
   * is invalid.
   */
  readSettings?(): Settings
  readonly system: System
  readonly log: Logger
  /** The version of Plumbline. */
  readonly version: string
  /** Settings given on the command line. */
  readonly given?: Readonly<Record<string, string>>
  /** Prints a message before work that takes long and is done only once. */
  progress(message: string): void
}

/** Values available to every part of the server. */
export interface StartParameters extends CodeServerParts {
  /** Settings as of the last reload; settings that need a restart keep their values. */
  readonly settings: Settings
  readonly live: LiveSettings
  readSettings(): Settings
  /** The results of all parts that are open now, in the order of the table. */
  opened(): readonly OpenedPart[]
}
