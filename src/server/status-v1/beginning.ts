import { budgets } from '../../base/budgets/budgets.ts'
import { inTime } from '../../base/time/in-time.ts'
import type { Environments } from '../../code/environments/environments.ts'

/** Work that is under way for environments. */
interface UnderWay {
  /** Done when nothing of these environments is under way. */
  settled(environments: readonly string[]): Promise<void>
}

/**
 * The first deployments of a server that begins: environments of which no commit was ever served here wait for modules of
 * their Puppetfile. Balancers see it in the status, and send nothing until each is served, or cannot be, or `mostMs` are over.
 */
export class Beginning {
  #isUnderWay = true

  constructor(
    environments: Pick<Environments, 'status' | 'look'>,
    deployments: UnderWay | undefined,
    mostMs: number = budgets.push.firstDeployments.bound,
  ) {
    void inTime(this.#wait(environments, deployments), mostMs, () => new Error('too long'))
      .catch(() => {}) // requests say what is wrong with a folder of environments
      .finally(() => (this.#isUnderWay = false))
  }

  /** True until then. */
  readonly isUnderWay = (): boolean => this.#isUnderWay

  async #wait(environments: Pick<Environments, 'status' | 'look'>, deployments: UnderWay | undefined) {
    if (!deployments) return
    const unserved = (await environments.status()).filter(({ commit }) => commit === undefined)
    if (unserved.length === 0) return
    await deployments.settled(unserved.map(({ name }) => name))
    await environments.look()
  }
}
