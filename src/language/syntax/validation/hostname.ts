import { validationIssues as issues } from '../issues/validation.ts'
import type { Expression, NodeDefinition } from '../tree/nodes.ts'
import type { ValidationContext } from './context.ts'

/** Rejects invalid node names. */
export function checkHostname(host: Expression, node: NodeDefinition, context: ValidationContext): void {
  switch (host.kind) {
    case 'LiteralString':
      if (/[^-\w.]/.test(host.value)) context.accept(issues.ILLEGAL_HOSTNAME_CHARS, { hostname: host.value }, host)
      break
    case 'LiteralDefault':
    case 'LiteralRegexp':
      break
    case 'ConcatenatedString': {
      const text = host.segments.find((each) => each.kind === 'TextExpression')
      context.accept(issues.ILLEGAL_HOSTNAME_INTERPOLATION, {}, text ? text.expression : host)
      break
    }
    default:
      context.accept(issues.ILLEGAL_EXPRESSION, { node: host, feature: 'hostname', container: node }, host)
  }
}
