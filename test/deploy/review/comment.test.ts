import { describe, expect, it } from 'vitest'
import type { Impact } from '../../../src/deploy/impact/impact-result.ts'
import { createImpactStatus, formatReviewComment } from '../../../src/deploy/review/review-comment.ts'

const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</details>\n\n# Approved by everyone',
  '@everyone @ops/team #1 !2',
  '/approve\n/merge',
  '`` ` ``` ````\n~~~',
  '[click](https://evil.example) ![](https://evil.example/x.png)',
  '<!-- plumbline: other -->',
  'a | b \\| c',
  '\u202eevil\u0000\u001b[31m',
]

const counts = { unaffected: 1, same: 0, changed: 2, broken: 1, failing: 0, mended: 0, fresh: 0, unchecked: 0 }

function impactWith(text: string, times = 1): Impact {
  const change = {
    counts: { added: 1, removed: 0, changed: 2, moved: 0, edgesAdded: 0, edgesRemoved: 0 },
    added: [{ resource: `Package[${text}]`, parameters: [{ name: 'ensure', value: text }] }],
    changed: [
      { resource: `File[${text}]`, parameters: [{ name: text, from: text, to: 'b' }] },
      {
        resource: `User[${text}]`,
        parameters: [{ name: 'password', from: '[redacted]', to: '[redacted]', secret: true }],
      },
    ],
    ...{ removed: [], edges: { added: [], removed: [] }, moved: [], classes: [text], restarts: [`Service[${text}]`] },
  }
  const failure = { message: text, file: text, line: 1, column: 1, hint: text }
  return {
    ...{ environment: 'production', from: 'production@1', to: text, counts },
    changed: Array.from({ length: times }, (_, at) => ({ nodes: [text, `web${at}`], change })),
    broken: [{ ...failure, nodes: [text] }],
    faults: [
      {
        kind: 'policy',
        rule: text,
        severity: 'error',
        message: text,
        resource: text,
        file: text,
        line: 1,
        nodes: [text],
      },
    ],
    ...{ unaffected: ['a'], same: [], mended: [], fresh: [], unchecked: [], failing: [], exports: [] },
    ...{ compiled: 1, recalled: 0, ms: 1 },
  }
}

const content = (impact: Impact | undefined, rules: readonly string[] = []) => ({
  ...{ source: 'control', environment: 'production', head: 'a'.repeat(40), impact, untested: 2, rules },
  consoleUrl: 'https://puppet.example.com',
})
const hosts = [
  { syntax: 'html', maxComment: 65_536 },
  { syntax: 'plain', maxComment: 32_768 },
] as const

/** The text of a comment outside of code: blocks and spans in backticks, and `<code>` with character references. */
function outsideCode(text: string): string {
  return text
    .replace(/^(`{3,})[a-z]*\n[\s\S]*?\n\1$/gm, '')
    .replace(/<code>(?:[A-Za-z0-9 ]|&#\d+;)*<\/code>/g, '')
    .replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
}

describe.each(hosts)('a comment in $syntax', (host) => {
  const known = outsideCode(formatReviewComment(content(impactWith('x')), host))

  it.each(hostile)('shows %j as code, wherever it comes from', (text) => {
    const comment = formatReviewComment(content(impactWith(text), [text]), host)
    expect(outsideCode(comment)).toBe(outsideCode(formatReviewComment(content(impactWith('x'), ['x']), host)))
    expect(comment).not.toContain('\u202e')
  })

  it('shows risks, and no value of a secret', () => {
    const comment = formatReviewComment(content(impactWith('x')), host)
    expect(comment).toContain('- Services restarted on 2 nodes: `Service[x]`')
    expect(comment).toContain('- Packages changed on 2 nodes: `Package[x]`')
    expect(comment).toContain('- Secrets changed (values omitted) on 2 nodes: `User[x] password`')
    expect(comment).toContain('2 nodes not tested')
    expect(known).toContain('[console](https://puppet.example.com/nodes)')
  })

  it('fits the host, however much there is', () => {
    const rules = Array.from({ length: 200 }, () => `${'r'.repeat(64)}: 1 approval by ${'a'.repeat(100)}`)
    const comment = formatReviewComment(content(impactWith('é'.repeat(5000), 400), rules), host)
    expect(comment.length).toBeLessThanOrEqual(host.maxComment)
    expect(comment).toContain('Omitted, because the comment would be too long')
    expect(comment).toContain('- … 180 more')
  })

  it('says so if no node is known', () => {
    expect(formatReviewComment(content(undefined), host)).toContain('No node of this environment is known.')
  })
})

it('a comment without HTML has none', () => {
  const comment = formatReviewComment(content(impactWith('x')), hosts[1])
  expect(comment).not.toMatch(/[<|]/)
  expect(comment.split('\n')[0]).toBe('[//]: # (plumbline: control)')
})

it('the status of a commit has counts only, and as many characters as the host takes', () => {
  const status = createImpactStatus(content(impactWith('@everyone')), { maxDescription: 40 })
  expect(status).toEqual({
    state: 'failure',
    description: '4 nodes: 2 would change; 1 would fail; …',
    url: 'https://puppet.example.com',
  })
  expect(createImpactStatus(content(undefined), { maxDescription: 40 }).state).toBe('success')
})
