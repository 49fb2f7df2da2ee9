import type { Definition } from '../../manifest/definitions.ts'
import { isFormatting, type Token } from '../../tokens/token.ts'
import type { Check } from '../check.ts'
import { listParameters } from './parameter-list.ts'

/** `lookup_in_parameter` */
export const lookupInParameter: Check = {
  name: 'lookup_in_parameter',
  doc: 'The default value of a parameter does not call lookup.',
  isOptional: true,
  check({ tokens }, report) {
    let depth: number | undefined
    for (const token of tokens) {
      if (token.type === 'CLASS' || token.type === 'DEFINE') {
        if (token.nextCode?.type === 'NAME' && token.nextCode.nextCode?.type === 'LPAREN') depth = 0
      } else if (depth === undefined) continue
      else if (token.type === 'LPAREN') depth++
      else if (token.type === 'RPAREN') depth = depth === 1 ? undefined : depth - 1
      else if (token.type === 'FUNCTION_NAME' && token.value === 'lookup') {
        const message = 'lookup used to set the default value of a parameter'
        report({ severity: 'warning', message, at: token })
      }
    }
  },
}

/** `parameter_types` */
export const parameterTypes: Check = {
  name: 'parameter_types',
  doc: 'A parameter has a data type.',
  isOptional: true,
  check({ definitions }, report) {
    for (const { name, parameters } of definitions) {
      for (const token of listUntyped(parameters ?? [])) {
        const message = `missing datatype for parameter ${name.value}::${token.value}`
        report({ severity: 'warning', message, at: token })
      }
    }
  },
}

function listUntyped(parameters: readonly Token[]): Token[] {
  const untyped: Token[] = []
  let state: 'start' | 'type' | 'rest' = 'start'
  let parentheses = 0
  let collections = 0
  for (const token of parameters) {
    if (isFormatting(token.type)) continue
    if (state === 'start') {
      parentheses = 0
      collections = 0
      if (token.type === 'TYPE' || /^[A-Z]/.test(token.value)) state = 'type'
      else if (token.type === 'VARIABLE') {
        untyped.push(token)
        state = 'rest'
      }
    } else if (state === 'type') {
      if (token.type === 'VARIABLE') state = 'rest'
    } else if (token.type === 'LPAREN') parentheses++
    else if (token.type === 'RPAREN') parentheses = Math.max(0, parentheses - 1)
    else if (token.type === 'LBRACE' || token.type === 'LBRACK') collections++
    else if (token.type === 'RBRACE' || token.type === 'RBRACK') collections = Math.max(0, collections - 1)
    else if (token.type === 'COMMA' && parentheses === 0 && collections === 0) state = 'start'
  }
  return untyped
}

/** `optional_default` */
export const optionalDefault: Check = {
  name: 'optional_default',
  doc: 'A parameter of the type Optional has the default value undef.',
  isOptional: true,
  check({ definitions, tokens, meter }, report) {
    for (const definition of definitions) {
      for (const parameter of listParameters(definition, ['LPAREN', 'LBRACK'], ['RPAREN', 'RBRACK'])) {
        const type = findTypeStart(parameter)
        if (type?.type !== 'TYPE' || type.value !== 'Optional') continue
        const value = findDefault(parameter)
        meter.spend(value ? value.end - value.start : 1)
        if (value && isOtherThanUndef(tokens.slice(value.start, value.end + 1))) {
          const message = 'Optional parameter defaults to something other than undef'
          report({ severity: 'warning', message, at: parameter })
        }
        if (!value && isDefinedType(definition)) {
          const message = "Optional defined type parameter doesn't have a default"
          report({ severity: 'warning', message, at: parameter })
        }
      }
    }
  },
}

const isDefinedType = ({ type }: Definition): boolean => type === 'DEFINE'

/** True for a default value that is neither undef nor a variable, and calls no function. */
function isOtherThanUndef(value: readonly Token[]): boolean {
  if (value.length === 0 || value[0]!.type === 'UNDEF' || value[0]!.type === 'VARIABLE') return false
  return value.every(({ type }) => type !== 'DOT' && type !== 'LPAREN')
}

/** The indexes of the first and the last token of a default value. */
function findDefault(parameter: Token): { readonly start: number; readonly end: number } | undefined {
  let depth = 0
  let start: Token | undefined
  for (let token = parameter.nextCode; token; token = token.next) {
    const { type } = token
    if (type === 'LPAREN' || type === 'LBRACK') depth++
    else if (type === 'RPAREN' || type === 'RBRACK') depth--
    else if (type === 'EQUALS') start = token.nextCode
    const isEnd = (type === 'RPAREN' && depth < 0) || (type === 'COMMA' && depth <= 0)
    if (!isEnd) continue
    const end = token.previousCode
    return start && end ? { start: start.index, end: end.index } : undefined
  }
  return undefined
}

/** The first token of a parameter's type, which may be the parameter itself. */
function findTypeStart(parameter: Token): Token | undefined {
  let depth = 0
  for (let token = parameter.previousCode; token; token = token.previousCode) {
    if (token.type === 'RBRACK' || token.type === 'RPAREN') depth--
    else if (token.type === 'LBRACK') depth++
    else if (token.type === 'LPAREN') {
      depth++
      if (depth > 0) return token.nextCode
    } else if (token.type === 'COMMA' && depth === 0) return token.nextCode
  }
  return undefined
}
