import { createDiagnostic, type Issue, PuppetError } from '../../base/issue.ts'
import type { Source, SourceSpan } from '../../base/source.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { readNodeMarks, toNodeKey, type YamlPath } from '../../language/ruby-semantics/yaml/node-positions.ts'
import { isInstance } from '../../language/types/is-instance.ts'
import { describeMismatch, findMismatchPath } from '../../language/types/mismatch/mismatch.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Type } from '../../language/values/type.ts'
import { isTruthy, type Value } from '../../language/values/value.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'

/** Location of a node in a hiera.yaml file, for messages. */
export interface ConfigPlace {
  readonly source: Source
  readonly path: YamlPath
}

/** Returns the location of a child node. */
export function getChildPlace({ source, path }: ConfigPlace, ...steps: YamlPath): ConfigPlace {
  return { source, path: [...path, ...steps] }
}

/** Throws an issue at the location of a node in a hiera.yaml. */
export function failAtConfigNode<Arguments>(place: ConfigPlace, issue: Issue<Arguments>, a: Arguments): never {
  throw new VerbatimError(createDiagnostic(issue, a, findNodeSpan(place)))
}

/** Throws if a configuration does not match its type; the error has the location of the first wrong node. */
export function assertConfigType(place: ConfigPlace, type: Type, config: Hash): void {
  if (isInstance(type, config)) return
  const subject = `The Lookup Configuration at '${place.source.file}' has wrong type,`
  const a = { message: describeMismatch(subject, type, config) }
  const span = findNodeSpan(getChildPlace(place, ...findMismatchPath(type, config)))
  throw new PuppetError(createDiagnostic(functionIssues.TYPE_ASSERTION, a, span))
}

/** Returns the span of the node; if the node is missing, the span of its innermost existing parent. */
function findNodeSpan({ source, path }: ConfigPlace): SourceSpan {
  const marks = readNodeMarks(source.text, path.length)
  const byteOrderMark = source.text.startsWith('\ufeff') ? 1 : 0
  for (let length = path.length; length > 0; length--) {
    const index = marks.get(toNodeKey(path.slice(0, length)))?.mark.index
    if (index !== undefined) return { source, start: index + byteOrderMark, end: index + byteOrderMark }
  }
  return { source, start: 0, end: 0 }
}

/** Replaces missing, null and false values by their defaults, as Puppet's `config[KEY] ||= DEFAULT` does. */
export function fillConfigDefaults(given: Hash, defaults: ReadonlyMap<string, Value>): Hash {
  return Hash.of([...given, ...[...defaults].filter(([key]) => !isTruthy(given.get(key)))])
}
