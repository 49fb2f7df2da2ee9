import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../../base/issue.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import type { RubyMachine } from '../../../ruby/ruby-machine.ts'
import { runWithTimeLimit } from '../../../ruby/time-limit.ts'
import type { RubyNode, RubyParser } from './ruby-tree.ts'

const issues = defineIssues({
  DOCUMENTED_RUBY: {
    text: (a: { file: string; line: number; reason: string }) =>
      `Could not parse ${a.file}: ${a.reason} (file: ${a.file}, line: ${a.line})`,
  },
})

/** A node as Ruby sends it, after the nodes that are its parts: see src/ruby/library/syntax_trees.rb. */
type NodeRow = readonly [
  type: string,
  start: number | null,
  end: number | null,
  line: number | null,
  text: string | null,
  comment: string | null,
  parts: readonly (number | null)[],
]

/** Creates a parser that uses Ruby's own parser, Ripper, in this interpreter. */
export function createRubyParser(machine: Pick<RubyMachine, 'callAlone'>): RubyParser {
  const { rubyNodes, rubyTime } = budgets.documentation
  return (text, file) => {
    const answer = readTrees(file, () =>
      runWithTimeLimit(rubyTime.bound / 1000, () => machine.callAlone('read_syntax_trees', [text, rubyNodes.bound])),
    )
    // A list is a syntax error; its first element is the tag of lists: see `toRuby`.
    if (Array.isArray(answer))
      return throwIssue(issues.DOCUMENTED_RUBY, { file, line: Number(answer[1]), reason: String(answer[2]) })
    const [roots, rows] = JSON.parse(String(answer)) as [readonly number[], readonly NodeRow[]]
    const nodes: RubyNode[] = []
    for (const row of rows) nodes.push(toNode(row, nodes))
    return roots.map((root) => nodes[root]!)
  }
}

/** Runs Ruby; its errors name the file. */
function readTrees(file: string, read: () => Json): Json {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return throwIssue(issues.DOCUMENTED_RUBY, { file, line: 1, reason: error.diagnostic.message })
  }
}

function toNode([type, start, end, line, text, comment, parts]: NodeRow, nodes: readonly RubyNode[]): RubyNode {
  return {
    type,
    start: start ?? 0,
    end: end ?? 0,
    line: line ?? 0,
    text: text ?? undefined,
    comment: comment ?? undefined,
    parts: parts.map((part) => (part === null ? undefined : nodes[part])),
  }
}
