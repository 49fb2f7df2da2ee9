import type { Environments } from '../code/environments/environments.ts'
import { createLiveSettings } from '../machine/settings/live-settings.ts'
import { OpenParts } from './parts/open-parts.ts'
import { serverParts } from './parts/server-parts.ts'
import type { CodeServerParts } from './parts/start-parameters.ts'
import type { RolloutService } from './rollouts/rollout-service.ts'

/** A running server. */
export interface CodeServer {
  readonly url: string
  readonly environments: Environments
  /** Rollouts; undefined without a store of the server's own. */
  readonly rollouts: RolloutService | undefined
  /**
   * Reads all files again that an operator may have changed. If one cannot be read, nothing
   * changes.
   */
  reload(): Promise<void>
  /** Reopens the access log after log rotation. */
  reopenLogs(): void
  /** True while the server listens. */
  isListening(): boolean
  /**
   * Announces the shutdown in the status; from then on each response closes its connection.
   * Requests are answered until `close`.
   */
  announceEnd(): void
  /** Stops accepting requests, finishes the active ones, and closes everything. */
  close(): Promise<void>
}

/**
 * Starts a code server, which then accepts requests. The first start creates the authority and the server's certificate. If
 * the start fails, everything that was opened is closed, so that nothing keeps the process alive.
 */
export async function startCodeServer(given: CodeServerParts): Promise<CodeServer> {
  const parts = new OpenParts()
  const live = createLiveSettings(given.settings)
  const readSettings = () => given.readSettings?.() ?? given.settings
  const start = { ...given, settings: live.settings, live, readSettings, opened: () => parts.opened() }
  try {
    const { environments, http, listening, reload, rolloutEngine, status, telemetry } = await serverParts.open(
      start,
      parts,
    )
    return {
      url: `https://${given.settings.certname}:${listening.port}`,
      environments: environments.environments,
      rollouts: rolloutEngine?.service,
      reload,
      reopenLogs: () => telemetry.reopenLogs(),
      isListening: () => http.server.listening,
      announceEnd: () => status.ending.announce(http.server),
      close: () => parts.close(),
    }
  } catch (error) {
    await parts.close()
    throw error
  }
}
