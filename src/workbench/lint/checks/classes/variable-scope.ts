import type { Definition } from '../../manifest/definitions.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { Token } from '../../tokens/token.ts'
import { type Check, styleGuide } from '../check.ts'

// biome-ignore format: a list of names
const everywhere = [
  'name', 'title', 'module_name', 'environment', 'clientcert', 'clientversion', 'servername', 'serverip',
  'serverversion', 'caller_module_name', 'alias', 'audit', 'before', 'loglevel', 'noop', 'notify', 'require',
  'schedule', 'stage', 'subscribe', 'tag', 'facts', 'trusted', 'server_facts',
]

/** `variable_scope` */
export const variableScope: Check = {
  name: 'variable_scope',
  doc: 'A variable of the top scope has a `::` before its name.',
  helpUri: styleGuide('namespacing-variables'),
  check(manifest, report) {
    const message = 'top-scope variable being used without an explicit namespace'
    // As in puppet-lint, a variable of one class is known in the following ones.
    const known = new Set(everywhere)
    for (const definition of manifest.definitions) {
      addParameters(definition, known)
      const { references, lambdas } = readVariables(manifest, definition, known)
      for (const token of references) {
        const name = removeFinalIndexes(token.value)
        if (lambdas.get(token.line)?.has(name) || token.value.includes('::') || known.has(name)) continue
        if (/^(?:facts|trusted)\[.+\]/.test(token.value) || /^\d+$/.test(token.value)) continue
        report({ severity: 'warning', message, at: token })
      }
    }
  },
}

function addParameters({ parameters }: Definition, known: Set<string>): void {
  for (const { type, value, nextCode } of parameters ?? []) {
    if (type !== 'VARIABLE') continue
    if (nextCode?.type === 'COMMA' || nextCode?.type === 'EQUALS' || nextCode?.type === 'RPAREN') known.add(value)
  }
}

interface Variables {
  readonly references: ReadonlySet<Token>
  /** Parameters of lambdas, by the lines where they are known. */
  readonly lambdas: ReadonlyMap<number, ReadonlySet<string>>
}

function readVariables(manifest: Manifest, definition: Definition, known: Set<string>): Variables {
  const references = new Set<Token>()
  const lambdas = new Map<number, Set<string>>()
  let parameters: string[] | undefined
  const tokens = manifest.index.selectRange(definition.start, definition.end, 'EQUALS', 'VARIABLE', 'PIPE')
  manifest.meter.spend(tokens.length)
  for (const token of tokens) {
    if (token.type === 'EQUALS') addAssigned(token, known)
    else if (token.type === 'VARIABLE') {
      if (parameters) parameters.push(token.value)
      else references.add(token)
    } else if (token.type === 'PIPE') {
      if (parameters) addLambda(parameters, token, manifest, lambdas)
      parameters = parameters ? undefined : []
    }
  }
  return { references, lambdas }
}

/** Adds the variables to the left of `=`: one, or a list. */
function addAssigned({ previousCode: left }: Token, known: Set<string>): void {
  if (left?.type === 'VARIABLE') known.add(left.value)
  if (left?.type !== 'RBRACK') return
  let depth = 0
  for (let token: Token | undefined = left; token; token = token.previousCode) {
    if (token.type === 'VARIABLE') known.add(token.value)
    else if (token.type === 'RBRACK') depth++
    else if (token.type === 'LBRACK') {
      depth--
      if (depth === 0) return
    } else if (token.type !== 'COMMA') return
  }
}

function addLambda(
  parameters: readonly string[],
  pipe: Token,
  { tokens, meter }: Manifest,
  lambdas: Map<number, Set<string>>,
): void {
  let depth = 0
  for (let at = pipe.index; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.type === 'LBRACE') depth++
    else if (token.type === 'RBRACE') {
      depth--
      if (depth !== 0) continue
      meter.spend(at - pipe.index + (token.line - pipe.line) * parameters.length)
      for (let { line } = pipe; line <= token.line; line++) {
        const names = lambdas.get(line) ?? new Set()
        for (const each of parameters) names.add(each)
        lambdas.set(line, names)
      }
      return
    }
  }
  meter.spend(tokens.length - pipe.index)
}

/** A name without the indexes at its end, such as `['a']`. */
function removeFinalIndexes(name: string): string {
  const start = name.indexOf('[')
  return start !== -1 && name.endsWith(']') && start < name.length - 2 ? name.slice(0, start) : name
}
