import { budgets } from '../../base/budgets/budgets.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { getChildren } from '../../language/syntax/tree/children.ts'
import type { AnyNode, Definition, NodeOf } from '../../language/syntax/tree/nodes.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import type { Occurrence } from '../code-index/occurrence.ts'

/** A node with its place in the tree. */
export interface PlacedNode<Node extends AnyNode = AnyNode> {
  readonly node: Node
  readonly parent: PlacedNode | undefined
  /** The innermost definition around the node; undefined at top scope. */
  readonly owner: Definition | undefined
}

/** A parsed file with its nodes by kind, which all checks share. */
export class CheckedFile {
  readonly file: CodeFile
  readonly #nodes = new Map<AnyNode['kind'], PlacedNode[]>()
  #compared = 0
  readonly #occurrences = new Map<number, Occurrence>()

  constructor(file: CodeFile) {
    this.file = file
    if (file.program) this.#add(file.program)
    for (const each of file.occurrences) if (each.kind === 'variable') this.#occurrences.set(each.span.start, each)
  }

  /** The nodes of a kind, in the order of the tree. */
  listNodes<Kind extends AnyNode['kind']>(kind: Kind): readonly PlacedNode<NodeOf<Kind>>[] {
    return (this.#nodes.get(kind) ?? []) as unknown as readonly PlacedNode<NodeOf<Kind>>[]
  }

  /** The occurrence of a variable whose name begins at an offset. */
  getVariableAt(offset: number): Occurrence | undefined {
    return this.#occurrences.get(offset)
  }

  /**
   * `. Did you mean …?`, or an empty text. Long names get none, and neither do further names once many were compared.
   */
  suggest(given: string, listKnown: () => Iterable<string>): string {
    const { bound } = budgets.workbench.comparedNames
    if (given.length > maxNameCharacters || this.#compared >= bound) return ''
    const known = [...listKnown()].slice(0, bound).filter((name) => name.length <= maxNameCharacters)
    this.#compared += known.length + 1
    const suggestion = formatSuggestion(given, known)
    return suggestion === undefined ? '' : `. ${suggestion}`
  }

  #add(root: AnyNode): void {
    const pending: PlacedNode[] = [{ node: root, parent: undefined, owner: undefined }]
    for (let at = pending.pop(); at; at = pending.pop()) {
      const known = this.#nodes.get(at.node.kind)
      if (known) known.push(at)
      else this.#nodes.set(at.node.kind, [at])
      const owner = isDefinition(at.node) ? at.node : at.owner
      for (const child of getChildren(at.node).toReversed()) pending.push({ node: child, parent: at, owner })
    }
  }
}

/** Length of the longest names that are compared for suggestions. */
const maxNameCharacters = 100

const definitionKinds: ReadonlySet<string> = new Set<Definition['kind']>([
  'HostClassDefinition',
  'ResourceTypeDefinition',
  'NodeDefinition',
  'FunctionDefinition',
  'PlanDefinition',
])

function isDefinition(node: AnyNode): node is Definition {
  return definitionKinds.has(node.kind)
}

/** The nodes around a node, the innermost first. */
export function* listAncestors({ parent }: PlacedNode): Generator<PlacedNode> {
  for (let at = parent; at; at = at.parent) yield at
}
