import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { formatDiagnosticLine, PuppetError } from '../../../src/base/issue.ts'
import { parseRolloutPlan } from '../../../src/deploy/rollout/rollout-file.ts'

const parse = (text: string) => parseRolloutPlan(text, 'rollout.yaml')

function findError(text: string) {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof PuppetError) return error.diagnostic
    throw error
  }
  throw new Error('the plan was accepted')
}

const full = `
waves:
  - { name: canary,  nodes: { certnames: [web1.example.com, 'canary-*'] }, wait: 10m, approve: false }
  - { name: staging, nodes: { query: 'inventory[certname]{ trusted.extensions.pp_env = "staging" }' }, wait: 20m }
  - { name: tenth,   nodes: { percent: 10, by: [facts.datacenter, trusted.extensions.pp_role] }, wait: 30m, approve: true }
  - { name: rest }
halt:
  failed: 5%
  unreachable: 20%
  corrective: 3
  minimum: 1
  query: 'reports[certname]{ status = "failed" }'
  metrics: [ { url: 'https://prometheus.example.com:9090', query: 'errors', above: 0.5 } ]
  http: [ { url: 'https://shop.example.com/health' } ]
on_halt: pause
on_push: queue
order:   { max_at_once: 20, run_now: false }
windows: ['Mon-Thu 09:00-16:00 Europe/Paris']
`

const anywhere = { certnames: [], query: undefined, percent: undefined, by: [] }

describe('a plan', () => {
  it('has each part of the file', () => {
    expect(parse(full)).toEqual({
      waves: [
        {
          ...{ name: 'canary', waitSeconds: 600, approve: false },
          nodes: { ...anywhere, certnames: ['web1.example.com', 'canary-*'] },
        },
        {
          ...{ name: 'staging', waitSeconds: 1200, approve: false },
          nodes: { ...anywhere, query: 'inventory[certname]{ trusted.extensions.pp_env = "staging" }' },
        },
        {
          ...{ name: 'tenth', waitSeconds: 1800, approve: true },
          nodes: { ...anywhere, percent: 10, by: ['facts.datacenter', 'trusted.extensions.pp_role'] },
        },
        { name: 'rest', waitSeconds: undefined, approve: false, nodes: undefined },
      ],
      halt: {
        ...{ failed: { percent: 5 }, unreachable: { percent: 20 }, corrective: { count: 3 }, minimum: 1 },
        query: 'reports[certname]{ status = "failed" }',
        metrics: [{ url: 'https://prometheus.example.com:9090', query: 'errors', above: 0.5, below: undefined }],
        http: [{ url: 'https://shop.example.com/health', status: 200 }],
      },
      ...{ onHalt: 'pause', onPush: 'queue', order: { maxAtOnce: 20, runNow: false } },
      windows: [{ days: [1, 2, 3, 4], from: 540, to: 960, timeZone: 'Europe/Paris' }],
    })
  })

  it('has defaults, and a last wave for the remaining nodes', () => {
    expect(parse('waves: [ { name: canary, nodes: { certnames: web1 } } ]')).toEqual({
      waves: [
        { name: 'canary', waitSeconds: undefined, approve: false, nodes: { ...anywhere, certnames: ['web1'] } },
        { name: 'rest', waitSeconds: undefined, approve: false, nodes: undefined },
      ],
      halt: {
        ...{ failed: { percent: 5 }, unreachable: undefined, corrective: undefined, minimum: 2 },
        ...{ query: undefined, metrics: [], http: [] },
      },
      ...{ onHalt: 'rollback', onPush: 'supersede', order: { maxAtOnce: 50, runNow: true }, windows: [] },
    })
  })

  it.each([
    ['10m', 600],
    ['1h', 3600],
    ['0', 0],
    ['90', 90],
    ["'2d'", 172_800],
    ['30d', 2_592_000],
  ])('waits %s', (wait, seconds) => {
    expect(parse(`waves: [ { name: a, wait: ${wait} } ]`).waves[0]).toMatchObject({ waitSeconds: seconds })
  })

  it.each([
    ['10', 10],
    ['0.5', 0.5],
    ['10.0', 10],
    ['100', 100],
    ['12.5%', 12.5],
  ])('has a wave of a share of %s', (percent, share) => {
    const { waves } = parse(`waves: [ { name: a, nodes: { percent: ${percent} } } ]`)
    expect(waves[0]?.nodes?.percent).toBe(share)
  })
})

const inWave = (text: string) => `waves:\n  - name: a\n    ${text}\n`
const inNodes = (text: string) => inWave(`nodes: { ${text} }`)
const withWave = (text: string) => `waves: [ { name: a } ]\n${text}\n`
const longText = 'x'.repeat(9000)

