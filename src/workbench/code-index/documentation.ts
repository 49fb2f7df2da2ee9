import { getLineAndColumn, getLineText } from '../../base/source.ts'
import type { Definition, Parameter } from '../../language/syntax/tree/nodes.ts'
import type { CodeWorkspace, LocatedOccurrence } from './code-workspace.ts'

/** A definition in Puppet code, as shown to its users. */
export interface DocumentedDefinition {
  readonly kind: 'class' | 'define' | 'function' | 'plan' | 'type' | 'node'
  readonly name: string
  readonly parameters: readonly DocumentedParameter[]
  /** The comment above the definition, without `#`. */
  readonly comment: string
  /** The return type of a function, or the type of an alias. */
  readonly type: string | undefined
}

/** A parameter as in the code. */
export interface DocumentedParameter {
  readonly name: string
  readonly type: string | undefined
  readonly value: string | undefined
  /** The text of its tag `@param`. */
  readonly comment: string
}

const kinds: Readonly<Partial<Record<Definition['kind'], DocumentedDefinition['kind']>>> = {
  HostClassDefinition: 'class',
  ResourceTypeDefinition: 'define',
  FunctionDefinition: 'function',
  PlanDefinition: 'plan',
  TypeAlias: 'type',
}

/** Describes the definition at an occurrence. */
export function describeDefinition(
  workspace: CodeWorkspace,
  { path, span }: LocatedOccurrence,
): DocumentedDefinition | undefined {
  const found = workspace
    .file(path)
    ?.program?.definitions.find((each) => each.span.start <= span.start && span.end <= each.span.end && isNamed(each))
  const kind = found && kinds[found.kind]
  if (!found || !kind || !('name' in found)) return undefined
  const comment = readComment(found)
  const list = 'parameters' in found ? found.parameters : []
  const type = 'returnType' in found ? found.returnType : 'type' in found ? found.type : undefined
  return {
    ...{ kind, name: found.name, comment, type: type && getCode(type).replace(/^[\w:]+\s*=\s*/, '') },
    parameters: list.map((each) => describeParameter(each, comment)),
  }
}

function isNamed(definition: Definition): boolean {
  return kinds[definition.kind] !== undefined
}

/** The comment lines directly above a definition, without `#`. */
export function readComment({ span: { source, start } }: Definition): string {
  const lines: string[] = []
  for (let line = getLineAndColumn(source, start).line - 1; line > 0; line--) {
    const text = getLineText(source, line).trim()
    if (!text.startsWith('#')) break
    lines.unshift(text.replace(/^# ?/, ''))
  }
  return lines.join('\n')
}

function describeParameter({ name, type, value }: Parameter, comment: string): DocumentedParameter {
  const lines = comment.split('\n')
  const at = lines.findIndex((line) => readParameterTag(line, name) !== undefined)
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => !/^\s+\S/.test(line))
  const text = at === -1 ? [] : [readParameterTag(lines[at]!, name)!, ...rest.slice(0, end === -1 ? undefined : end)]
  return {
    name,
    type: type && getCode(type),
    value: value && getCode(value),
    comment: text
      .map((line) => line.trim())
      .filter(Boolean)
      .join(' '),
  }
}

/** The text of a tag `@param [Type] name text`; undefined for another line. */
function readParameterTag(line: string, name: string): string | undefined {
  const [tag, ...words] = line.trim().split(/\s+/)
  if (tag !== '@param') return undefined
  const typeEnd = words[0]?.startsWith('[') ? words.findIndex((word) => word.endsWith(']')) : -1
  return words[typeEnd + 1] === name ? words.slice(typeEnd + 2).join(' ') : undefined
}

function getCode({
  span: { source, start, end },
}: {
  readonly span: { readonly source: { readonly text: string }; readonly start: number; readonly end: number }
}): string {
  return source.text.slice(start, end)
}
