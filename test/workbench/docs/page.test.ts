import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { html } from '../../../src/base/text/html.ts'
import { renderMarkdown } from '../../../src/workbench/docs/site/markdown-html.ts'
import { formatPage } from '../../../src/workbench/docs/site/page.ts'
import { fc } from '../../support/properties.ts'
import { cases, readDocs, writeModule } from './cases.ts'

const render = (text: string): string => html`${renderMarkdown(text)}`.toString()

describe('Markdown as HTML', () => {
  it.each([
    ['a\nb\n\nc', '<p>a\nb</p><p>c</p>'],
    ['# Title\ntext', '<h5>Title</h5><p>text</p>'],
    [
      '* one\n* two\n  * deep\n\n  more\n\nend',
      '<ul><li>one</li><li>two<ul><li>deep</li></ul><p>more</p></li></ul><p>end</p>',
    ],
    ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    ['```puppet\n<a>\n```\nb', '<pre tabindex="0"><code>&lt;a&gt;</code></pre><p>b</p>'],
    ['    code\n\n    more', '<pre tabindex="0"><code>code\n\nmore</code></pre>'],
    [
      '`a*b` **bold `c`** *em* a_b_c _e_',
      '<p><code>a*b</code> <strong>bold <code>c</code></strong> <em>em</em> a_b_c <em>e</em></p>',
    ],
    [
      '[x](https://a.test/b?c=d&e) https://a.test/.',
      '<p><a href="https://a.test/b?c=d&amp;e">x</a> <a href="https://a.test/">https://a.test/</a>.</p>',
    ],
    ['[x](#place) <https://a.test>', '<p><a href="#place">x</a> <a href="https://a.test/">https://a.test</a></p>'],
    ['\\*a\\* ** b **', '<p>*a* ** b **</p>'],
  ])('%j', (text, expected) => {
    expect(render(text)).toBe(expected)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x]( data:text/html,<b>)',
    '[x](https://a.test/"onclick="alert(1))',
    '[<b>](https://a.test)',
    '`<b>` **<b>** *<b>*',
    '<https://a.test/"><b>',
    '```"><b>\n</code></pre><b>\n```',
    'https://a.test/\'"><b>',
  ])('shows %j as text', (text) => {
    expect(listTags(render(text))).toEqual([])
  })

  it('never passes HTML through', () => {
    const marks = [
      '<',
      '>',
      '"',
      "'",
      '`',
      '```',
      '*',
      '**',
      '_',
      '[',
      '](',
      ')',
      '#',
      '\n',
      '\n    ',
      '* ',
      '1. ',
      'https://a',
      'javascript:',
      '&',
      'b',
      ' ',
    ]
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom(...marks)).map((each) => each.join('')),
        ),
        (text) => {
          expect(listTags(render(text))).toEqual([])
        },
      ),
    )
  })
})

/** Tags that the converter does not write. */
function listTags(text: string): readonly string[] {
  const own =
    /^<(?:\/?(?:p|h5|h6|ul|ol|li|code|strong|em|pre)|pre tabindex="0"|a href="(?:https?:\/\/|#)[^"<>\s]*"|\/a)>$/
  return (text.match(/<[^>]*>?/g) ?? []).filter((tag) => !own.test(tag))
}

describe('the page', () => {
  const module = writeModule(`-- manifests/init.pp --
# <script>alert('comment')</script>
# @param a </dd><script>alert('param')</script>
# @example </code><script>alert('example')</script>
#   </pre><script>alert('code')</script>
class example($a = '</code><script>alert("default")</script>') {}
-- tasks/t.json --
{"description": "<script>alert('task')</script>", "parameters": {"<b>": {"type": "<script>"}}, "supports_noop": "<script>"}
`)
  const page = formatPage(readDocs(module), { name: '<script>alert("title")</script>', version: '"><script>' })

  it('has one script and one style, which its policy names by their digests', () => {
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!)
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text!)
    expect([scripts.length, styles.length]).toEqual([1, 1])
    const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(page).toContain(`style-src ${digest(styles[0]!)}; script-src ${digest(scripts[0]!)}`)
    expect(page).toContain(`content="default-src 'none'; base-uri 'none'`)
  })

  it('contains no code of the module', () => {
    const body = page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'))
    expect(body).not.toMatch(/<(?:script|b)\b/)
    expect(body).toContain('&lt;script&gt;alert(&#39;comment&#39;)&lt;/script&gt;')
  })

  it('loads nothing', () => {
    expect(page).not.toMatch(/<(?:link|img|iframe|object|script src)|@import|url\(/)
  })

  it.each(Object.entries(cases))('%s: ids are unique, and links lead to them', (_, text) => {
    const written = formatPage(readDocs(writeModule(text)), { name: 'example', version: undefined })
    const ids = [...written.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const nav = written.slice(written.indexOf('<nav'), written.indexOf('</nav>'))
    const targets = [...nav.matchAll(/href="#([^"]*)"/g)].map(([, id]) => decodeURIComponent(id!))
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
    expect(targets.length).toBeGreaterThan(0)
  })
})
