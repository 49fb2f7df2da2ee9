import { throwIssue } from '../../base/issue.ts'
import type { CallContext, CodeFiles } from '../host.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { Binary } from '../values/binary.ts'
import { flattenArrays } from '../values/flatten.ts'
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
      const path = findPath(host.files, 'files', formatAsString(name))
      const text = path === undefined ? undefined : host.files.readText(path)
      if (text !== undefined) return text.replace(/^\ufeff/, '')
    }
    return throwIssue(functionIssues.MISSING_FILES, { names: flattenArrays(args).map(formatAsString).join(', ') })
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
      return bytes ? new Binary(bytes) : throwIssue(functionIssues.MISSING_BINARY_FILE, { name })
    },
  },
)

/** `find_file`: finds `MODULE/FILE` in the module's `files/`, or an absolute path; undef if no file exists. */
export const findFile = defineFinder('find_file', 'files')
/** `find_template`: finds `MODULE/FILE` in the module's `templates/`, or an absolute path; undef if no file exists. */
export const findTemplate = defineFinder('find_template', 'templates')

/** `module_directory`: undef if none of the modules exists. */
export const moduleDirectory = defineFunction(
  'module_directory',
  'Returns the directory of the first existing module.',
  {
    'String *$names': findFirstModule,
    'Array[String] *$names': (lists: readonly (readonly string[])[], context: CallContext) =>
      findFirstModule(lists.flat(), context),
  },
)

/** Path of a `MODULE/FILE` name or an absolute path; the file may be missing. */
export function findPath(files: CodeFiles, kind: 'files' | 'templates', name: string): string | undefined {
  return name.startsWith('/') ? name : files.findInModule(kind, name)
}

function defineFinder(name: string, kind: 'files' | 'templates') {
  const findFirst = (names: readonly string[], { host: { files } }: CallContext): Value => {
    for (const each of names) {
      const path = findPath(files, kind, each)
      if (path !== undefined && files.exists(path)) return path
    }
    return undefined
  }
  return defineFunction(name, `Returns the path of the first existing file among the ${kind} of modules.`, {
    'String *$paths': findFirst,
    'Array[String] *$paths_array': (lists: readonly (readonly string[])[], context: CallContext) =>
      findFirst(lists.flat(), context),
  })
}

function findFirstModule(names: readonly string[], { host }: CallContext): Value {
  for (const name of names) {
    const directory = host.files.moduleDirectory(name)
    if (directory !== undefined) return directory
  }
  return undefined
}
