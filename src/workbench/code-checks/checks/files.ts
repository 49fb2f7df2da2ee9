import { join } from 'node:path'
import type { Expression } from '../../../language/syntax/tree/nodes.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import type { CodeCheck } from '../code-check.ts'

/** Files that `source`, `template`, `epp` and `file` name literally, in modules that are present. */
export const missingFile: CodeCheck = {
  name: 'missing_file',
  check(file, code, report) {
    for (const { node } of file.listNodes('AttributeOperation'))
      if (node.name === 'source')
        for (const value of listBranches(node.value)) {
          const [, module = '', path = ''] = urlPattern.exec(value.kind === 'LiteralString' ? value.value : '') ?? []
          if (isMissing(code, module, 'files', path))
            report(`the module '${module}' has no file 'files/${path}'`, value.span)
        }
    for (const { node } of file.listNodes('CallNamedFunction')) {
      const name = node.functor.kind === 'QualifiedName' ? node.functor.value : ''
      const folder = Object.hasOwn(folders, name) ? folders[name] : undefined
      if (folder === undefined || (name === 'file' && node.arguments.length !== 1)) continue
      for (const each of name === 'epp' ? node.arguments.slice(0, 1) : node.arguments) {
        const given = each.kind === 'LiteralString' ? each.value : ''
        const [, module = '', path = ''] = namePattern.exec(given) ?? []
        if (isMissing(code, module, folder, path))
          report(`the module '${module}' has no file '${folder}/${path}'`, each.span)
      }
    }
  },
}

const urlPattern = /^puppet:\/\/\/modules\/(\w+)\/(.+)$/
const namePattern = /^([a-z]\w*)\/(.+)$/
/** Folders of modules in which functions find their files. */
const folders: Readonly<Record<string, string>> = { template: 'templates', epp: 'templates', file: 'files' }

/** The values that an expression may have; not those of a list, of which Puppet uses the first file that exists. */
function listBranches(node: Expression): readonly Expression[] {
  return node.kind === 'Selector' ? node.selectors.map(({ value }) => value) : [node]
}

function isMissing({ workspace }: CheckedCode, module: string, folder: string, path: string): boolean {
  const found = workspace.modules.get(module)
  if (!found || path.split('/').includes('..')) return false
  const full = join(found.folder, folder, path)
  return !workspace.files.exists(full) && !workspace.files.exists(`${full}.epp`)
}
