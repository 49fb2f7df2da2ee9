import { getLineAndColumn } from '../../../base/source.ts'
import type { Definition, Expression } from '../../../language/syntax/tree/nodes.ts'
import { type CheckedFile, listAncestors, type PlacedNode } from '../checked-file.ts'
import type { CodeCheck } from '../code-check.ts'

/** Resources with the same literal title in one definition, of which one branch contains both. */
export const duplicateDeclaration: CodeCheck = {
  name: 'duplicate_declaration',
  check(file, _, report) {
    const seen = new Map<Definition | undefined, Map<string, Declared[]>>()
    for (const each of listDeclared(file)) {
      const known = seen.get(each.owner) ?? new Map<string, Declared[]>()
      seen.set(each.owner, known)
      const same = known.get(each.reference)
      if (!same) known.set(each.reference, [each])
      else {
        const first = same.find(
          ({ branches }) => isPrefix(branches, each.branches) || isPrefix(each.branches, branches),
        )
        const { source, start } = (first ?? each).title.span
        if (first)
          report(
            `${each.reference} is already declared on line ${getLineAndColumn(source, start).line}`,
            each.title.span,
          )
        else if (same.length < maxCompared) same.push(each)
      }
    }
  },
}

/** Largest number of declarations with one title that are compared. */
const maxCompared = 50

interface Declared {
  readonly owner: Definition | undefined
  readonly reference: string
  readonly title: Expression
  /** The branches around the declaration, the outermost first. */
  readonly branches: readonly unknown[]
}

function* listDeclared(file: CheckedFile): Generator<Declared> {
  for (const placed of file.listNodes('Resource')) {
    const { typeName, bodies } = placed.node
    if (typeName.kind !== 'QualifiedName') continue
    const branches = listBranches(placed)
    if (!branches) continue
    const type = typeName.value.replace(/(^|::)[a-z]/g, (each) => each.toUpperCase())
    for (const { title } of bodies)
      for (const each of title.kind === 'LiteralList' ? title.values : [title])
        if (each.kind === 'LiteralString' || each.kind === 'QualifiedName')
          yield { owner: placed.owner, reference: `${type}['${each.value}']`, title: each, branches }
  }
}

/** The branches around a node; undefined if a condition asks whether a resource is defined. */
function listBranches(placed: PlacedNode): readonly unknown[] | undefined {
  const branches: unknown[] = []
  let child: PlacedNode = placed
  for (const at of listAncestors(placed)) {
    if (at.node === placed.owner) break
    const { node } = at
    if (node.kind === 'If' || node.kind === 'Unless') {
      if (/\bdefined/.test(getTestText(node.test))) return undefined
      branches.unshift(child.node)
    } else if (node.kind === 'CaseOption' || node.kind === 'Lambda') branches.unshift(node)
    child = at
  }
  return branches
}

function getTestText({ span: { source, start, end } }: Expression): string {
  // The span of a call in parentheses may end before its arguments, but never before its name.
  return source.text.slice(start, end)
}

function isPrefix(short: readonly unknown[], long: readonly unknown[]): boolean {
  return short.every((each, index) => each === long[index])
}
