import { describe, expect, it } from 'vitest'
import { createPageAddress, html } from '../../../src/base/text/html.ts'
import { fc } from '../../support/properties.ts'

const nasty = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '&lt;b&gt;',
  '`${7*7}`',
  '\u202eexe.gnp',
  '<!-- -->',
  ']]>',
  '\u0000\u001b[31m',
]

describe('html', () => {
  it.each(nasty)('shows %j as text', (text) => {
    const page = html`<p title="${text}">${text}</p>`.toString()
    expect(page.match(/[<>]/g)).toEqual(['<', '>', '<', '>'])
    expect(page.match(/["'`]/g)).toEqual(['"', '"'])
    expect(page).not.toMatch(/[\u0000-\u0008\u001b\u202e]/)
  })

  it('lets no text out of its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const inner = html`${text}`.toString()
        expect(inner).not.toMatch(/[<>"'`]/)
        expect(inner.replace(/&(?:amp|lt|gt|quot|#39|#96);/g, '')).not.toContain('&')
      }),
    )
  })

  it('takes HTML of its own, lists, and nothing', () => {
    const list = ['a', '<b>'].map((each) => html`<li>${each}</li>`)
    expect(html`<ul>${list}</ul>${undefined}${null}${false}${0}`.toString()).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    )
    expect(html`<p title="${html`<b>"</b>`}"></p>`.toString()).toBe('<p title="&lt;b&gt;&quot;&lt;/b&gt;"></p>')
  })

  it('takes nothing else for HTML', () => {
    const forged = { toString: () => '<b>' } as unknown as string
    expect(html`${forged}`.toString()).toBe('&lt;b&gt;')
  })

  it('has addresses of this server alone in href, src and action', () => {
    const of = (address: unknown) => html`<a href="${address as string}">x</a>`.toString()
    expect(of(createPageAddress(['nodes', 'a/b?"<'], { q: 'a&b "<', none: undefined, empty: '' }))).toBe(
      '<a href="/ui/nodes/a%2Fb%3F%22%3C?q=a%26b+%22%3C">x</a>',
    )
    for (const wrong of ['javascript:alert(1)', '/ui', '', 1, html`<b>`])
      expect(() => of(wrong)).toThrow('it is an address')
    expect(createPageAddress(['nodes', '..', 'x']).toString()).not.toContain('/../')
  })

  it.each([
    ['an attribute without quotes', () => html`<p title=${'x'}></p>`],
    ['an attribute in single quotes', () => html`<p title='${'x'}'></p>`],
    ['the name of an attribute', () => html`<p ${'x'}="1"></p>`],
    ['the name of an element', () => html`<${'x'}>`],
    ['a script', () => html`<script>${'x'}`],
    ['a style', () => html`<style>a{${'x'}}`],
    ['an attribute that is a script', () => html`<p onclick="${'x'}"></p>`],
    ['an attribute that is a style', () => html`<p style="${'x'}"></p>`],
    ['a document', () => html`<iframe srcdoc="${'x'}">`],
    ['a part of an address', () => html`<a href="/ui/${'x'}">`],
    ['a refresh', () => html`<meta content="${'x'}">`],
  ])('refuses a value in %s', (_, make) => {
    expect(make).toThrow('No value is allowed after')
  })
})
