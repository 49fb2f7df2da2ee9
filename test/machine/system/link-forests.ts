import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfinedFiles } from '../../../src/machine/system/confined-files.ts'
import { fc } from '../../support/properties.ts'

/** The targets of links by name. Each of three folders has a file `f` and all links. */
export type Forest = Readonly<Record<string, string>>

const folders = ['/', '/d', '/d/e']
const part = fc.constantFrom('..', '.', '', 'd', 'e', 'f', 'l0', 'l1', 'l2', 'outside')
const target = fc
  .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 6 }))
  .map(([isAbsolute, parts]) => `${isAbsolute ? '/' : ''}${parts.join('/')}` || '.')

/** Links to each other, up, and out. */
export const forests: fc.Arbitrary<Forest> = fc.record({ l0: target, l1: target, l2: target })

/** Makes the folders and links; the content of a file is its path. Returns paths to read, with and without links. */
export function writeForest(root: string, forest: Forest): readonly string[] {
  for (const folder of folders) {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'f'), join(folder, 'f'))
    for (const [name, to] of Object.entries(forest)) symlinkSync(to, join(root, folder, name))
  }
  return folders.flatMap((folder) =>
    ['f', 'l0', 'l1', 'l0/f', 'l2/l0', 'l1/../f', 'l0/l1/l2/f', 'l2/outside', '../../outside'].map((name) =>
      folder === '/' ? `/${name}` : `${folder}/${name}`,
    ),
  )
}

/** The content of each path inside the root; undefined where there is no file. */
export async function readPaths(root: string, paths: readonly string[]) {
  const files = createConfinedFiles(root)
  const read = await Promise.all(paths.map(async (path) => [path, await files.readText(path)] as const))
  return Object.fromEntries(read)
}
