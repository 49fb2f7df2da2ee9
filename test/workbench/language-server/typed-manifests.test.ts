import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Editor, writeFiles } from './editor.ts'

const root = join(scratchFolder('typed-manifests'), 'm')
writeFiles(root, {
  'metadata.json': '{"name": "me-m"}',
  'hiera.yaml': '---\nversion: 5\nhierarchy: [{ name: a, path: common.yaml }]\n',
  'data/common.yaml': 'm::a: 1\n',
  'manifests/init.pp': 'class m($a = 1) { }',
  'facts.yaml': 'os: { family: Debian }\n',
})
const editor = new Editor(root, [], { facts: 'facts.yaml' })
beforeAll(() => editor.start())
afterAll(() => editor.end())

/** Largest number of manifests that are typed. */
const typedManifests = 200
/** Positions per manifest; all of them with TYPE_ALL_KEYS. */
const sampledPositions = process.env['TYPE_ALL_KEYS'] ? Number.POSITIVE_INFINITY : 2
/** Longest time in milliseconds for all responses at a position, on a busy machine. */
const responseTimeMs = 5000

const folder = join(import.meta.dirname, '../..')
const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.pp'))
  .sort()
  .slice(0, typedManifests)

/** Positions of a text, spread by a linear congruential generator so that runs are equal. */
function samplePositions(length: number, seed: number): readonly number[] {
  if (sampledPositions > length) return Array.from({ length: length + 1 }, (_, at) => at)
  let state = seed
  return Array.from({ length: sampledPositions }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % (length + 1)
  })
}

/** Asks about the end of a text; returns the milliseconds of all responses. */
async function askAtEnd(path: string, text: string): Promise<number> {
  const start = performance.now()
  await editor.type(path, text)
  const lines = text.split('\n')
  const textDocument = { uri: editor.uri(path) }
  const position = { line: lines.length - 1, character: lines.at(-1)!.length }
  const range = { start: { line: 0, character: 0 }, end: position }
  for (const method of ['completion', 'hover', 'definition', 'documentHighlight'])
    await editor.ask(`textDocument/${method}`, { textDocument, position })
  for (const method of ['documentSymbol', 'foldingRange', 'semanticTokens/full', 'inlayHint'])
    await editor.ask(`textDocument/${method}`, { textDocument, range })
  return performance.now() - start
}

describe('manifests that are being typed', () => {
  it.each(manifests)('have responses: %s', async (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    for (const length of samplePositions(text.length, name.length)) {
      expect(await askAtEnd('manifests/typed.pp', text.slice(0, length))).toBeLessThan(responseTimeMs)
      expect(await askAtEnd('templates/typed.erb', text.slice(0, length))).toBeLessThan(responseTimeMs)
    }
  })

  it.each([
    ['manifests/large.pp', `$x = '${'a'.repeat(5_000_000)}'\n$`],
    ['manifests/facts.pp', `$facts${"['os']".repeat(500_000)}[`],
    ['templates/large.erb', `<%= ${'@a '.repeat(1_500_000)}@`],
    ['data/large.yaml', `${'m::b: [1]\n'.repeat(400_000)}m`],
    ['data/deep.yaml', `m::a: ${'['.repeat(100_000)}`],
    [
      'data/aliases.yaml',
      `a: &a [1,1]\n${Array.from({ length: 40 }, (_, at) => `b${at}: &a [*a,*a]\n`).join('')}m::a: *a\n`,
    ],
    ['metadata.json', `{"name": ${'['.repeat(1_000_000)}`],
    ['Puppetfile', `mod '${'x'.repeat(5_000_000)}`],
  ])('have responses for a hostile %s', async (path, text) => {
    await askAtEnd(path, text)
    await editor.close(path)
    expect(await askAtEnd('manifests/after.pp', 'class m::after { }')).toBeLessThan(responseTimeMs)
  })

  // As in a long-lived process: V8 stops optimizing patterns once it has compiled many, and their repetitions then fail early.
  it('have diagnostics of a word with millions of characters', async () => {
    setFlagsFromString('--no-regexp-optimization')
    try {
      await editor.type('manifests/word.pp', `$x = '${'a'.repeat(5_000_000)}'\n`)
      await expect.poll(() => editor.diagnosticsOf('manifests/word.pp')?.diagnostics.at(-1)?.code).toBe('140chars')
    } finally {
      setFlagsFromString('--regexp-optimization')
      await editor.close('manifests/word.pp')
    }
  })
})
