import { budgets } from '../../base/budgets/budgets.ts'
import { awaitWithTimeout } from '../../base/time/promise-timeout.ts'
import type { Environments } from '../../code/environments/environments.ts'

/** Deployments in progress. */
interface UnderWay {
  /** Resolves when no deployment of these environments is in progress. */
  settled(environments: readonly string[]): Promise<void>
}

/**
 * Tracks the first deployments of a starting server, because environments that were never deployed here may need
 * modules of their Puppetfile first. The status is `starting`, so that load balancers send no requests, until each
 * environment is deployed or has failed, or until `mostMs` is over.
 */
export class Startup {
  #isUnderWay = true

  constructor(
    environments: Pick<Environments, 'status' | 'look'>,
    deployments: UnderWay | undefined,
    mostMs: number = budgets.push.firstDeployments.bound,
  ) {
    void awaitWithTimeout(this.#wait(environments, deployments), mostMs, () => new Error('the time limit is exceeded'))
      .catch(() => {}) // requests report an invalid environment folder
      .finally(() => (this.#isUnderWay = false))
  }

  /** True while the first deployments are in progress. */
  readonly isUnderWay = (): boolean => this.#isUnderWay

  async #wait(environments: Pick<Environments, 'status' | 'look'>, deployments: UnderWay | undefined) {
    if (!deployments) return
    const unserved = (await environments.status()).filter(({ commit }) => commit === undefined)
    if (unserved.length === 0) return
    await deployments.settled(unserved.map(({ name }) => name))
    await environments.look()
  }
}
