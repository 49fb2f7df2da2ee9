/** The namespace that definitions in a file of a module must have, or that the file is in no folder for manifests. */
export type FileNamespace = string | { readonly bad: true }

const folders: readonly string[] = ['manifests', 'functions', 'types', 'plans']

/** The namespace of a file by its path under the modulepath, such as `ntp/manifests/service.pp` (Puppet: dir_to_names). */
export function namespaceOfModuleFile(path: string): FileNamespace {
  const parts = path.toLowerCase().split('/')
  const [module = '', folder = ''] = parts
  if (!folders.includes(folder)) return { bad: true }
  const file = parts.at(-1)!
  const names = [module, ...parts.slice(2, -1)]
  if (parts.length !== 3 || file !== 'init.pp') names.push(file.replace(/\.pp$/, ''))
  return names.join('::')
}
