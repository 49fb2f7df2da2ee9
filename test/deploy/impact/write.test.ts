import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Impact } from '../../../src/deploy/impact/impact-result.ts'
import type { NodeChange } from '../../../src/deploy/impact/node-change.ts'
import { formatImpactHtml, style } from '../../../src/deploy/impact/write/html.ts'
import { formatImpactJson } from '../../../src/deploy/impact/write/json.ts'
import { formatImpactMarkdown } from '../../../src/deploy/impact/write/markdown.ts'
import { formatImpactText } from '../../../src/deploy/impact/write/text.ts'

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='x",
  '</pre></details></style>',
  '`code` ``` fence\n```\n# not a heading',
  'a|b \\| c',
  '@everyone [link](http://evil.example)',
  '\u001b[31mred\u001b[0m',
  '\u202eevil',
  '${jndi} {{x}} &lt;',
]

const counts = { unaffected: 3, same: 0, changed: 2, broken: 1, failing: 1, mended: 0, fresh: 0, unchecked: 1 }

function changeOf(text: string): NodeChange {
  return {
    counts: { added: 1, removed: 1, changed: 1, moved: 1, edgesAdded: 1, edgesRemoved: 1 },
    added: [{ resource: `Notify[${text}]`, parameters: [{ name: text, value: text }] }],
    removed: [`File[${text}]`],
    changed: [
      {
        resource: `Exec[${text}]`,
        parameters: [
          { name: 'command', from: text, to: { [text]: 1 } },
          { name: 'content', from: undefined, to: undefined, patch: `@@ -1,1 +1,1 @@\n-${text}\n+${text} new` },
          { name: 'password', from: '[redacted]', to: '[redacted]', secret: true },
        ],
      },
    ],
    edges: { added: [`Class[Main] contains ${text}`], removed: [`Class[X] contains ${text}`] },
    moved: [`Service[${text}]`],
    classes: [text],
    restarts: [`Service[${text}]`],
  }
}

function impactWith(text: string, more: Partial<Impact> = {}): Impact {
  const failure = { message: text, file: text, line: 3, column: 7, hint: text }
  return {
    ...{ environment: 'production', from: 'production@1234567', to: text, counts },
    ...{ unaffected: ['a', 'b', 'c'], same: [], mended: [], fresh: [], unchecked: ['late'] },
    changed: [{ nodes: ['web1', 'web2'], change: changeOf(text) }],
    broken: [{ ...failure, nodes: ['bad'] }],
    failing: [{ ...failure, nodes: ['worse'] }],
    faults: [
      {
        kind: 'policy',
        rule: text,
        severity: 'error',
        message: text,
        resource: text,
        file: text,
        line: 3,
        nodes: ['odd'],
      },
      {
        kind: 'source',
        rule: undefined,
        severity: 'warning',
        message: text,
        resource: undefined,
        file: undefined,
        line: undefined,
        nodes: ['a', 'b'],
      },
    ],
    exports: [{ type: text, added: [text], removed: [], changed: [], exporters: [text], collectors: [] }],
    ...{ compiled: 4, recalled: 2, ms: 100 },
    ...more,
  }
}

const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

