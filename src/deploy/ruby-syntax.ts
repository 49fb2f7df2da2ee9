import { type Diagnostic, defineIssues, diagnose, PuppetError } from '../base/issue.ts'
import type { Source } from '../base/source.ts'
import type { Json } from '../base/wire.ts'
import { RubyMachine } from '../ruby/machine.ts'
import { ownRuby } from '../ruby/ruby-share.ts'

const issues = defineIssues({
  RUBY_SYNTAX: { text: (a: { what: string; why: string }) => `Could not parse ${a.what}: ${a.why}` },
})

/** Syntax errors of a template, or else of a file of Ruby, which are read and not run. */
export type RubySyntax = (source: Source, isTemplate: boolean) => readonly Diagnostic[]

/** Reads by Ruby itself, which is started for the first file. */
export function rubySyntax(): RubySyntax {
  let machine: RubyMachine | undefined
  return (source, isTemplate) => {
    machine = machine === undefined || machine.isDead ? new RubyMachine(ownRuby.image(), {}) : machine
    const found = problemOf(machine, source, isTemplate)
    if (found === undefined) return []
    const start = offsetOf(source.text, found.line, found.column)
    const what = isTemplate ? 'template' : 'Ruby'
    return [diagnose(issues.RUBY_SYNTAX, { what, why: found.why }, { source, start, end: start })]
  }
}

interface Problem {
  readonly line: number
  readonly column: number
  readonly why: string
}

function problemOf(machine: RubyMachine, { text }: Source, isTemplate: boolean): Problem | undefined {
  try {
    const answer = machine.callAlone('check_syntax', [text, isTemplate])
    if (answer === null) return undefined
    const [, line, column, why] = answer as readonly Json[]
    return { line: Number(line), column: Number(column), why: String(why) }
  } catch (error) {
    if (error instanceof PuppetError) return { line: 1, column: 1, why: error.diagnostic.message }
    throw error
  }
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
  return Math.min(start, text.length)
}
