import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { getModuleFiles, type ModuleFiles } from '../code/module-files.ts'
import type { CatalogFault } from './catalog-fault.ts'

/** The fields of a resource that the check reads, in a catalog that Plumb wrote. */
interface WrittenResource {
  readonly type: string
  readonly title: string
  readonly file?: string
  readonly line?: number
  readonly parameters?: Readonly<Record<string, unknown>>
}

/**
 * Returns a fault for each File resource none of whose sources exists, since the agent would fail to apply it. Only
 * sources in modules are checked.
 */
export function findMissingSources(body: Uint8Array, environment: CompileEnvironment): readonly CatalogFault[] {
  const text = Buffer.from(body).toString()
  if (!text.includes('puppet:///modules/')) return []
  const { resources } = JSON.parse(text) as { readonly resources: readonly WrittenResource[] }
  const files = getModuleFiles(environment)
  return resources.flatMap(({ type, title, file, line, parameters = {} }) => {
    const { source, ensure } = parameters
    const sources = (Array.isArray(source) ? source : [source]) as readonly unknown[]
    if (type !== 'File' || ensure === 'absent' || sources.length === 0) return []
    if (!sources.every((each) => typeof each === 'string' && isMissingSource(each, files))) return []
    // Puppet: type/file/source.rb.
    const message = `Could not retrieve information from environment ${environment.name} source(s) ${sources.join(', ')}`
    const resource = `${type}[${title}]`
    return [{ kind: 'source', rule: undefined, severity: 'error', message, resource, file, line }]
  })
}

/** Returns true if the source is in a module, and the environment does not contain the file. */
function isMissingSource(source: string, files: ModuleFiles): boolean {
  const [, module, path = ''] = /^puppet:\/\/\/modules\/([^/]+)(?:\/(.*))?$/s.exec(source) ?? []
  if (module === undefined) return false
  const names = path.split('/').filter((name) => name !== '')
  return files.fileOrFolder(module, ['files', ...names].join('/')) === undefined
}
