import { compileNameGlob, createGlobMeter } from '../../base/text/glob.ts'
import type { GateMode, GateRule } from '../../machine/settings/definitions/gate.ts'

/** The gate mode of an environment, from the last rule that matches its name. */
export function getGateMode(environment: string, { gate }: { readonly gate: readonly GateRule[] }): GateMode {
  return selectMode(environment, gate, 'gate') ?? 'refuse'
}

/** The mode of the linter or the formatter for the pushes of an environment. */
export function getQualityMode(
  environment: string,
  setting: 'push_lint' | 'push_format',
  settings: { readonly [Name in typeof setting]: readonly GateRule[] },
): GateMode {
  return selectMode(environment, settings[setting], setting) ?? 'off'
}

function selectMode(environment: string, rules: readonly GateRule[], setting: string): GateMode | undefined {
  const matches = ({ environments }: GateRule) =>
    compileNameGlob(environments).matches(
      environment,
      createGlobMeter(`matching an environment name with the setting ${setting}`),
    )
  return rules.findLast(matches)?.mode
}
