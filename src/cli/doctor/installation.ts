import type { Settings, SettingsSource } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { Finding } from './finding.ts'

/** An installation to be examined. */
export interface Installation {
  /** Settings of a server here; none on a machine that is only a node. */
  readonly server: Settings | undefined
  /** Settings of the agent here; none on a machine that is only a server. */
  readonly agent: Settings | undefined
  /** The sources of the settings. */
  readonly source: SettingsSource
  readonly system: System
}

/** The settings of an installation, each role once. */
export function rolesOf({ server, agent }: Pick<Installation, 'server' | 'agent'>): readonly Settings[] {
  return [server, agent].filter((each) => each !== undefined)
}

/** One part of the examination. */
export interface Check {
  readonly name: string
  /** The part in words, for progress and documentation. */
  readonly doc: string
  run(installation: Installation): Promise<readonly Finding[]>
}
