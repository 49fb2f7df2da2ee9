import { compileNameGlob, createGlobMeter } from '../../base/text/glob.ts'
import type { GateMode, GateRule } from '../../machine/settings/definitions/gate.ts'

/** The gate mode of an environment, from the last rule that matches its name. */
export function getGateMode(environment: string, { gate }: { readonly gate: readonly GateRule[] }): GateMode {
  let found: GateMode = 'refuse'
  for (const { environments, mode } of gate)
    if (
      compileNameGlob(environments).matches(
        environment,
        createGlobMeter('matching an environment name with the setting gate'),
      )
    )
      found = mode
  return found
}
