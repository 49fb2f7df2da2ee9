import type { NodeOf, Operation, ResourceBody, ResourceForm } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, group, hardLine, ifBroken, indent, isForced, line } from '../layout/document.ts'
import type { FormatContext, Rules } from './context.ts'
import { alignPairs, type Pair, printPair, printSinglePair } from './pairs.ts'

type ResourceKind =
  | 'Resource'
  | 'ResourceBody'
  | 'ResourceDefaults'
  | 'ResourceOverride'
  | 'AttributeOperation'
  | 'AttributesOperation'
  | 'Collect'
  | 'Query'

/** Rules for resources, their attributes, and collectors. */
export const resourceRules: Rules<ResourceKind> = {
  Resource: printResource,
  ResourceBody: (e, c) => printBodyOfSeveral(e, c),
  ResourceDefaults: (e, c) => concat([printForm(e.form, c), c.print(e.typeRef), ' ', printAttributeBraces(e, c)]),
  ResourceOverride: (e, c) => concat([printForm(e.form, c), c.print(e.resources), ' ', printAttributeBraces(e, c)]),
  AttributeOperation: (e, c) => printSinglePair(printAttribute(e, c)),
  AttributesOperation: (e, c) => printSinglePair(printAttribute(e, c)),
  Collect: printCollector,
  Query: printQuery,
}

function printForm(form: ResourceForm, c: FormatContext): Document {
  return form === 'regular' ? '' : c.take('@', '@@')
}

function printResource(e: NodeOf<'Resource'>, c: FormatContext): Document {
  const head = concat([printForm(e.form, c), c.print(e.typeName), ' '])
  const start = c.piece.end
  const open = c.take('{')
  const [body] = e.bodies
  if (e.bodies.length > 1 || c.hasOwnLineComment) return concat([head, open, printBodies(e.bodies, c)])
  const title = concat([' ', c.leading(), c.print(body!.title), c.take(':')])
  // After a broken list of titles, the attributes are indented further than its bracket.
  const wrap = isForced(title) ? indent : (content: Document) => content
  const attributes = printAttributes(body!.operations, c)
  const end = c.skip(';')
  const isEmpty = attributes.length === 0
  const isShort = isEmpty ? !c.isAfterLineComment : attributes.length === 1 && !c.hasLineBreakSince(start)
  const edge = isShort ? line : hardLine
  const content = isEmpty ? '' : wrap(concat([edge, joinAttributes(attributes)]))
  return group(concat([head, open, c.close(concat([title, content, end]), edge, '}')]))
}

/** Prints several bodies, each with a semicolon on a line of its own, at the indentation of the attributes. */
function printBodies(bodies: readonly ResourceBody[], c: FormatContext): Document {
  const parts: Document[] = []
  for (const [index, body] of bodies.entries())
    parts.push(index === 0 ? hardLine : c.itemBreak(hardLine), c.leading(), printBodyOfSeveral(body, c))
  return c.close(concat(parts), hardLine, '}')
}

function printBodyOfSeveral(e: ResourceBody, c: FormatContext): Document {
  const title = concat([c.print(e.title), c.take(':')])
  const attributes = printAttributes(e.operations, c)
  const content = attributes.length === 0 ? '' : concat([hardLine, joinAttributes(attributes)])
  if (c.at(';')) return concat([title, indent(concat([content, hardLine, c.take(';')]))])
  return concat([title, indent(concat([content, hardLine, ';']))])
}

/** Prints the attributes of resource defaults, of an override or of a collector, in braces. */
function printAttributeBraces(
  { operations }: { readonly operations: readonly Operation[] },
  c: FormatContext,
): Document {
  const start = c.piece.end
  const open = c.take('{')
  const attributes = printAttributes(operations, c)
  const isShort = attributes.length === 1 && !c.hasLineBreakSince(start)
  if (attributes.length === 0) return c.closeEmpty(open, '}')
  const edge = isShort ? line : hardLine
  return group(concat([open, c.close(concat([edge, joinAttributes(attributes)]), edge, '}')]))
}

/** An attribute with the break before it and its comments. */
interface PrintedAttribute {
  readonly separator: Document
  readonly leading: Document
  readonly pair: Pair
  readonly comma: Document
}

function printAttributes(operations: readonly Operation[], c: FormatContext): readonly PrintedAttribute[] {
  // The grammar permits a comma before the first attribute.
  const first = c.skip(',')
  return operations.map((operation, index) => {
    const separator = index === 0 ? '' : c.itemBreak(hardLine)
    const leading = c.leading()
    const pair = printAttribute(operation, c)
    return { separator, leading: index === 0 ? concat([first, leading]) : leading, pair, comma: c.skip(',') }
  })
}

function printAttribute(operation: Operation, c: FormatContext): Pair {
  return printPair(c, () => c.take(), operation.value)
}

function joinAttributes(attributes: readonly PrintedAttribute[]): Document {
  const aligned = alignPairs(attributes.map(({ pair }) => pair))
  const last = attributes.length === 1 ? ifBroken(',') : ','
  return concat(
    attributes.flatMap(({ separator, leading, comma }, index) => [
      ...[separator, leading, aligned[index]!],
      ...[index === attributes.length - 1 ? last : ',', comma],
    ]),
  )
}

function printCollector(e: NodeOf<'Collect'>, c: FormatContext): Document {
  const query = concat([c.print(e.type), ' ', c.print(e.query)])
  return c.at('{') ? concat([query, ' ', printAttributeBraces(e, c)]) : query
}

function printQuery({ expression }: NodeOf<'Query'>, c: FormatContext): Document {
  const open = c.take('<|', '<<|')
  const content = expression === undefined ? '' : concat([line, c.print(expression)])
  return group(concat([open, c.close(content, line, '|>', '|>>')]))
}
