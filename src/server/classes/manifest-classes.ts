import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { createExactFloat, createExactObject, type ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { parseManifest } from '../../language/syntax/parser/parser.ts'
import { getChildren } from '../../language/syntax/tree/children.ts'
import type { AnyNode, Expression, HostClassDefinition, Parameter } from '../../language/syntax/tree/nodes.ts'

/**
 * Entry of a manifest in `environment_classes`, as JSON: its classes or the error. protocol.md 10.
 */
export function formatManifestClasses(path: string, text: string): string {
  const said = formatExactJson({ path, ...describeManifest(path, text) })
  const most = budgets.environment.classesText.bound
  return said.length <= most ? said : formatManifestError(path, `The classes of ${path} exceed ${most} bytes`)
}

/** Entry in `environment_classes` with an error, as JSON. */
export function formatManifestError(path: string, error: string): string {
  return formatExactJson({ path, error })
}

function describeManifest(file: string, text: string) {
  try {
    const { definitions } = parseManifest({ file, text })
    const classes = definitions.filter((each): each is HostClassDefinition => each.kind === 'HostClassDefinition')
    return { classes: classes.map(({ name, parameters }) => ({ name, params: parameters.map(describeParameter) })) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.message }
  }
}

function describeParameter({ name, type, value }: Parameter): ExactJson {
  const literal = value && toLiteral(value)
  return {
    name,
    ...(type ? { type: getSourceText(type) } : {}),
    ...(literal === undefined ? {} : { default_literal: literal.value }),
    ...(value ? { default_source: getSourceText(value) } : {}),
  }
}

/** Source text of a whole expression; the span of an operation covers only its operator. */
function getSourceText(expression: Expression): string {
  const { start, end } = computeSourceRange(expression)
  return expression.span.source.text.slice(start, end)
}

function computeSourceRange(node: AnyNode): { readonly start: number; readonly end: number } {
  const extents = [node.span, ...getChildren(node).map(computeSourceRange)]
  return { start: Math.min(...extents.map(({ start }) => start)), end: Math.max(...extents.map(({ end }) => end)) }
}

/** Value of a literal; `undefined` for other expressions. */
function toLiteral(expression: Expression): { readonly value: ExactJson } | undefined {
  switch (expression.kind) {
    case 'LiteralString':
    case 'LiteralBoolean':
    case 'QualifiedName':
      return { value: expression.value }
    case 'LiteralFloat':
      return { value: createExactFloat(expression.value) }
    case 'LiteralInteger':
      return { value: expression.value }
    case 'LiteralUndef':
      return { value: null }
    case 'LiteralList': {
      const values = expression.values.map(toLiteral)
      return values.includes(undefined) ? undefined : { value: values.map((each) => each!.value) }
    }
    case 'LiteralHash': {
      const pairs = expression.entries.map(({ key, value }) => [toLiteral(key), toLiteral(value)] as const)
      if (pairs.some(([key, value]) => !key || !value)) return undefined
      return { value: createExactObject(pairs.map(([key, value]) => [String(key!.value), value!.value])) }
    }
    default:
      return undefined
  }
}
