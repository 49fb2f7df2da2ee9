import { createDiagnostic, type Diagnostic, defineIssues, PuppetError } from '../../base/issue.ts'
import type { HostClassDefinition, Program, ResourceTypeDefinition } from '../../language/syntax/tree/nodes.ts'
import { DefinitionTable } from './definition-table.ts'
import { isMetaparameter } from './native-types.ts'

// Puppet: resource/type.rb, warn_if_metaparam
const issues = defineIssues({
  METAPARAMETER_DEFAULT: {
    text: (a: { parameter: string; name: string }) =>
      `${a.parameter} is a metaparam; this value will inherit to all contained resources in the ${a.name} definition`,
  },
  METAPARAMETER_NAME: {
    text: (a: { parameter: string; name: string }) =>
      `${a.parameter} is a metaparameter; please choose another parameter name in the ${a.name} definition`,
  },
})

/**
 * Finds problems in the definitions of one manifest: duplicate names, and parameters with the name of a metaparameter.
 */
export function findDefinitionProblems(program: Program): readonly Diagnostic[] {
  const problems = program.definitions.flatMap((definition) =>
    definition.kind === 'HostClassDefinition' || definition.kind === 'ResourceTypeDefinition'
      ? checkParameterNames(definition)
      : [],
  )
  try {
    const table = new DefinitionTable()
    table.add(program, '')
    table.checkAliases()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    problems.push(error.diagnostic)
  }
  return problems
}

function checkParameterNames({ name, parameters }: HostClassDefinition | ResourceTypeDefinition): Diagnostic[] {
  return parameters
    .filter((parameter) => isMetaparameter(parameter.name))
    .map((parameter) => {
      const about = { parameter: parameter.name, name }
      return parameter.value
        ? createDiagnostic(issues.METAPARAMETER_DEFAULT, about, undefined, 'warning')
        : createDiagnostic(issues.METAPARAMETER_NAME, about)
    })
}
