import { createDiagnostic, type Diagnostic, defineIssues, PuppetError } from '../base/issue.ts'
import type { Source } from '../base/source.ts'
import type { RubyMachine } from '../ruby/ruby-machine.ts'
import { createRubySandbox } from '../ruby/ruby-sandbox.ts'
import { findSyntaxError, type RubySyntaxError } from '../ruby/syntax-check.ts'
import { ownRuby } from '../ruby/worker-share.ts'

const issues = defineIssues({
  RUBY_SYNTAX: { text: (a: { what: string; why: string }) => `Could not parse ${a.what}: ${a.why}` },
})

/** Returns syntax errors of an ERB template or a Ruby file, without executing it. */
export type RubySyntax = (source: Source, isTemplate: boolean) => readonly Diagnostic[]

/** Checks syntax with Ruby, which is started for the first file. */
export function createRubySyntaxCheck(): RubySyntax {
  let machine: RubyMachine | undefined
  return (source, isTemplate) => {
    machine = machine === undefined || machine.isDead ? createRubySandbox(ownRuby.image(), {}) : machine
    const found = findSyntaxProblem(machine, source, isTemplate)
    if (found === undefined) return []
    const start = computeOffset(source.text, found.line, found.column)
    const what = isTemplate ? 'template' : 'Ruby'
    return [createDiagnostic(issues.RUBY_SYNTAX, { what, why: found.message }, { source, start, end: start })]
  }
}

function findSyntaxProblem(machine: RubyMachine, { text }: Source, isTemplate: boolean): RubySyntaxError | undefined {
  try {
    return findSyntaxError(machine, text, { isTemplate })
  } catch (error) {
    if (error instanceof PuppetError) return { line: 1, column: 1, message: error.diagnostic.message }
    throw error
  }
}

function computeOffset(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
  return Math.min(start, text.length)
}
