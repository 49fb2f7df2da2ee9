import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { getControlPath, requestRollout } from '../../deploy/control/control-socket.ts'
import type { RolloutRequest } from '../../deploy/control/rollout-request.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import type { RolloutStatus } from '../../server/rollouts/rollout-status.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'

const issues = defineIssues({
  ROLLOUTS_UNSUPPORTED: {
    text: (_: object) => 'The running server has no rollouts, because it has no store of its own',
    hint: () => "Set 'store' to sqlite or postgresql, and restart the server.",
  },
  ROLLOUT_NOT_FOUND: {
    text: (a: { environment: string; known: readonly string[] }) => `Environment '${a.environment}' has no rollout`,
    hint: (a) =>
      formatSuggestion(a.environment, a.known) ??
      "Add rollout.yaml to the environment, or set 'default_rollout'; the next push then starts a rollout.",
  },
  ROLLOUT_UNCLEAR: {
    text: (a: { known: readonly string[] }) =>
      a.known.length === 0 ? 'No environment has a rollout' : 'Name an environment, because several have a rollout',
    hint: (a) =>
      a.known.length === 0
        ? "Add rollout.yaml to an environment, or set 'default_rollout'; the next push then starts a rollout."
        : `Environments with a rollout: ${a.known.join(', ')}.`,
  },
})

/** The rollouts of the running server. */
export interface ServerRollouts {
  list(): Promise<readonly RolloutStatus[]>
  /**
   * Returns the rollout of an environment; without a name, the only one. Throws ROLLOUT_NOT_FOUND and ROLLOUT_UNCLEAR.
   */
  find(environment: string | undefined): Promise<RolloutStatus>
  /** Sends a request about one environment. */
  send(request: RolloutRequest): Promise<RolloutStatus>
}

/** Connects to the running server. Each request throws NO_RUNNING_SERVER, ROLLOUTS_UNSUPPORTED or CONTROL_REFUSED. */
export function connectToRollouts(given: Readonly<Record<string, string>>): ServerRollouts {
  const path = getControlPath(loadSettings({ given, runMode: 'server' }))
  const send = async (request: RolloutRequest): Promise<unknown> => {
    const answer = await requestRollout(path, request)
    if (answer === undefined) return throwNoRunningServer(path)
    return answer === null ? throwIssue(issues.ROLLOUTS_UNSUPPORTED, {}) : answer
  }
  const list = async () => (await send({ show: null })) as readonly RolloutStatus[]
  return {
    list,
    find: async (environment) => chooseRollout(await list(), environment),
    send: async (request) => (await send(request)) as RolloutStatus,
  }
}

function chooseRollout(all: readonly RolloutStatus[], environment: string | undefined): RolloutStatus {
  const known = all.map((each) => each.environment)
  if (environment === undefined) return all.length === 1 ? all[0]! : throwIssue(issues.ROLLOUT_UNCLEAR, { known })
  const found = all.find((each) => each.environment === environment)
  return found ?? throwIssue(issues.ROLLOUT_NOT_FOUND, { environment, known })
}
