import { PuppetError } from '../../../dist/base/issue.js'
import { parseRolloutPlan } from '../../../dist/deploy/rollout/rollout-file.js'
import { isInWindow, nextWindow } from '../../../dist/deploy/rollout/time-windows.js'
import { assignWaves } from '../../../dist/deploy/rollout/wave-members.js'
import { allowing, must, textOf } from '../target.js'

const now = Date.UTC(2026, 2, 28, 23, 30)
const nodes = ['web1', 'canary-1', 'canary-2.example.com', 'db', 'aaaaaaaaaaaaaaaaaaaaaaaa'].map((certname) => ({
  certname,
  groups: { 'facts.a': certname.slice(0, 1) },
}))

/** A rollout.yaml: refused in words, or a plan in which each node has a wave. @type {import('../target.js').Target} */
export default {
  name: 'rollout',
  seeds: [
    `waves:\n  - { name: canary, nodes: { certnames: [web1, 'canary-*'] }, wait: 10m, approve: false }\n  - name: tenth\n    nodes: { percent: 10, by: [facts.a] }\n    wait: 1h\n  - { name: rest }\nhalt: { failed: 5%, unreachable: 2, minimum: 1, query: 'nodes[certname]{}' }\n`,
    `waves: [ { name: a, nodes: { query: 'nodes {}' } } ]\non_halt: pause\non_push: queue\norder: { max_at_once: 5, run_now: true }\nwindows: ['Mon-Thu 09:00-16:00 Europe/Paris', 'Sat,Sun 22:00-02:00']\n`,
    `waves: [ { name: a } ]\nhalt:\n  metrics: [ { url: 'https://p:9090', query: up, above: 0.5, below: -1 } ]\n  http: [ { url: 'http://a/', status: 204 } ]\n`,
  ],
  dictionary: [
    ...[
      'waves',
      'name',
      'nodes',
      'certnames',
      'query',
      'percent',
      'by',
      'wait',
      'approve',
      'halt',
      'failed',
      'metrics',
    ],
    ...[
      'http',
      'url',
      'status',
      'above',
      'below',
      'order',
      'windows',
      'on_halt',
      'on_push',
      'minimum',
      'rest',
      'facts.',
    ],
    ...[
      'Mon',
      '-',
      ',',
      ':',
      '00:00',
      '24:00',
      'Europe/Paris',
      'UTC',
      '%',
      '*',
      '.inf',
      '.nan',
      '1e9',
      '-1',
      '0',
      '{',
      '}',
    ],
    ...[
      '[',
      ']',
      '\n',
      '  ',
      '- ',
      "'",
      '"',
      '&a ',
      '*a',
      '!',
      'true',
      'null',
      '9999999999999999999',
      'unlimited',
      '30d',
    ],
  ],
  run(bytes) {
    const plan = allowing([PuppetError], () => parseRolloutPlan(textOf(bytes), 'rollout.yaml'))
    if (!plan) return
    const { waves, halt, order, windows } = plan
    must(waves.length > 0 && waves.length <= 51 && waves.at(-1).nodes === undefined, 'the last wave has all others')
    must(new Set(waves.map(({ name }) => name)).size === waves.length, 'names of waves')
    for (const { waitSeconds = 0 } of waves)
      must(waitSeconds >= 0 && waitSeconds <= 30 * 86_400, `a wait of ${waitSeconds}`)
    for (const { percent = 1 } of waves.flatMap(({ nodes: selected }) => selected ?? []))
      must(percent > 0 && percent <= 100, `a share of ${percent}`)
    must(halt.minimum >= 1 && order.maxAtOnce >= 1, 'numbers of nodes')
    for (const { url } of [...halt.metrics, ...halt.http]) must(/^https?:/i.test(url.trim()), `the URL ${url}`)
    const assigned = allowing([PuppetError], () => assignWaves(plan, nodes, new Map()))
    if (assigned) must(assigned.size === nodes.length, 'each node has a wave')
    const next = nextWindow(windows.slice(0, 3), now)
    if (next !== undefined) must(next >= now && isInWindow(windows, next), 'the next window contains its start')
  },
  freeMs: 200,
  nsPerByte: 10_000,
}
