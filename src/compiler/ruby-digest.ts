import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CodeTree } from '../environments/code-tree.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import type { ModuleFiles } from './module-files.ts'

const digests = new LRUCache<string, string>({ max: 32 })

/** Names all Ruby code that modules bring: which files there are, and what is in them. */
export function rubyDigest({ tree, modulepath }: CompileEnvironment, files: ModuleFiles): string {
  const code = [tree.id, ...modulepath.flatMap((directory) => [directory.tree.id, directory.path])].join('\0')
  const known = digests.get(code)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const name of files.names()) {
    const module = files.module(name)!
    hash.update(`${module.tree.root}/${module.path}\0`)
    for (const [file, oid] of rubyFiles(module.tree, `${module.path}/lib`)) hash.update(`${file}\0${oid}\0`)
  }
  for (const [file, oid] of rubyFiles(tree, 'lib')) hash.update(`${file}\0${oid}\0`)
  const digest = hash.digest('hex')
  digests.set(code, digest)
  return digest
}

function* rubyFiles(tree: CodeTree, folder: string): Generator<[string, string]> {
  for (const name of tree.list(folder)) {
    const path = `${folder}/${name}`
    const entry = tree.entry(path)
    if (entry?.kind === 'directory') yield* rubyFiles(tree, path)
    else if (entry?.kind === 'file' && name.endsWith('.rb')) yield [path, entry.oid]
  }
}
