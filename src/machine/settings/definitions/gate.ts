import { createSettingKind, defineBoolean, defineChoice, defineDuration } from '../kinds.ts'

/** The action of the gate when a push breaks the catalogs of nodes, or when its manifests have problems. */
export type GateMode = 'refuse' | 'warn' | 'off'

/** The gate mode for environments whose names match the glob `environments`. */
export interface GateRule {
  readonly environments: string
  readonly mode: GateMode
}

const modes: readonly GateMode[] = ['refuse', 'warn', 'off']

const gateRules = createSettingKind<readonly GateRule[]>({
  expects: 'refuse, warn or off, with NAME=MODE for single environments, such as warn,production=refuse',
  known: modes,
  parse(given) {
    const rules = given.split(',').flatMap((each) => (each.trim() === '' ? [] : [parseGateRule(each.trim())]))
    return rules.every((each) => each !== undefined) ? rules : undefined
  },
  print: (rules) =>
    rules.map(({ environments, mode }) => (environments === '*' ? mode : `${environments}=${mode}`)).join(','),
})

function parseGateRule(given: string): GateRule | undefined {
  const [, environments = '*', word] = /^(?:([^=]*)=)?(\w+)$/.exec(given) ?? []
  const mode = modes.find((each) => each === word)
  return mode && { environments, mode }
}

const nodeCount = createSettingKind<number>({
  expects: 'all, or a whole number above 0',
  known: ['all'],
  parse: (given) =>
    given === 'all' ? Number.POSITIVE_INFINITY : /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined,
  print: (value) => (value === Number.POSITIVE_INFINITY ? 'all' : String(value)),
})

/** Settings of the gate, which checks a push before it is accepted. */
export const gateSettings = {
  gate: gateRules({
    default: 'refuse',
    doc: 'Effect of a push after which a catalog would no longer compile: reject the push (`refuse`), accept it with a warning (`warn`), or compile no catalogs (`off`). NAME=MODE sets the mode of environments that match NAME, in which `*` stands for any characters. Example: `warn, production=refuse, feature_*=off`. The last match applies.',
  }),
  gate_nodes: nodeCount({
    default: 'all',
    doc: 'Number of nodes of an environment whose catalogs the gate compiles for a push: `all`, or the N most recently active nodes.',
  }),
  gate_budget: defineDuration({
    default: '5m',
    doc: 'Time limit for the check of a push. When the limit is reached, the push is accepted, and the output lists the unchecked nodes.',
  }),
  gate_without_server: defineChoice(
    'compile',
    'refuse',
  )({
    default: 'compile',
    doc: 'Behavior of the Git hook if no server responds: compile the catalogs in the hook (`compile`), or reject the push (`refuse`).',
  }),
  gate_store_queries: defineBoolean({
    default: 'true',
    doc: 'Allow code that the gate compiles to query the store (puppetdb_query). Pushers can see query results in errors and changes. If `false`, code with such queries fails in the gate.',
  }),
  push_lint: gateRules({
    default: 'off',
    doc: 'Effect of problems that the linter finds in the manifests that a push changes: reject the push if `plumb lint` would exit with 1 (`refuse`), accept it with a warning (`warn`), or do not check (`off`). The options are those of .puppet-lint.rc in the pushed commit. NAME=MODE sets the mode of environments, as in `gate`.',
  }),
  push_format: gateRules({
    default: 'off',
    doc: 'Effect of manifests that a push changes and that are not formatted as by `plumb format`: reject the push (`refuse`), accept it with a warning (`warn`), or do not check (`off`). NAME=MODE sets the mode of environments, as in `gate`.',
  }),
  gate_skip: defineBoolean({
    default: 'false',
    doc: 'Allow pushers to skip the gate, the linter and the formatter with `git push -o plumb.skip-gate`. The name of the pusher is recorded.',
  }),
} as const
