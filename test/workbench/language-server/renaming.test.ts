import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkspaceEdit } from 'vscode-languageserver'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { Editor, writeFiles } from './editor.ts'

const root = join(scratchFolder('renaming'), 'ren')
const files = {
  'metadata.json': '{"name": "me-ren"}',
  'manifests/init.pp': 'class ren($port = 1) {\n  $taken = 2\n  notice($port)\n}\n',
  'manifests/def.pp': 'define ren::def($size, $depth = 1) {\n  [1].each |$inner| { notice($size, $inner) }\n}\n',
  'manifests/sub.pp': 'class ren::sub inherits ren {\n  notice($port)\n}\n',
  'manifests/use.pp': `class ren::use {
  Ren::Def['a'] { size => 1 }
  Ren::Def <| (size == '3') and title != 'x' |> { size => 2 }
  class { ['ren']: port => 1 }
  Class['ren'] { port => 2 }
}
`,
  'templates/a.epp': 'x <%= $ren::port %>\n',
}
writeFiles(root, files)
const editor = new Editor(root)
beforeAll(() => editor.start())
afterAll(() => editor.end())

async function rename(path: keyof typeof files, text: string, newName: string): Promise<readonly string[]> {
  const marked = files[path].replace(text, `‸${text}`)
  const { changes } = await editor.askAt<WorkspaceEdit>('textDocument/rename', path, marked, { newName })
  return Object.entries(changes!)
    .flatMap(([uri, edits]) =>
      edits.map(({ range }) => `${uri.slice(editor.uri('').length).replace(/^\//, '')}:${range.start.line + 1}`),
    )
    .sort()
}

describe('renaming a parameter', () => {
  it('changes overrides and collectors of a defined type', async () => {
    expect(await rename('manifests/def.pp', 'size', 'width')).toEqual([
      ...['manifests/def.pp:1', 'manifests/def.pp:2', 'manifests/use.pp:2', 'manifests/use.pp:3', 'manifests/use.pp:3'],
    ])
  })

  it('changes declarations in lists, overrides and templates of a class', async () => {
    expect(await rename('manifests/init.pp', 'port', 'socket')).toEqual([
      ...['manifests/init.pp:1', 'manifests/init.pp:3', 'manifests/sub.pp:2', 'manifests/use.pp:4'],
      ...['manifests/use.pp:5', 'templates/a.epp:1'],
    ])
  })

  it('starts at a use of an inherited variable', async () => {
    expect(await rename('manifests/sub.pp', 'port', 'socket')).toHaveLength(6)
  })

  it.each<readonly [what: string, path: keyof typeof files, text: string, newName: string]>([
    ['of another parameter', 'manifests/def.pp', 'size', 'depth'],
    ['of another variable', 'manifests/init.pp', 'port', 'taken'],
    ['that a lambda hides', 'manifests/def.pp', 'size', 'inner'],
    ['of a variable around a lambda', 'manifests/def.pp', 'inner', 'size'],
    ['that the compiler sets', 'manifests/def.pp', 'size', 'title'],
    ['of facts', 'manifests/init.pp', 'port', 'facts'],
    ['of a metaparameter', 'manifests/def.pp', 'size', 'require'],
  ])('rejects the name %s', async (_, path, text, newName) => {
    await expect(rename(path, text, newName)).rejects.toThrow(`'${newName}' is not a valid name of a variable`)
  })
})
