import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues } from '../../base/issue.ts'

const unchanged = () => 'The file is unchanged. Please report this manifest as a bug of the formatter.'

/** Errors of the formatter. Syntax errors come from the parser. */
export const formatIssues = defineIssues({
  FORMAT_UNSUPPORTED: {
    text: (a: { code: string }) => `The formatter does not support this code: '${a.code}'`,
    hint: () => 'The file is unchanged. Write this expression in another form.',
  },
  FORMAT_CHANGES_TREE: {
    text: (a: { kind: string }) => `The formatted manifest has another syntax tree, at this node: ${a.kind}`,
    hint: unchanged,
  },
  FORMAT_LOSES_COMMENT: {
    text: (a: { comment: string }) => `The formatted manifest loses or moves this comment: '${a.comment}'`,
    hint: unchanged,
  },
  FORMAT_UNSTABLE: {
    text: () => 'The formatted manifest changes when it is formatted again',
    hint: unchanged,
  },
  FORMAT_TOO_LARGE: {
    text: () => `The formatted manifest exceeds ${budgets.format.output.bound} characters`,
    hint: () => 'The file is unchanged. Move data to Hiera, or assign inner expressions to variables.',
  },
  FORMAT_NESTED_TOO_DEEPLY: {
    text: () => 'The manifest is nested too deeply for the formatter',
    hint: () => 'The file is unchanged. Assign inner expressions to variables.',
  },
})
