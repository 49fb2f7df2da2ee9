import type { Settings, SettingsSource } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { DoctorFinding } from './finding.ts'

/** The installation that is examined. */
export interface Installation {
  /** Settings of the server; undefined on a machine that is only a node. */
  readonly server: Settings | undefined
  /** Settings of the agent; undefined on a machine that is only a server. */
  readonly agent: Settings | undefined
  /** The sources of the settings. */
  readonly source: SettingsSource
  readonly system: System
}

/** The settings of each role of an installation. */
export function listRoleSettings({ server, agent }: Pick<Installation, 'server' | 'agent'>): readonly Settings[] {
  return [server, agent].filter((each) => each !== undefined)
}

/** A check of one area. */
export interface Check {
  readonly name: string
  /** Description for the help and the documentation. */
  readonly doc: string
  run(installation: Installation): Promise<readonly DoctorFinding[]>
}
