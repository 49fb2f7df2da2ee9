import { globMeter, nameGlob } from '../base/glob.ts'
import { defineIssues, fail } from '../base/issue.ts'
import type { Settings } from '../settings/settings.ts'

const issues = defineIssues({
  WRONG_GATE: {
    text: (a: { given: string }) => `Invalid value '${a.given}' for parameter: gate`,
    hint: () => 'gate takes refuse, warn or off, and for single environments NAME=WORD: warn, production=refuse.',
  },
  WRONG_GATE_NODES: {
    text: (a: { given: string }) => `Invalid value '${a.given}' for parameter: gate_nodes`,
    hint: () => 'gate_nodes takes all, or a whole number above 0.',
  },
})

/** The fate of a push that breaks nodes. */
export type GateMode = 'refuse' | 'warn' | 'off'

const modes: readonly GateMode[] = ['refuse', 'warn', 'off']

/** The mode of an environment; the last word that fits it counts. Throws WRONG_GATE. */
export function gateMode(environment: string, { gate }: Pick<Settings, 'gate'>): GateMode {
  let found: GateMode = 'refuse'
  for (const given of gate) {
    const [, pattern = '*', word] = /^(?:([^=]*)=)?(\w+)$/.exec(given) ?? []
    const mode = modes.find((each) => each === word) ?? fail(issues.WRONG_GATE, { given })
    if (nameGlob(pattern).matches(environment, globMeter('the name of an environment with the setting gate')))
      found = mode
  }
  return found
}

/** The number of nodes that a push is tried with. Throws WRONG_GATE_NODES. */
export function gatedNodes({ gate_nodes: given }: Pick<Settings, 'gate_nodes'>): number {
  const word = given.join(',')
  if (word === 'all') return Number.POSITIVE_INFINITY
  return /^[1-9]\d{0,8}$/.test(word) ? Number(word) : fail(issues.WRONG_GATE_NODES, { given: word })
}
