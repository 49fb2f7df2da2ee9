import type { Definition } from '../../manifest/definitions.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { Token } from '../../tokens/token.ts'
import type { Check, Report } from '../check.ts'
import { listParameters } from './parameter-list.ts'

/** `parameter_documentation` */
export const parameterDocumentation: Check = {
  name: 'parameter_documentation',
  doc: 'Each parameter is documented once, and only parameters are documented.',
  isOptional: true,
  check(manifest, report) {
    for (const definition of manifest.definitions) {
      const documented = readDocumentation(definition, manifest)
      const parameters = listParameters(definition, ['LPAREN', 'LBRACK', 'LBRACE'], ['RPAREN', 'RBRACK', 'RBRACE'])
      reportComments(definition, documented, parameters, report)
      if (documented.isPrivate) continue
      for (const parameter of parameters) {
        if (documented.comments.has(parameter.value)) continue
        const name = `${definition.name.value}::${parameter.value}`
        const message = `missing documentation for ${kindOf(definition)} parameter ${name}`
        report({ severity: 'warning', message, at: parameter })
      }
    }
  },
}

interface Documentation {
  /** Comments by the parameter that they document; the last comment comes first. */
  readonly comments: ReadonlyMap<string, readonly Token[]>
  readonly isPrivate: boolean
}

/** The title of a defined type may be documented, although it is no parameter. */
const title = 'name/title'

const kindOf = ({ type }: Definition): string => (type === 'CLASS' ? 'class' : 'defined type')

/** Reads all comments of the manifest before a definition. */
function readDocumentation({ start, type }: Definition, { tokens, meter }: Manifest): Documentation {
  const comments = new Map<string, Token[]>()
  let isPrivate = false
  meter.spend(start)
  for (let at = start; at >= 0; at--) {
    const token = tokens[at]!
    if (token.type !== 'COMMENT') continue
    if (/^\s*@api +private\s*$/.test(token.value)) {
      isPrivate = true
      continue
    }
    const documented = findParameterName(token.value)
    if (documented === undefined) continue
    const name = type === 'DEFINE' && (documented === 'name' || documented === 'title') ? title : documented
    const known = comments.get(name)
    if (known) known.push(token)
    else comments.set(name, [token])
  }
  return { comments, isPrivate }
}

/** The parameter of a comment in a style of documentation: `[*name*]`, `$name::` or `@param name`. */
function findParameterName(comment: string): string | undefined {
  const match =
    /^\s*\[\*([a-zA-Z0-9_]+)\*\]/.exec(comment) ??
    /^\s*\$([a-zA-Z0-9_]+):: /.exec(comment) ??
    /^\s*@param (?:\[.+\] )?([a-zA-Z0-9_]+)(?: |$)/.exec(comment)
  return match?.[1]
}

function reportComments(
  definition: Definition,
  { comments }: Documentation,
  parameters: readonly Token[],
  report: Report,
): void {
  const kind = kindOf(definition)
  const reportAll = (tokens: readonly Token[], message: string) => {
    for (const token of tokens) report({ severity: 'warning', message, at: placeOf(token) })
  }
  for (const [name, tokens] of comments) {
    if (tokens.length > 1)
      reportAll(tokens, `Duplicate ${kind} parameter documentation for ${definition.name.value}::${name}`)
  }
  const names = new Set(parameters.map(({ value }) => value))
  for (const [name, [first]] of comments) {
    if (names.has(name) || (name === title && definition.type === 'DEFINE')) continue
    reportAll([first!], `No matching ${kind} parameter for documentation of ${definition.name.value}::${name}`)
  }
}

/** The place of the name in a comment. */
function placeOf({ line, column, value }: Token): { readonly line: number; readonly column: number } {
  const [mark = ''] = /^\s*(?:@param\s*)?/.exec(value) ?? []
  return { line, column: column + mark.length + 1 }
}
