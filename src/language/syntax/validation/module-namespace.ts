/** The namespace that a module's file requires for its definitions; `bad` if the file is not in a manifests folder. */
export type FileNamespace = string | { readonly bad: true }

const folders: readonly string[] = ['manifests', 'functions', 'types', 'plans']

/**
 * Namespace of a path relative to the modulepath, such as `ntp/manifests/service.pp`. Puppet:
 * dir_to_names.
 */
export function findModuleNamespace(path: string): FileNamespace {
  const parts = path.toLowerCase().split('/')
  const [module = '', folder = ''] = parts
  if (!folders.includes(folder)) return { bad: true }
  const file = parts.at(-1)!
  const names = [module, ...parts.slice(2, -1)]
  if (parts.length !== 3 || file !== 'init.pp') names.push(file.replace(/\.pp$/, ''))
  return names.join('::')
}
