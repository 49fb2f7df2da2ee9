import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Location, SymbolInformation } from 'vscode-languageserver'
import { CodeWorkspace } from '../../../src/workbench/code-index/code-workspace.ts'
import { getPlaceName } from '../../../src/workbench/code-index/name-places.ts'
import { listModuleClasses } from '../../../src/workbench/manifest-tests/class-survey.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Editor, writeFiles } from './editor.ts'

let editor: Editor | undefined
afterEach(() => editor?.end())

async function open(root: string): Promise<Editor> {
  editor = new Editor(root)
  await editor.start()
  return editor
}

describe('two links to the folder that contains them', () => {
  const root = join(scratchFolder('links'), 'ntp')
  writeFiles(root, {
    'metadata.json': '{"name": "me-ntp"}',
    'manifests/init.pp': 'class ntp { }\n',
    'data/common.yaml': 'ntp::x: 1\n',
  })
  for (const folder of ['manifests', 'data'])
    for (const name of ['l1', 'l2']) symlinkSync('.', join(root, folder, name))

  it('are not followed by the language server', async () => {
    const found = await (await open(root)).ask<SymbolInformation[]>('workspace/symbol', { query: 'ntp' })
    expect(found.map(({ name }) => name)).toEqual(['ntp'])
  })

  it('are not followed in data', () => {
    const { index } = new CodeWorkspace(root)
    expect(index.findPlaces(getPlaceName('data key', 'ntp::x')).map(({ path }) => path)).toEqual([
      join(root, 'data/common.yaml'),
    ])
  })

  it('are not followed by a survey of classes, which reads no device', () => {
    symlinkSync('/dev/zero', join(root, 'manifests/zero.pp'))
    expect(listModuleClasses(root)).toEqual(['ntp'])
  })
})

describe('files that are not regular', () => {
  it.each(['metadata.json', 'environment.conf', '.puppet-lint.rc'])('have no effect as %s', async (name) => {
    const root = join(scratchFolder('devices'), 'ntp')
    writeFiles(root, { 'manifests/init.pp': 'class ntp {\n  $x = "a"\n}\n' })
    symlinkSync('/dev/zero', join(root, name))
    const server = await open(root)
    await server.type('manifests/new.pp', '# X.\nclass ntp::new {\n  $x = "a"\n}\n')
    await expect
      .poll(() => server.diagnosticsOf('manifests/new.pp')?.diagnostics.map(({ code }) => code))
      .toEqual(['double_quoted_strings'])
    const found = await server.askAt<Location[]>('textDocument/definition', 'manifests/other.pp', 'include nt‸p\n')
    expect(found.map(({ uri }) => uri)).toEqual([server.uri('manifests/init.pp')])
  })
})

describe('a file that is named as a folder of modules', () => {
  it('contains no modules', async () => {
    const root = scratchFolder('control')
    writeFiles(root, {
      ...{ modules: 'x', 'environment.conf': 'modulepath = modules:site\n' },
      'site/ntp/manifests/init.pp': 'class ntp { }\n',
    })
    const server = await open(root)
    const found = await server.askAt<Location[]>('textDocument/definition', 'manifests/site.pp', 'include nt‸p\n')
    expect(found.map(({ uri }) => uri)).toEqual([server.uri('site/ntp/manifests/init.pp')])
  })
})
