import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { RubyMachine } from '../../../ruby/ruby-machine.ts'
import { runWithTimeLimit } from '../../../ruby/time-limit.ts'
import type { RubyNode, RubyParser } from './ruby-tree.ts'

const issues = defineIssues({
  DOCUMENTED_RUBY: {
    text: (a: { file: string; line: number; reason: string }) =>
      `Could not parse ${a.file}: ${a.reason} (file: ${a.file}, line: ${a.line})`,
  },
})

/** A node as Ruby sends it: see src/ruby/library/syntax_trees.rb. */
type SentNode = readonly [
  type: string,
  start: number | null,
  end: number | null,
  line: number | null,
  text: string | null,
  comment: string | null,
  parts: readonly (SentNode | null)[],
]

/** Creates a parser that uses Ruby's own parser, Ripper, in this interpreter. */
export function createRubyParser(machine: Pick<RubyMachine, 'callAlone'>): RubyParser {
  const { rubyDepth, rubyTree, rubyTime } = budgets.documentation
  return (text, file) => {
    const answer = runWithTimeLimit(rubyTime.bound / 1000, () =>
      machine.callAlone('read_syntax_trees', [text, rubyDepth.bound, rubyTree.bound]),
    )
    // A list is a syntax error; its first element is the tag of lists: see `toRuby`.
    if (Array.isArray(answer))
      return throwIssue(issues.DOCUMENTED_RUBY, { file, line: Number(answer[1]), reason: String(answer[2]) })
    return (JSON.parse(String(answer)) as readonly SentNode[]).map(toNode)
  }
}

function toNode([type, start, end, line, text, comment, parts]: SentNode): RubyNode {
  return {
    type,
    start: start ?? 0,
    end: end ?? 0,
    line: line ?? 0,
    text: text ?? undefined,
    comment: comment ?? undefined,
    parts: parts.map((part) => (part === null ? undefined : toNode(part))),
  }
}
