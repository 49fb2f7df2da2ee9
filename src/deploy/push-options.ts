/** The option of a push that passes the gate by: `git push -o plumb.skip-gate`. */
export const skipGate = 'plumb.skip-gate'

/** Options are few and short. */
const most = 100

/** True where who pushes wants to pass the gate by, as git tells its hooks. */
export function wantsToSkip(env: Readonly<Record<string, string | undefined>>): boolean {
  const count = Math.min(most, Number.parseInt(env['GIT_PUSH_OPTION_COUNT'] ?? '0', 10) || 0)
  return Array.from({ length: count }, (_, at) => env[`GIT_PUSH_OPTION_${at}`]).includes(skipGate)
}
