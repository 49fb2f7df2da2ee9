import { existsSync, readFileSync } from 'node:fs'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { findModule, joinPath } from '../../code/environments/modules.ts'

/** The text of a template, and the file named in messages. */
export interface TemplateFile {
  readonly file: string
  readonly text: string
}

/** Finds `module/template.epp` in the modules, otherwise a file; `undefined` if neither exists. */
export function findEppTemplate(name: string, code: Pick<CompileEnvironment, 'modulepath'>): TemplateFile | undefined {
  return (
    findModuleTemplate(name, code) ?? (existsSync(name) ? { file: name, text: readFileSync(name, 'utf8') } : undefined)
  )
}

function findModuleTemplate(name: string, code: Pick<CompileEnvironment, 'modulepath'>): TemplateFile | undefined {
  const [module = '', ...rest] = name.split('/')
  if (rest.length === 0 || rest.includes('..')) return undefined
  const directory = findModule(code, module)?.directory
  if (!directory) return undefined
  const { tree, path } = directory
  const file = joinPath(path, `templates/${rest.join('/')}`)
  const text = tree.readText(file)
  return text === undefined ? undefined : { file: `${tree.root}/${file}`, text }
}
