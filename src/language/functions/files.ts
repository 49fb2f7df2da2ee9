import { fail } from '../../base/issue.ts'
import type { CallContext, CodeFiles } from '../host.ts'
import { rubyText } from '../types/printing/ruby-text.ts'
import { Binary } from '../values/binary.ts'
import { flatten } from '../values/flatten.ts'
import type { Value } from '../values/value.ts'
import { defineFunction } from './definition/define-function.ts'
import { functionIssues } from './definition/issues.ts'
import { defineLegacyFunction } from './definition/legacy-function.ts'

/**
 * `file`: returns the text of the first file that exists, without a byte order mark. Throws MISSING_FILES if none
 * exists.
 */
export const file = defineLegacyFunction(
  'file',
  'Returns the content of the first existing file among `MODULE/FILE` names and absolute paths.',
  -2,
  (args, { host }) => {
    for (const name of args) {
      const path = findPath(host.files, 'files', rubyText(name))
      const text = path === undefined ? undefined : host.files.readText(path)
      if (text !== undefined) return text.replace(/^\ufeff/, '')
    }
    return fail(functionIssues.MISSING_FILES, { names: flatten(args).map(rubyText).join(', ') })
  },
)

/** `binary_file`: returns the bytes of a file. Throws MISSING_BINARY_FILE if the file does not exist. */
export const binaryFile = defineFunction(
  'binary_file',
  'Returns the content of a file as a Binary, by `MODULE/FILE` name or absolute path.',
  {
    'String $path': (name: string, { host }: CallContext) => {
      const path = findPath(host.files, 'files', name)
      const bytes = path === undefined ? undefined : host.files.readBytes(path)
      return bytes ? new Binary(bytes) : fail(functionIssues.MISSING_BINARY_FILE, { name })
    },
  },
)

/** `find_file`: finds `MODULE/FILE` in the module's `files/`, or an absolute path; undef if no file exists. */
export const findFile = finder('find_file', 'files')
/** `find_template`: finds `MODULE/FILE` in the module's `templates/`, or an absolute path; undef if no file exists. */
export const findTemplate = finder('find_template', 'templates')

/** `module_directory`: undef if none of the modules exists. */
export const moduleDirectory = defineFunction(
  'module_directory',
  'Returns the directory of the first existing module.',
  {
    'String *$names': firstModule,
    'Array[String] *$names': (lists: readonly (readonly string[])[], context: CallContext) =>
      firstModule(lists.flat(), context),
  },
)

/** Path of a `MODULE/FILE` name or an absolute path; the file may be missing. */
export function findPath(files: CodeFiles, kind: 'files' | 'templates', name: string): string | undefined {
  return name.startsWith('/') ? name : files.findInModule(kind, name)
}

function finder(name: string, kind: 'files' | 'templates') {
  const first = (names: readonly string[], { host: { files } }: CallContext): Value => {
    for (const each of names) {
      const path = findPath(files, kind, each)
      if (path !== undefined && files.exists(path)) return path
    }
    return undefined
  }
  return defineFunction(name, `Returns the path of the first existing file among the ${kind} of modules.`, {
    'String *$paths': first,
    'Array[String] *$paths_array': (lists: readonly (readonly string[])[], context: CallContext) =>
      first(lists.flat(), context),
  })
}

function firstModule(names: readonly string[], { host }: CallContext): Value {
  for (const name of names) {
    const directory = host.files.moduleDirectory(name)
    if (directory !== undefined) return directory
  }
  return undefined
}