describe('a wrong plan', () => {
  it.each<[string, string, string, string?]>([
    ['an empty file', '', "the rollout requires at least one wave in 'waves' (file: rollout.yaml, line: 1, column: 1)"],
    ['no waves', 'waves: []', "the rollout requires at least one wave in 'waves'"],
    ['a list', '[1]', 'the rollout must be a hash'],
    ['text', 'canary', 'the rollout must be a hash'],
    [
      'invalid YAML',
      'waves: [\n',
      'Could not parse the rollout: did not find expected node content while parsing a flow node at line 2 column 1 (file: rollout.yaml, line: 2, column: 1)',
    ],
    ['an alias', 'halt: &a {}\nwaves: *a', 'Could not parse the rollout: Unknown alias: a'],
    [
      'an object',
      'waves: !ruby/object:Object {}',
      'Could not parse the rollout: Tried to load unspecified class: Object',
    ],
    [
      'an unknown key',
      withWave('on_hold: pause'),
      "Unknown key 'on_hold' in the rollout (file: rollout.yaml, line: 2, column: 1)",
      "Did you mean 'on_halt'?",
    ],
    [
      'an unknown key of a wave',
      inWave('aprove: true'),
      "Unknown key 'aprove' in waves[0] (file: rollout.yaml, line: 3, column: 5)",
      "Did you mean 'approve'?",
    ],
    [
      'an unknown key of a check',
      withWave('halt:\n  metrics:\n    - { uri: x }'),
      "Unknown key 'uri' in halt.metrics[0] (file: rollout.yaml, line: 4, column: 9)",
      "Did you mean 'url'?",
    ],
    ['a key without similar ones', withWave('x: 1'), "Unknown key 'x'", 'Known keys: waves, halt, on_halt, on_push'],
    ['a terminal sequence in a key', withWave('"\\e[2J": 1'), "Unknown key '\\x1b[2J'"],
    ['waves of text', 'waves: canary', 'waves must be an array'],
    ['a wave of text', 'waves: [canary]', 'waves[0] must be a hash'],
    ['no name', 'waves: [ { wait: 1m } ]', 'waves[0] requires a name'],
    ['a number as name', 'waves: [ { name: 1 } ]', 'waves[0].name must be a string'],
    ['a name with spaces', 'waves: [ { name: "a b" } ]', 'waves[0].name must be a name of letters, digits, _ and -'],
    [
      'two waves of a name',
      'waves:\n  - { name: a, nodes: { percent: 1 } }\n  - { name: a }',
      "Two waves have the name 'a' (file: rollout.yaml, line: 3, column: 3)",
    ],
    [
      'a wave with the name of the last one',
      'waves: [ { name: rest, nodes: { percent: 1 } } ]',
      "Two waves have the name 'rest'",
    ],
    [
      'all nodes too early',
      'waves: [ { name: all }, { name: canary, nodes: { percent: 1 } } ]',
      "The wave 'all' contains all remaining nodes, so that later waves would be empty",
    ],
    [
      'too many waves',
      `waves: [${'{ name: a },'.repeat(budgets.rollout.waves.bound + 1)}]`,
      'waves must be an array of at most 50 items',
    ],
    ['no nodes', inNodes(''), 'waves[0].nodes requires certnames, query or percent'],
    [
      'a group without share',
      inNodes('certnames: [a], by: [facts.x]'),
      "waves[0].nodes requires percent, because it has 'by'",
    ],
    [
      'an upper-case certname',
      inNodes('certnames: [b, Web1]'),
      'waves[0].nodes.certnames[1] must be a certname in lower case',
    ],
    [
      'a regular expression',
      inNodes("certnames: ['(a+)+$']"),
      'waves[0].nodes.certnames[0] must be a certname in lower',
    ],
    ['a long pattern', inNodes(`certnames: ['${'*a'.repeat(200)}']`), 'certnames[0] must be a string of at most 255'],
    [
      'too many patterns',
      `waves:\n${['a', 'b'].map((name) => `  - { name: ${name}, nodes: { certnames: [${'x,'.repeat(600)}] } }`).join('\n')}`,
      'waves must be waves with at most 1000 certnames together',
    ],
    ['an empty query', inNodes('query: ""'), 'waves[0].nodes.query must be a string'],
    ['a long query', inNodes(`query: ${longText}`), 'waves[0].nodes.query must be a string of at most 8192 characters'],
    ['no share', inNodes('percent: 0'), 'waves[0].nodes.percent must be a number over 0 and at most 100'],
    ['a negative share', inNodes('percent: -5'), 'waves[0].nodes.percent must be a number over 0'],
    ['a large share', inNodes('percent: 101%'), 'waves[0].nodes.percent must be a number over 0'],
    ['an infinite share', inNodes('percent: .inf'), 'waves[0].nodes.percent must be a number'],
    ['an enormous share', inNodes('percent: 1e400'), 'waves[0].nodes.percent must be'],
    ['a share of text', inNodes('percent: many'), 'waves[0].nodes.percent must be a number over 0'],
    ['a wrong path', inNodes('percent: 5, by: [os.family]'), 'waves[0].nodes.by[0] must be the path of a fact'],
    ['too many paths', inNodes(`percent: 5, by: [${'facts.a,'.repeat(6)}]`), 'by must be an array of at most 5 items'],
    [
      'a negative wait',
      inWave('wait: -1'),
      'waves[0].wait must be a duration such as 10m, 1h or 0, of at most 30 days',
    ],
    ['a long wait', inWave('wait: 31d'), 'waves[0].wait must be a duration'],
    ['an endless wait', inWave('wait: unlimited'), 'waves[0].wait must be a duration'],
    ['a fraction of a second', inWave('wait: 1.5'), 'waves[0].wait must be a duration'],
    ['an enormous wait', inWave('wait: 99999999999999999999999999'), 'waves[0].wait must be a duration'],
    ['an unclear approval', inWave('approve: maybe'), 'waves[0].approve must be true or false'],
    [
      'a threshold of text',
      withWave('halt: { failed: few }'),
      'halt.failed must be a share such as 5%, or a number of nodes',
    ],
    ['a threshold of nothing', withWave('halt: { failed: 0% }'), 'halt.failed must be a share'],
    ['a threshold over all', withWave('halt: { unreachable: 200% }'), 'halt.unreachable must be a share'],
    ['an enormous threshold', withWave('halt: { corrective: 123456789012 }'), 'halt.corrective must be a share'],
    ['a minimum of nothing', withWave('halt: { minimum: 0 }'), 'halt.minimum must be a whole number from 1 to 1000000'],
    [
      'a metric without a query',
      withWave('halt: { metrics: [ { url: "http://a", above: 1 } ] }'),
      'halt.metrics[0] requires a query',
    ],
    [
      'a metric without bounds',
      withWave('halt: { metrics: [ { url: "http://a", query: x } ] }'),
      'halt.metrics[0] requires above or below',
    ],
    [
      'a metric without a URL',
      withWave('halt: { metrics: [ { query: x, above: 1 } ] }'),
      'halt.metrics[0] requires url',
    ],
    [
      'too many metrics',
      withWave(`halt: { metrics: [${'{},'.repeat(21)}] }`),
      'halt.metrics must be an array of at most 20 items',
    ],
    ['a file', withWave('halt: { http: [ { url: "file:///etc/passwd" } ] }'), 'halt.http[0].url must be a URL such as'],
    ['a password', withWave('halt: { http: [ { url: "https://u:p@a/" } ] }'), 'halt.http[0].url must be a URL such as'],
    [
      'a strange status',
      withWave('halt: { http: [ { url: "http://a", status: 7 } ] }'),
      'halt.http[0].status must be a whole number from 100 to 599',
    ],
    [
      'an unknown word',
      withWave('on_halt: rolback'),
      'on_halt must be one of rollback, pause',
      "Did you mean 'rollback'?",
    ],
    ['another unknown word', withWave('on_push: 1'), 'on_push must be one of supersede, queue'],
    ['no runs at once', withWave('order: { max_at_once: 0 }'), 'order.max_at_once must be a whole number from 1'],
    ['a date as window', withWave('windows: [2026-01-01]'), "Invalid time window '2026-01-01'"],
    [
      'a wrong window',
      withWave('windows:\n  - Mon 09:00-17:00\n  - Montag 09:00-17:00'),
      "Invalid time window 'Montag 09:00-17:00': 'Montag' contains no days such as Mon-Fri or Sat,Sun (file: rollout.yaml, line: 4, column: 3)",
    ],
    ['an enormous file', `# ${'x'.repeat(70_000)}`, 'The file exceeds the limit of 65536 characters'],
  ])('with %s is rejected', (_, text, message, hint) => {
    const found = findError(text)
    expect(found.code).toMatch(/^ROLLOUT_/)
    expect(formatDiagnosticLine(found)).toContain(message)
    expect(found.hint ?? '').toContain(hint ?? '')
  })
})
