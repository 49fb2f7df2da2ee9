import { boolean, duration, oneOf, words } from '../kinds.ts'

/** The gate: what a push has to pass before it lands. */
export const gate = {
  gate: words({
    default: 'refuse',
    doc: 'What becomes of a push by which a node that has a catalog would have none: refuse, warn, or off; for single environments NAME=WORD, with * for any characters: `warn, production=refuse, feature_*=off`. The last that fits counts.',
  }),
  gate_nodes: words({
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
