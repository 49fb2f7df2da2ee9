import { throwIssue } from '../../base/issue.ts'
import { requireUtf8, throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { flattenArrays } from '../values/flatten.ts'
import { functionIssues } from './definition/issues.ts'
import { defineLegacyFunction } from './definition/legacy-function.ts'

/**
 * `generate`: runs a command given by its absolute path and arguments. Throws GENERATE_NOT_ALLOWED if the host does not
 * run commands.
 */
export const generate = defineLegacyFunction(
  'generate',
  'Returns the output of a command on the server, if the server allows it.',
  -2,
  (args, { host }) => {
    const command = flattenArrays(args).map(formatAsString)
    const program = command[0] ?? ''
    if (!program.startsWith('/')) throwArgumentError('Generators must be fully qualified')
    if (!/^[-/\w.+]+$/.test(program))
      throwArgumentError('Generators can only contain alphanumerics, file separators, and dashes')
    if (program.includes('..')) throwArgumentError("Can not use generators with '..' in them.")
    for (const word of command) requireUtf8(word)
    if (!host.generate) return throwIssue(functionIssues.GENERATE_NOT_ALLOWED, { program })
    return host.generate(command)
  },
)
