/** The push option that skips the gate: `git push -o plumb.skip-gate`. */
export const skipGate = 'plumb.skip-gate'

/** Maximum number of push options that are read. */
const most = 100

/** True if the push option to skip the gate is in the environment of a hook. */
export function isGateSkipped(env: Readonly<Record<string, string | undefined>>): boolean {
  const count = Math.min(most, Number.parseInt(env['GIT_PUSH_OPTION_COUNT'] ?? '0', 10) || 0)
  return Array.from({ length: count }, (_, at) => env[`GIT_PUSH_OPTION_${at}`]).includes(skipGate)
}
