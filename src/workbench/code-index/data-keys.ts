import { join } from 'node:path'
import type { Source, SourceSpan } from '../../base/source.ts'
import type { CodeWorkspace } from './code-workspace.ts'

/** A key at the top level of a file of Hiera data. */
export interface DataKey {
  readonly name: string
  /** The key without quotes. */
  readonly span: SourceSpan
}

/** Folders of Hiera data in a module or a control repository. */
const dataFolders = ['data', 'hieradata', 'hiera']
const keyPattern = /^(["']?)([a-z]\w*(?:::\w+)*)\1[ \t]*:(?=\s|$)/gm

/** True for a file of Hiera data. */
export function isDataFile(path: string): boolean {
  return /\.(?:yaml|yml|eyaml)$/.test(path)
}

/** Lists the keys of a YAML file by their lines; the file need not be valid. */
export function listDataKeys(source: Source): readonly DataKey[] {
  return Array.from(source.text.matchAll(keyPattern), ({ index, 1: quote = '', 2: name = '' }) => {
    const start = index + quote.length
    return { name, span: { source, start, end: start + name.length } }
  })
}

/** Finds a key in all files of Hiera data of a workspace. */
export function findDataKeys(workspace: CodeWorkspace, name: string): readonly (DataKey & { readonly path: string })[] {
  const roots = [workspace.root, ...[...workspace.modules.values()].map(({ folder }) => folder)]
  const files = [...new Set(roots)]
    .flatMap((root) => dataFolders.map((each) => join(root, each)))
    .flatMap((folder) => workspace.files.listBelow(folder))
    .filter(isDataFile)
  return [...new Set(files)].flatMap((path) => {
    const text = workspace.text(path)
    if (text === undefined || !text.includes(name)) return []
    return listDataKeys({ file: path, text })
      .filter((key) => key.name === name)
      .map((key) => ({ ...key, path }))
  })
}
