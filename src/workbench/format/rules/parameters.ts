import type { Expression, Parameter } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, getWidth, ifBroken, isSingleLine } from '../layout/document.ts'
import type { FormatContext } from './context.ts'
import { type ListLayout, printList } from './lists.ts'
import { findWidest, printValue } from './pairs.ts'

/** Layouts of the lists of parameters. A definition of a class or type has one parameter a line. */
export const parameterLayouts = {
  definition: { open: ['(', '\n('], close: [')'], trailingComma: true, broken: true },
  function: { open: ['(', '\n('], close: [')'], trailingComma: true },
  lambda: { open: ['|'], close: ['|'], trailingComma: true },
} as const satisfies Readonly<Record<string, ListLayout>>

/** Types with more characters do not move the columns of the other parameters. */
const maxAlignedTypeWidth = 70

/** The parts of a parameter, in the order of the source. */
interface PrintedParameter {
  readonly type: Document | undefined
  readonly name: Document
  readonly value: Document | undefined
}

/** Prints a list of parameters. If the list is broken, types, names and defaults are aligned in columns. */
export function printParameters(c: FormatContext, parameters: readonly Parameter[], layout: ListLayout): Document {
  const visit = (take: (print: () => PrintedParameter) => void) => {
    for (const parameter of parameters) take(() => printParts(c, parameter))
  }
  return printList(c, { visit, align: alignParameters }, layout)
}

/** Prints `>> Type` after a list of parameters. */
export function printReturnType(c: FormatContext, type: Expression | undefined): Document {
  return type === undefined ? '' : concat([' ', c.take('>>'), ' ', c.print(type)])
}

/** Prints a parameter that is not aligned with other parameters. */
export function printSingleParameter(c: FormatContext, parameter: Parameter): Document {
  return alignParameters([printParts(c, parameter)])[0]!
}

function printParts(c: FormatContext, { type, capturesRest, value }: Parameter): PrintedParameter {
  const printedType = type && c.print(type)
  const splat = capturesRest ? c.take('*') : ''
  const name = concat([splat, c.take('VARIABLE')])
  const assigned = value && concat([c.take('='), ' ', printValue(c, value)])
  return { type: printedType, name, value: assigned }
}

function alignParameters(parameters: readonly PrintedParameter[]): readonly Document[] {
  const typeWidth = findWidest(parameters.map(measureType))
  const prefixes = parameters.map((each) => {
    if (each.type === undefined) return each.name
    return concat([each.type, ifBroken(pad(measureType(each), typeWidth)), ' ', each.name])
  })
  const measurePrefix = (each: PrintedParameter): number => {
    if (each.type === undefined) return getWidth(each.name)
    return measureType(each) === 0 ? 0 : typeWidth + 1 + getWidth(each.name)
  }
  const prefixWidth = findWidest(parameters.map((each) => (each.value === undefined ? 0 : measurePrefix(each))))
  return parameters.map((each, index) => {
    if (each.value === undefined) return prefixes[index]!
    return concat([prefixes[index]!, ifBroken(pad(measurePrefix(each), prefixWidth)), ' ', each.value])
  })
}

/** Width of the type of a parameter in its column; 0 for a type that is outside the column. */
function measureType({ type }: PrintedParameter): number {
  if (type === undefined || !isSingleLine(type)) return 0
  const width = getWidth(type)
  return width > maxAlignedTypeWidth ? 0 : width
}

/** Spaces up to the end of a column; none for an item outside the column. */
function pad(width: number, column: number): string {
  return width === 0 ? '' : ' '.repeat(column - width)
}
