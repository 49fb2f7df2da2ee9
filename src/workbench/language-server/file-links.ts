import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Location } from 'vscode-languageserver'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { isDataFile, listDataKeys } from '../code-index/data-keys.ts'
import type { PointedPlace } from './navigation.ts'
import { toLocation, toOffset, toUri } from './positions.ts'

const filePattern = /^(?:puppet:\/\/\/modules\/)?([a-z]\w*)\/([\w./-]+)$/

/** The file that a string at a place names: a template, or a file of a module (`puppet:///modules/ntp/x`, `ntp/x`). */
export function findNamedFile(workspace: CodeWorkspace, place: PointedPlace): readonly Location[] {
  const text = findStringAt(workspace.text(place.path) ?? '', place)
  const [, module = '', rest = ''] = filePattern.exec(text ?? '') ?? []
  const folder = workspace.modules.get(module)?.folder
  if (folder === undefined || rest.split('/').includes('..')) return []
  const folders = text?.startsWith('puppet:') ? ['files'] : ['templates', 'files']
  const path = folders.map((each) => join(folder, each, rest)).find((each) => existsSync(each))
  const start = { line: 0, character: 0 }
  return path === undefined ? [] : [{ uri: toUri(path), range: { start, end: start } }]
}

/** The quoted string around a place, without its quotes. */
function findStringAt(text: string, { position }: PointedPlace): string | undefined {
  const line = text.split('\n', position.line + 1)[position.line] ?? ''
  for (const { 0: quoted, index } of line.matchAll(/'[^']*'|"[^"]*"/g))
    if (index <= position.character && position.character <= index + quoted.length) return quoted.slice(1, -1)
  return undefined
}

/** The parameter of a class that a key of Hiera data at a place sets. */
export function findParameterOfKey(workspace: CodeWorkspace, { path, position }: PointedPlace): readonly Location[] {
  const text = isDataFile(path) ? workspace.text(path) : undefined
  if (text === undefined) return []
  const offset = toOffset(text, position)
  const key = listDataKeys({ file: path, text }).find(({ span }) => span.start <= offset && offset <= span.end)
  const [, owner, parameter] = /^(.+)::(\w+)$/.exec(key?.name ?? '') ?? []
  const found = owner && workspace.findDefinition('attribute', `class:${owner}#${parameter}`)
  return found ? [toLocation(found)] : []
}
