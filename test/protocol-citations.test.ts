import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
/** Numbers of the page's sections: `1`, `1.1`, `2`. */
const sections = new Set(Array.from(page.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm), ([, number]) => number))

/** Sections that a text cites: `protocol.md 1.6 and 1.7`, `protocol.md 3, 7, 8`, `protocol.md's section 2`. */
function citations(text: string): string[] {
  const found = text.matchAll(/protocol\.md(?:'s section)? (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/g)
  return Array.from(found, ([, numbers]) => numbers!.split(/, | and /)).flat()
}

const files = ['src', 'test', 'bench']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => /\.(ts|js|cases)$/.test(name) && name !== 'test/protocol-citations.test.ts')
  // The rows of the page name their sections as data.
  .filter((name) => !name.startsWith('test/server/wire/protocol/'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
  .filter(({ text }) => text.includes('protocol.md'))

describe('docs/protocol.md', () => {
  it('is cited by the source', () => expect(files.length).toBeGreaterThan(30))

  it.each(files)('has the sections that $name cites', ({ text }) => {
    const cited = citations(text)
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter((section) => !sections.has(section))).toEqual([])
  })

  it('has each section that its table of contents names', () => {
    const anchors = Array.from(page.matchAll(/^##+ (.*)$/gm), ([, title]) => anchorOf(title!))
    const links = Array.from(page.matchAll(/\]\(#([^)]*)\)/g), ([, anchor]) => anchor!)
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
  })
})

/** The anchor that a heading gets on a page of Markdown. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
