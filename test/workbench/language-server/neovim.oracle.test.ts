import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { writeFiles } from './editor.ts'

const left = without('Neovim')

describe.skipIf(left !== '')(`Neovim with plumb language-server${left}`, () => {
  it('shows documentation, definitions, references, completions, an outline and diagnostics', async () => {
    const root = scratchFolder('neovim')
    writeFiles(root, {
      'metadata.json': '{"name": "me-x"}',
      'manifests/init.pp': 'class x($a = 1) {\n  contain x::y\n}\n',
      'manifests/y.pp': 'class x::y { notice($x::a) }\n',
    })
    const OUT = join(root, 'out.json')
    const env = { NODE: process.execPath, PLUMB: plumbMain, ROOT: root, OUT, HOME: root }
    const script = join(import.meta.dirname, 'neovim.lua')
    await execa('nvim', ['--headless', '-u', 'NONE', '-c', `luafile ${script}`], {
      env,
      stdin: 'ignore',
      timeout: 120_000,
    })
    const { hover, definition, references, completion, symbols, diagnostics } = JSON.parse(readFileSync(OUT, 'utf8'))
    expect(hover.contents.value).toContain('class x(\n  $a = 1,\n)')
    const uri = (path: string) => pathToFileURL(join(root, path)).href
    expect(definition.map((each: { uri: string }) => each.uri)).toEqual([uri('manifests/y.pp')])
    expect(references.map((each: { uri: string }) => each.uri)).toEqual([
      uri('manifests/init.pp'),
      uri('manifests/y.pp'),
    ])
    expect(completion.map(({ label }: { label: string }) => label)).toEqual(['x', 'x::y'])
    expect(symbols[0].children.map(({ name }: { name: string }) => name)).toEqual(['$a'])
    expect(diagnostics.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^Syntax error at end of input/),
    ])
  })
})
