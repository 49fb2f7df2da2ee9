import { join } from 'node:path'
import type { NameKind } from './occurrence.ts'

/** A module: its name, and its folder. */
export interface CodeModule {
  readonly name: string
  readonly folder: string
}

/** Folders of a module with manifests, by the kind of name that they define. */
const manifestFolders: Readonly<Partial<Record<NameKind, string>>> = {
  class: 'manifests',
  'resource type': 'manifests',
  function: 'functions',
  'data type': 'types',
}

/** Files that may define a name in a module, in the order in which Puppet's autoloader searches them. */
export function listDefiningFiles(kind: NameKind, name: string, module: CodeModule): readonly string[] {
  const [first, ...rest] = name.split('::')
  const folder = manifestFolders[kind]
  const own = first === module.name
  const found: string[] = []
  if (folder !== undefined && own) {
    const path = rest.length === 0 ? 'init' : rest.join('/')
    found.push(join(module.folder, folder, `${path}.pp`))
    // A module's init.pp may contain all of its definitions.
    if (folder === 'manifests') found.push(join(module.folder, 'manifests/init.pp'))
  }
  if (kind === 'function') {
    found.push(join(module.folder, 'lib/puppet/functions', `${name.replaceAll('::', '/')}.rb`))
    if (rest.length === 0) found.push(join(module.folder, 'lib/puppet/parser/functions', `${name}.rb`))
  }
  if (kind === 'resource type' && rest.length === 0) found.push(join(module.folder, 'lib/puppet/type', `${name}.rb`))
  return [...new Set(found)]
}

/** A name that a manifest of a module defines by its path. */
export interface AutoloadName {
  readonly name: string
  readonly path: string
  readonly folder: 'manifests' | 'functions' | 'types'
}

/** Returns undefined for a file that defines no name by its path, such as a test manifest. */
export function toAutoloadName(module: CodeModule, path: string): AutoloadName | undefined {
  const [, folder, inner] = /^(manifests|functions|types)\/(.+)\.pp$/.exec(path.slice(module.folder.length + 1)) ?? []
  if (folder === undefined || inner === undefined || inner.endsWith('_test')) return undefined
  const name = inner === 'init' ? module.name : [module.name, ...inner.split('/')].join('::')
  return { name, path, folder: folder as AutoloadName['folder'] }
}