describe('an impact as a page', () => {
  it.each(hostile)('shows %j and does not obey it', (text) => {
    const page = formatImpactHtml(impactWith(text))
    const tags = new Set([...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name))
    const own =
      'html head meta title style body h1 h2 table tbody thead tr td th section p pre code details summary span'
    expect([...tags].filter((each) => !own.split(' ').includes(each!))).toEqual([])
    expect(page).not.toMatch(/<[^>]*\son\w+=|javascript:/)
    expect(page.match(/<style>/g)).toHaveLength(1)
    expect(page).not.toMatch(unprintable)
  })

  it('allows nothing but its one style, by the digest of just that', () => {
    const page = formatImpactHtml(impactWith('x'))
    const digest = hash('sha256', /<style>(.*)<\/style>/s.exec(page)![1]!, 'base64')
    const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    expect(style).not.toMatch(/url\(|@import/)
    expect(page).not.toMatch(/<script|src=|href=/)
  })
})

describe('an impact as a comment', () => {
  it.each(hostile)('shows %j and does not obey it', (text) => {
    const comment = formatImpactMarkdown(impactWith(text))
    expect(comment).not.toMatch(unprintable)
    // Out of fences and spans of code nothing of it stands.
    const bare = comment
      .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
      .replace(/(`+)[^`](?:[\s\S]*?[^`])?\1(?!`)/g, '')
      .replace(/<code>[^<]*<\/code>/g, '')
    for (const part of ['script', 'onerror', 'everyone', 'evil', 'jndi', 'not a heading', 'fence', 'onmouseover'])
      expect(bare).not.toContain(part)
    const rows = comment.split('\n').filter((line) => line.startsWith('| '))
    for (const row of rows) expect(row.match(/\|/g)!.length).toBeGreaterThanOrEqual(3)
    for (const row of rows.slice(-3)) expect(row.match(/\|/g)).toHaveLength(4)
  })

  it('fits, however much there is, and says what was left out', () => {
    const changed = Array.from({ length: 3000 }, (_, at) => ({ nodes: [`web${at}`], change: changeOf(`text ${at}`) }))
    const comment = formatImpactMarkdown(impactWith('x', { changed }))
    expect(comment.length).toBeLessThanOrEqual(65_536)
    expect(comment.length).toBeGreaterThan(60_000)
    expect(comment).toMatch(/\*Omitted, because the comment would be too long: \d+ changes\.\*\n$/)
    expect(comment).toContain('**Catalog compilation would fail: 1 node**')
    const huge = formatImpactMarkdown(impactWith('y'.repeat(70_000)))
    expect(huge.length).toBeLessThanOrEqual(65_536)
    expect(huge).toContain('… (cut)')
    expect(huge).toContain('### Impact on `production`')
  })
})

describe('an impact as text', () => {
  it.each(hostile)('shows %j in lines that a terminal does not obey', (text) => {
    for (const length of ['short', 'full'] as const)
      expect(formatImpactText(impactWith(text), length)).not.toMatch(unprintable)
  })

  it('is short for who pushes', () => {
    expect(formatImpactText(impactWith('x', { to: 'feature@7654321' }), 'short').split('\n')).toEqual([
      '! Catalog compilation would fail on 1 node: bad',
      '!   x (file: x, line: 3, column: 7)',
      '!   x',
      '! 1 node: odd: violates the policy x',
      '!   x: x (file: x, line: 3)',
      '? 2 nodes: a, b: a file source does not exist',
      '?   x',
      '~ 2 nodes: web1, web2 (1 added, 1 removed, 1 changed, 1 moved, edges: 1 added, 1 removed)',
      '    - File[x]',
      '    + Notify[x]',
      '    ~ Exec[x]: command, content, password',
      'Exported x: 1 added, 0 removed, 0 changed; exported by x; collected by no other node',
      '? Not checked: late',
      '8 nodes: 2 would change; 1 would fail; 3 unaffected; 1 failing as before; 1 not checked within the time limit',
      '',
    ])
  })

  it('counts what a short one leaves out', () => {
    const changed = Array.from({ length: 30 }, (_, at) => ({ nodes: [`web${at}`], change: changeOf(`text ${at}`) }))
    expect(formatImpactText(impactWith('x', { changed }), 'short')).toContain('~ 10 nodes more, in 10 other ways\n')
  })
})

describe('an impact as JSON', () => {
  it.each(hostile)('says %j, and a terminal does not obey it', (text) => {
    const json = formatImpactJson(impactWith(text))
    expect(json).not.toMatch(unprintable)
    expect(JSON.parse(json).broken[0].message).toBe(text)
  })

  it('is plain, with null for what is not there', () => {
    const read = JSON.parse(formatImpactJson(impactWith('x', { from: undefined })))
    expect(read).toMatchObject({ environment: 'production', from: null, counts, milliseconds: 100 })
    expect(read.changed[0].changed[0].parameters[1]).toEqual({
      ...{ name: 'content', from: null, to: null, secret: false },
      patch: '@@ -1,1 +1,1 @@\n-x\n+x new',
    })
    expect(read.changed[0].counts.edges_added).toBe(1)
    const bare = { rule: null, resource: null, file: null, line: null }
    expect(read.faults[1]).toEqual({ ...bare, kind: 'source', severity: 'warning', message: 'x', nodes: ['a', 'b'] })
  })
})
