import { join } from 'node:path'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'

/** Names that Ruby files of modules define by their paths. */
export class RubyCode {
  readonly #workspace: CodeWorkspace
  readonly #names = new Map<string, ReadonlySet<string>>()

  constructor(workspace: CodeWorkspace) {
    this.#workspace = workspace
  }

  hasFunction(name: string): boolean {
    return this.#list('lib/puppet/functions').has(name) || this.#list('lib/puppet/parser/functions').has(name)
  }

  hasResourceType(name: string): boolean {
    return this.#list('lib/puppet/type').has(name)
  }

  hasDataType(name: string): boolean {
    return this.#list('lib/puppet/datatypes').has(name)
  }

  #list(folder: string): ReadonlySet<string> {
    const known = this.#names.get(folder)
    if (known) return known
    const names = new Set<string>()
    for (const module of this.#workspace.modules.values()) {
      const root = join(module.folder, folder)
      for (const path of this.#workspace.files.listBelow(root))
        if (path.endsWith('.rb'))
          names.add(
            path
              .slice(root.length + 1, -3)
              .replaceAll('/', '::')
              .toLowerCase(),
          )
    }
    this.#names.set(folder, names)
    return names
  }
}
