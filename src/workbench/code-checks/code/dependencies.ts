import { join } from 'node:path'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import type { CodeModule } from '../../code-index/module-layout.ts'

/**
 * True if the modules that a module needs, directly or through others, are in the workspace. For code outside of
 * modules, these are the modules of the Puppetfile, and the dependencies of all modules.
 */
export function hasAllDependencies(workspace: CodeWorkspace, module: CodeModule | undefined): boolean {
  const pending = module ? [module] : [...workspace.modules.values()]
  const named = module ? [] : listPuppetfileModules(workspace)
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
    const names = readDependencies(workspace, at)
    if (!names?.every(add)) return false
  }
  return true
}

/** The modules that metadata.json names; undefined if it is not valid. */
function readDependencies(workspace: CodeWorkspace, { folder }: CodeModule): readonly string[] | undefined {
  const text = workspace.text(join(folder, 'metadata.json'))
  if (text === undefined) return []
  try {
    const { dependencies = [] } = JSON.parse(text) as { dependencies?: readonly { readonly name?: unknown }[] }
    return dependencies.map(({ name }) => toModuleName(String(name)))
  } catch {
    return undefined
  }
}

function listPuppetfileModules(workspace: CodeWorkspace): readonly string[] {
  const text = workspace.text(join(workspace.root, 'Puppetfile')) ?? ''
  return Array.from(text.matchAll(/^[ \t]*mod[ \t(]+['"]([\w/-]+)['"]/gm), ([, name]) => toModuleName(name!))
}

/** `stdlib` for `puppetlabs/stdlib`. */
function toModuleName(name: string): string {
  return name.split(/[-/]/).at(-1)!
}
