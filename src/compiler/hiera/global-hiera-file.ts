import { basename, dirname, resolve } from 'node:path'
import { PuppetError } from '../../base/issue.ts'
import { Digests } from '../../code/environments/digests.ts'
import { openFolderTree } from '../../code/environments/folder-tree.ts'
import { readHieraConfig } from './config.ts'

/**
 * Returns a global hiera.yaml with the folders of its data, for `openCommandLineCode`. A `datadir` with variables counts
 * up to the first variable. An invalid file has no folders; the first lookup reports its error.
 */
export function readGlobalHieraFile(file: string): { readonly file: string; readonly dataFolders: readonly string[] } {
  const directory = dirname(resolve(file))
  const folders = listDatadirs(directory, basename(file)).map((datadir) => {
    const [literal = '', ...variable] = datadir.split('%{')
    return resolve(directory, variable.length > 0 ? literal.slice(0, literal.lastIndexOf('/') + 1) : literal)
  })
  return { file, dataFolders: [...new Set(folders)].filter((folder) => folder !== '/') }
}

function listDatadirs(directory: string, name: string): readonly string[] {
  try {
    const config = readHieraConfig(openFolderTree({ directory, only: [name] }, new Digests()), name, 'global')
    return config?.hierarchy.map(({ datadir }) => datadir) ?? []
  } catch (error) {
    if (error instanceof PuppetError) return []
    throw error
  }
}
