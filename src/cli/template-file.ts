import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModuleSettings } from './language-files.ts'

/** The file of `module/template.epp`, in a module or else as a path. */
export function templateFile(
  name: string,
  { environmentpath, environment, basemodulepath }: ModuleSettings,
): string | undefined {
  const [module = '', ...rest] = name.split('/')
  const folders = [...environmentpath.map((each) => join(each, environment, 'modules')), ...basemodulepath]
  const inModules = folders.map((each) => join(each, module, 'templates', ...rest))
  const isRelative = /^[a-z]\w*$/.test(module) && rest.length > 0 && !rest.includes('..')
  return [...(isRelative ? inModules : []), name].find((file) => existsSync(file))
}
