import { boolean, duration, kindOf, oneOf } from '../kinds.ts'

/** The effect of the gate on a push that breaks nodes. */
export type GateMode = 'refuse' | 'warn' | 'off'

/** The mode of the environments whose name matches a glob. */
export interface GateRule {
  readonly environments: string
  readonly mode: GateMode
}

const modes: readonly GateMode[] = ['refuse', 'warn', 'off']

const gateRules = kindOf<readonly GateRule[]>({
  expects: 'refuse, warn or off, and for single environments NAME=WORD: warn, production=refuse',
  known: modes,
  parse(given) {
    const rules = given.split(',').flatMap((each) => (each.trim() === '' ? [] : [ruleIn(each.trim())]))
    return rules.every((each) => each !== undefined) ? rules : undefined
  },
  print: (rules) =>
    rules.map(({ environments, mode }) => (environments === '*' ? mode : `${environments}=${mode}`)).join(','),
})

function ruleIn(given: string): GateRule | undefined {
  const [, environments = '*', word] = /^(?:([^=]*)=)?(\w+)$/.exec(given) ?? []
  const mode = modes.find((each) => each === word)
  return mode && { environments, mode }
}

const nodeCount = kindOf<number>({
  expects: 'all, or a whole number above 0',
  known: ['all'],
  parse: (given) =>
    given === 'all' ? Number.POSITIVE_INFINITY : /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined,
  print: (value) => (value === Number.POSITIVE_INFINITY ? 'all' : String(value)),
})

/** The gate: what a push has to pass before it lands. */
export const gate = {
  gate: gateRules({
    default: 'refuse',
    doc: 'What becomes of a push by which a node that has a catalog would have none: refuse, warn, or off; for single environments NAME=WORD, with * for any characters: `warn, production=refuse, feature_*=off`. The last that fits counts.',
  }),
  gate_nodes: nodeCount({
    default: 'all',
    doc: 'How many nodes of an environment a push is tried with: all, or a number: those heard of last.',
  }),
  gate_budget: duration({
    default: '5m',
    doc: 'After so long no other node is tried; a push is then taken, and the nodes that were not checked are said.',
  }),
  gate_without_server: oneOf(
    'compile',
    'refuse',
  )({
    default: 'compile',
    doc: 'What the hook does where no server answers: it compiles by itself, or refuses the push.',
  }),
  gate_store_queries: boolean({
    default: 'true',
    doc: 'Whether code that the gate tries may query the store (puppetdb_query). Pushers read the answers in errors and changes; with false such code fails in the gate.',
  }),
  gate_skip: boolean({
    default: 'false',
    doc: 'Whether who pushes may pass the gate by `git push -o plumb.skip-gate`; it is recorded with the name.',
  }),
} as const
