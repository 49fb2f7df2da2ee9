import { toText } from '../types/printing/text.ts'
import { Sensitive } from '../values/sensitive.ts'
import type { Value } from '../values/value.ts'
import type { EvaluationRules } from './context.ts'

/**
 * Rules of EPP. Each part of a template is appended to the scope's `output`. If any part is Sensitive, the whole text
 * is Sensitive.
 */
export const templates: EvaluationRules<'Epp' | 'RenderString' | 'Render'> = {
  Epp(node, context) {
    const output: Value[] = []
    context.scope.output = output
    context.evaluate(node.body)
    const text = output.map((part) => (part instanceof Sensitive ? toText(part.unwrap()) : (part as string))).join('')
    return output.some((part) => part instanceof Sensitive) ? new Sensitive(text) : text
  },

  RenderString(node, { scope }) {
    scope.output?.push(node.value)
    return undefined
  },

  Render(node, context) {
    const value = context.evaluate(node.expression)
    context.scope.output?.push(value instanceof Sensitive ? value : toText(value))
    return undefined
  },
}
