import { defineIssues } from '../../base/issue.ts'

/** Errors of rollouts and of actions on them. */
export const rolloutStateIssues = defineIssues({
  ROLLOUT_STATE_UNKNOWN: {
    text: (a: { format: number }) => `The state of a rollout has format ${a.format}, which this version cannot read`,
    hint: () => 'Update all servers to the same version.',
  },
  ROLLOUT_ABSENT: {
    text: (a: { environment: string }) => `Environment '${a.environment}' has no rollout`,
    hint: () => "Add rollout.yaml to the environment, or set 'default_rollout'; the next push then starts a rollout.",
  },
  ROLLOUT_ENDED: {
    text: (a: { environment: string; phase: string; action: string }) =>
      `Could not ${a.action} the rollout of '${a.environment}': it is ${a.phase}`,
    hint: () => "Run 'plumb rollout show' for its steps. A push starts a new rollout.",
  },
  ROLLOUT_NOT_WAITING: {
    text: (a: { environment: string }) => `No wave of the rollout of '${a.environment}' waits for an approval`,
    hint: () => "A wave with 'approve: true' can be approved from the start of the wave before it.",
  },
  ROLLOUT_REPLACED: {
    text: (a: { environment: string; number: number; current: number }) =>
      `Rollout ${a.number} of '${a.environment}' was replaced by rollout ${a.current}`,
    hint: () => "Check the current rollout with 'plumb rollout show', and repeat the command.",
  },
  ROLLOUT_CHANGED: {
    text: (a: { environment: string }) =>
      `The rollout of '${a.environment}' changed at the same time on another server`,
    hint: () => "Check it with 'plumb rollout show', and repeat the command.",
  },
  ROLLOUT_UNAVAILABLE: {
    text: (a: { environment: string; why: string }) =>
      `Could not determine the commit of '${a.environment}' for this node: ${a.why}`,
    hint: () => 'The server needs its store to read the state of rollouts. Agents use their cached catalog meanwhile.',
  },
  ROLLOUT_NEEDS_STORE: {
    text: (a: { environment: string }) =>
      `The rollout.yaml of '${a.environment}' has no effect: rollouts need a store, and this server has none`,
    hint: () => "Set 'store' to sqlite or postgresql.",
  },
})
