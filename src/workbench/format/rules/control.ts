import type { Expression, NodeOf } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, group, hardLine, line } from '../layout/document.ts'
import { printBody, printBraces, printShortBody, printStatements } from './blocks.ts'
import type { FormatContext, Rules } from './context.ts'

type ControlKind = 'Program' | 'Block' | 'Nop' | 'If' | 'Unless' | 'Case' | 'CaseOption'

/** Rules for programs, blocks and conditionals. */
export const controlRules: Rules<ControlKind> = {
  Program: (e, c) => concat([printProgram(e.body, c), printEnd(c)]),
  Block: (e, c) => printStatements(c, e.statements),
  Nop: () => '',
  If: printConditional,
  Unless: printConditional,
  Case: printCase,
  CaseOption: printCaseOption,
}

function printProgram(body: Expression, c: FormatContext): Document {
  return body.kind === 'Nop' ? '' : printStatements(c, body.kind === 'Block' ? body.statements : [body])
}

/** Prints the comments after the last statement. */
function printEnd(c: FormatContext): Document {
  const separator = c.piece.leading.length === 0 ? '' : c.itemBreak(hardLine)
  return concat([separator, c.take('EOF')])
}

/** Prints `if`, `elsif` or `unless`. As a value, a conditional on one line stays on one line. */
function printConditional(e: NodeOf<'If' | 'Unless'>, c: FormatContext, isStatement: boolean): Document {
  const printBranch = isStatement ? printBody : printShortBody
  const parts = [c.take('if', 'elsif', 'unless'), ' ', c.print(e.test), ' ', printBranch(c, e.then)]
  if (c.at('elsif')) parts.push(beforeElse(c), c.print(e.else, isStatement))
  else if (c.at('else')) parts.push(beforeElse(c), c.take('else'), ' ', printBranch(c, e.else))
  return isStatement ? concat(parts) : group(concat(parts))
}

/** `else` stays on the line of the closing brace unless a comment separates them. */
function beforeElse(c: FormatContext): Document {
  return c.isAfterLineComment || c.hasOwnLineComment ? hardLine : ' '
}

function printCase(e: NodeOf<'Case'>, c: FormatContext): Document {
  const head = concat([c.take('case'), ' ', c.print(e.test), ' '])
  const printOptions = () =>
    concat(
      e.options.flatMap((option, index) => [index === 0 ? '' : c.itemBreak(hardLine), c.leading(), c.print(option)]),
    )
  return concat([head, printBraces(c, printOptions)])
}

function printCaseOption(e: NodeOf<'CaseOption'>, c: FormatContext): Document {
  const values = e.values.flatMap((value, index) => {
    if (index === 0) return [c.print(value)]
    const comma = c.take(',')
    return [comma, c.startsLine ? hardLine : line, c.print(value)]
  })
  return concat([group(concat(values)), c.take(':'), ' ', group(printShortBody(c, e.then))])
}
