import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { writeFiles } from './editor.ts'

const left = without('Emacs with Eglot')

describe.skipIf(left !== '')(`Emacs with plumb language-server${left}`, () => {
  it('shows documentation, definitions and diagnostics of syntax, style and other files', async () => {
    const root = scratchFolder('emacs')
    writeFiles(root, {
      'metadata.json': '{"name": "me-x"}',
      'manifests/init.pp': '# X.\nclass x($a = 1) {\n  contain x::y\n  include x::yy\n  notice($a)\n}\n',
      'manifests/y.pp': '# Y.\nclass x::y { }\n',
    })
    const OUT = join(root, 'out.json')
    const env = { NODE: process.execPath, PLUMB: plumbMain, ROOT: root, OUT, HOME: root }
    await execa('emacs', ['--batch', '-l', join(import.meta.dirname, 'emacs.el')], {
      env,
      stdin: 'ignore',
      timeout: 120_000,
    })
    const { hover, definition, diagnostics } = JSON.parse(readFileSync(OUT, 'utf8'))
    expect(hover).toContain('class x(\n  $a = 1,\n)')
    expect(definition).toBe(pathToFileURL(join(root, 'manifests/y.pp')).href)
    expect(diagnostics).toEqual([expect.stringMatching(/unknown class 'x::yy'\. Did you mean 'x::y'\?$/)])
  })
})
