import { PuppetError } from '../../../base/issue.ts'
import type { TestCode } from '../../manifest-tests/test-code.ts'
import { type ChosenNode, type FactPlaces, listNodeChoices, type NodeChoice, readChosenNode } from './chosen-node.ts'
import { type CreateNodeRequest, NodeValues } from './node-values.ts'

/** Abilities that a language server needs to look up data of nodes. */
export interface NodeServices {
  /** The node from the command line. */
  readonly choice: NodeChoice
  readonly gemFolders: readonly string[]
  readonly createRequest: CreateNodeRequest
  /** Opens the code of a folder. */
  openCode(root: string): Promise<TestCode>
}

/** The node that a person has chosen, and its data. */
export class NodeSession {
  readonly #services: NodeServices
  readonly #failed: (error: unknown) => void
  #root: string
  #choice: NodeChoice
  #node: ChosenNode | undefined
  #values: Promise<NodeValues | undefined> | undefined

  /** `failed` reports errors of opening or closing data that is no longer used. */
  constructor(services: NodeServices, root: string, failed: (error: unknown) => void) {
    this.#services = services
    this.#failed = failed
    this.#root = root
    this.#choice = services.choice
  }

  /** Opens another folder, with the node of the command line. Throws NODE_FACTS_… or FACTERDB_…. */
  open(root: string, choice: NodeChoice): void {
    this.#root = root
    this.choose({ ...this.#services.choice, ...choice })
  }

  /** Changes the node; without `facts`, they are searched where those of the last node were. Throws NODE_FACTS_…. */
  choose(choice: NodeChoice): ChosenNode | undefined {
    const next = { ...this.#choice, ...choice }
    this.#node = readChosenNode(next, this.#places)
    this.#choice = next
    void this.refresh()
    return this.#node
  }

  /** Names that `choose` accepts. Throws FACTERDB_…. */
  listNodes(): readonly string[] {
    return listNodeChoices(this.#choice, this.#places)
  }

  /** The values of the chosen node; undefined without a node, and for a folder without a valid metadata.json. */
  values(): Promise<NodeValues | undefined> {
    this.#values ??= this.#open()
    return this.#values
  }

  /** Forgets data, after files changed. */
  async refresh(): Promise<void> {
    const old = this.#values
    this.#values = undefined
    try {
      const values = await old
      values?.close()
    } catch (error) {
      this.#failed(error)
    }
  }

  async #open(): Promise<NodeValues | undefined> {
    const node = this.#node
    if (!node) return undefined
    try {
      const code = await this.#services.openCode(this.#root)
      return createValues(node, code, this.#services.createRequest)
    } catch (error) {
      if (error instanceof PuppetError) return undefined
      throw error
    }
  }

  get #places(): FactPlaces {
    return { root: this.#root, gemFolders: this.#services.gemFolders }
  }
}

function createValues(node: ChosenNode, code: TestCode, createRequest: CreateNodeRequest): NodeValues {
  try {
    return new NodeValues(node, code, createRequest)
  } catch (error) {
    code.close()
    throw error
  }
}
