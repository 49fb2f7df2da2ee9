import type { Settings, SettingsSource } from '../../machine/settings/settings.ts'
import type { System } from '../../machine/system/system.ts'
import type { DoctorFinding } from './finding.ts'
import type { KnownSecret } from './secrets/known-secrets.ts'

/** The installation that is examined. */
export interface Installation {
  /** Settings of the server; undefined on a machine that is only a node. */
  readonly server: Settings | undefined
  /** Settings of the agent; undefined on a machine that is only a server. */
  readonly agent: Settings | undefined
  /** The sources of the settings. */
  readonly source: SettingsSource
  readonly system: System
  readonly secretSearch: SecretSearch
}

/** Options of the search for secrets. */
export interface SecretSearch {
  /** Secrets in addition to those of the cached catalogs. */
  readonly secrets: readonly KnownSecret[]
  /** The file with these secrets, which is not searched; undefined for standard input. */
  readonly file: string | undefined
  /** True for a search without limits, because the check or its secrets are named in the command line. */
  readonly isComplete: boolean
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
  /** Returns facts for a report of the check as JSON, such as versions; no secrets. */
  describe?(installation: Installation): Promise<Readonly<Record<string, unknown>>>
  /** Returns true if the check may take any time. */
  isUnlimited?(installation: Installation): boolean
}
