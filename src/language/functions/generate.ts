import { fail } from '../../base/issue.ts'
import { refuse, requireUtf8 } from '../ruby-semantics/argument-error.ts'
import { rubyText } from '../types/printing/ruby-text.ts'
import { flatten } from '../values/flatten.ts'
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
    const command = flatten(args).map(rubyText)
    const program = command[0] ?? ''
    if (!program.startsWith('/')) refuse('Generators must be fully qualified')
    if (!/^[-/\w.+]+$/.test(program)) refuse('Generators can only contain alphanumerics, file separators, and dashes')
    if (program.includes('..')) refuse("Can not use generators with '..' in them.")
    for (const word of command) requireUtf8(word)
    if (!host.generate) return fail(functionIssues.GENERATE_NOT_ALLOWED, { program })
    return host.generate(command)
  },
)
