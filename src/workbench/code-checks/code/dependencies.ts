import { join } from 'node:path'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import type { CodeModule } from '../../code-index/module-layout.ts'

/**
 * True if the modules that a module needs, directly or through others, are in the workspace. For code outside of
 * modules, these are the modules of the Puppetfile, and the dependencies of all modules.
 */
export function hasAllDependencies(workspace: CodeWorkspace, module: CodeModule | undefined): boolean {
  const pending = module ? [module] : [...workspace.modules.values()]
  const { names: used } = workspace.index
  const named = module ? [] : (used.getDependencies(join(workspace.root, 'Puppetfile')) ?? [])
  const seen = new Set(pending.map(({ name }) => name))
  const add = (name: string): boolean => {
    const found = workspace.modules.get(name)
    if (found && !seen.has(name)) {
      seen.add(name)
      pending.push(found)
    }
    return found !== undefined
  }
  if (!named.every(add)) return false
  for (let at = pending.pop(); at; at = pending.pop()) {
    const metadata = join(at.folder, 'metadata.json')
    const names = used.hasDependencies(metadata) ? used.getDependencies(metadata) : []
    if (!names?.every(add)) return false
  }
  return true
}
