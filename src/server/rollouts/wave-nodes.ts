import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import type { RolloutTable } from './rollout-table.ts'

const issues = defineIssues({
  UNKNOWN_WAVE: {
    text: (a: { environment: string; name: string; known: readonly string[] }) =>
      `The current rollout of '${a.environment}' has no wave '${a.name}'`,
    hint: (a) =>
      formatSuggestion(a.name, a.known) ??
      (a.known.length > 0 ? `Its waves: ${a.known.join(', ')}.` : "Run 'plumb rollout list' for the rollouts."),
  },
})

/** The nodes of a wave of an environment's current or last rollout. Throws UNKNOWN_WAVE. */
export async function listWaveNodes(
  table: Pick<RolloutTable, 'members'> | undefined,
  environment: string,
  name: string,
): Promise<readonly string[]> {
  const { plan, waves = [] } = (await table?.members(environment))?.members ?? {}
  const known = plan?.waves.map((wave) => wave.name) ?? []
  const at = known.indexOf(name)
  return at < 0 ? throwIssue(issues.UNKNOWN_WAVE, { environment, name, known }) : (waves[at] ?? [])
}
