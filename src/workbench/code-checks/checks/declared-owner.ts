import { normalizeName } from '../../../compiler/code/code-definition.ts'
import type { NativeType } from '../../../compiler/code/native-types.ts'
import type { Expression, Parameter, Resource, ResourceBody } from '../../../language/syntax/tree/nodes.ts'
import type { CodeFile } from '../../code-index/code-file.ts'
import type { CheckedFile } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'

/** The owner of attributes: a class, a defined type, or a built-in resource type. */
export type DeclaredOwner =
  | {
      readonly kind: 'class' | 'define'
      readonly name: string
      /** The name in messages, such as `Class[Ntp]`. */
      readonly label: string
      readonly parameters: readonly Parameter[]
      readonly file: CodeFile
    }
  | { readonly kind: 'native'; readonly name: string; readonly label: string; readonly type: NativeType }

/** The class or type that a resource body declares; undefined if it is not known, such as a type in Ruby. */
export function findDeclaredOwner(
  { typeName }: Resource,
  { title }: ResourceBody,
  file: CheckedFile,
  code: CheckedCode,
): DeclaredOwner | undefined {
  const name = typeName.kind === 'QualifiedName' ? typeName.value : undefined
  if (name === undefined) return undefined
  if (name !== 'class') return findType(name, file, code)
  const className = title.kind === 'LiteralString' || title.kind === 'QualifiedName' ? title.value : undefined
  return className === undefined ? undefined : findClass(className, file, code)
}

/** The classes and types that a reference or the name of a type means: `Ntp::Peer`, `Ntp::Peer['a']`, `Class['ntp']`. */
export function listReferencedOwners(node: Expression, file: CheckedFile, code: CheckedCode): readonly DeclaredOwner[] {
  const left = node.kind === 'Access' ? node.left : node
  if (left.kind !== 'QualifiedReference') return []
  const name = left.casedValue.toLowerCase()
  if (name !== 'class') return [findType(name, file, code) ?? []].flat()
  const keys = node.kind === 'Access' ? node.keys : []
  return keys.flatMap((each) =>
    each.kind === 'LiteralString' || each.kind === 'QualifiedName' ? (findClass(each.value, file, code) ?? []) : [],
  )
}

function findType(given: string, file: CheckedFile, code: CheckedCode): DeclaredOwner | undefined {
  const name = normalizeName(given)
  const type = code.definitions.findNativeType(name)
  if (type) return { kind: 'native', name, label: capitalize(name), type }
  const found = code.definitions.hasRubyType(name) ? undefined : code.definitions.findDefinedType(name, file.file)
  const { parameters } = found?.node ?? {}
  return found && parameters && { kind: 'define', name, label: capitalize(name), parameters, file: found.file }
}

function findClass(given: string, file: CheckedFile, code: CheckedCode): DeclaredOwner | undefined {
  const name = normalizeName(given)
  const found = code.definitions.findClass(name, file.file)
  if (!found) return undefined
  const { parameters } = found.node
  return { kind: 'class', name, label: `Class[${capitalize(name)}]`, parameters, file: found.file }
}

function capitalize(name: string): string {
  return name.replace(/(^|::)[a-z]/g, (each) => each.toUpperCase())
}
